import { parseJson, pipe, safeParse, string, unknown } from "valibot";
import {
  AcceptedAdminPost,
  AcceptedGenerated,
  AcceptedList,
  AcceptedStats,
  type BlogDraft,
  type BlogUpdate,
  BulkAnswer,
  type BulkKind,
  GenerationEvent,
  type GenerationProgress,
  type GenerationRequest,
  type GeneratorForm,
  type GeneratorMode,
  ImageAnswer,
  type PostsQuery,
  SlugAnswer,
  type UniqueRequest,
} from "#contract/index.ts";
import { ApiError, type Call, isNotOffered, type Send } from "./http.ts";
import { failureCode, readWorkStream, requestWork } from "./work-stream.ts";

const base = "/admin/blog";
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

/** Posts in one page of the list. */
const adminPageSize = 20;

function asked({ page, search, status, topic, language, generated }: PostsQuery): URLSearchParams {
  const query = new URLSearchParams({ page: String(page), limit: String(adminPageSize) });
  if (search !== "") query.set("search", search);
  if (status !== "all") query.set("status", status);
  if (topic !== "") query.set("topics", topic);
  if (language !== "") query.set("language", language);
  if (generated !== "all") query.set("generated", String(generated === "yes"));
  return query;
}

/**
 * The calls of the blog's editors (SPEC.md section 7, "Blog, admin"). All throw ApiError; 401 `adminRequired` for
 * others.
 */
export function createBlogAdminApi(call: Call) {
  return {
    list: (query: PostsQuery, signal?: AbortSignal) => call(`${base}?${asked(query)}`, { schema: AcceptedList, signal }),
    get: (id: string, signal?: AbortSignal) => call(one(id), { schema: AcceptedAdminPost, signal }),
    create: (json: BlogDraft, signal?: AbortSignal) => call(base, { json, schema: AcceptedAdminPost, signal }),
    /** Rejects with `conflict` when the revision is outdated. */
    update: (id: string, json: BlogUpdate, signal?: AbortSignal) =>
      call(one(id), { method: "PUT", json, schema: AcceptedAdminPost, signal }),
    remove: async (id: string, signal?: AbortSignal): Promise<void> => {
      await call(one(id), { method: "DELETE", schema: unknown(), signal });
    },
    /** @returns the ids of the posts that existed */
    bulk: async (action: BulkKind, ids: readonly string[], signal?: AbortSignal): Promise<readonly string[]> =>
      (
        await call(`${base}/bulk`, { json: { ids, action }, schema: BulkAnswer, signal }).catch(
          oneByOne(call, action, ids, signal),
        )
      ).done,
    /** Returns a free slug for a title, or whether a given slug is free. @param id of the slug's post */
    slug: (wanted: { title: string } | { slug: string }, id: string | null, signal?: AbortSignal) =>
      call(`${base}/slug?${new URLSearchParams({ ...wanted, ...(id !== null && { id }) })}`, { schema: SlugAnswer, signal }),
  };
}

/** Runs the action post by post, for a server without the bulk call. @throws any other error */
function oneByOne(call: Call, action: BulkKind, ids: readonly string[], signal: AbortSignal | undefined) {
  return async (error: unknown): Promise<{ done: string[] }> => {
    if (!isNotOffered(error)) throw error;
    const status = action === "publish" ? "published" : "draft";
    const options = action === "delete" ? { method: "DELETE" } : { method: "PUT", json: { status } };
    const done: string[] = [];
    for (const id of ids) {
      await call(one(id), { ...options, schema: unknown(), signal });
      done.push(id);
    }
    return { done };
  };
}

/** Creates the call that uploads a picture. @param send reports progress */
export function createImageCall(send: Send, callOf: (send: Send) => Call) {
  return async (file: File, signal: AbortSignal): Promise<ImageAnswer> => {
    const body = new FormData();
    body.set("image", file);
    return callOf((path, init) => send(path, { ...init, body }))(`${base}/upload-image`, {
      method: "POST",
      schema: ImageAnswer,
      signal,
    });
  };
}

/** The generator's calls (SPEC.md section 7, "Blog, admin"). All of them throw ApiError. */
export function createBlogGenerationApi(call: Call, send: Send) {
  return {
    stats: (signal?: AbortSignal) => call(`${base}/diversity-stats`, { schema: AcceptedStats, signal }),
    /**
     * Generates a post. Resolves after the last event, which is the post or an error. Aborting stops the server's work.
     * @param onEvent receives all events in order
     */
    generate: async (
      mode: GeneratorMode,
      { topic, ...style }: GeneratorForm,
      signal: AbortSignal,
      onEvent: (event: GenerationProgress) => void,
    ): Promise<void> => {
      const wanted: GenerationRequest | UniqueRequest = mode === "topic" ? { topic, ...style } : { hint: topic, ...style };
      const path = `${base}/${mode === "topic" ? "generate" : "generate-unique"}`;
      const answer = await requestWork(send, path, wanted, signal);
      await readGeneration(answer, onEvent);
    },
  };
}

/** @throws ApiError `network` when the answer is cut off, `internal` when it is malformed */
async function readGeneration(answer: Response, onEvent: (event: GenerationProgress) => void): Promise<void> {
  const isStream = /^text\/event-stream\b/i.test(answer.headers.get("content-type") ?? "");
  if (!isStream || answer.body === null) {
    const post = safeParse(pipe(string(), parseJson(), AcceptedGenerated), await answer.text());
    if (!post.success) throw new ApiError(answer.status, "internal", "The answer is no post.");
    return onEvent({ type: "post.came", post: post.output });
  }
  await readWorkStream(answer, GenerationEvent, (event) => {
    const progress = progressOf(event);
    onEvent(progress);
    return progress.type === "post.came" || progress.type === "generation.failed";
  });
}

function progressOf(event: GenerationEvent): GenerationProgress {
  if ("step" in event) return { type: "step.came", step: event.step };
  if ("head" in event) return { type: "head.came", head: event.head };
  if ("text" in event) return { type: "text.came", text: event.text };
  if ("post" in event) return { type: "post.came", post: event.post };
  const { code, message } = event.error;
  return { type: "generation.failed", failure: { code: failureCode(code), detail: message } };
}
