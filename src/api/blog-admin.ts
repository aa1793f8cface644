import { undefined as nothing } from "valibot";
import type { BulkKind, PostsQuery } from "../../machines/posts-admin.ts";
import {
  AdminBlogPost,
  type BlogDraft,
  type BlogList,
  BlogListAnswer,
  type BlogUpdate,
  BulkAnswer,
  ImageAnswer,
  SlugAnswer,
} from "./contract/index.ts";
import type { Call, Send } from "./http.ts";

const base = "/admin/blog";
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

/** Posts of one page of the list. */
export const adminPageSize = 20;

function asked({ page, search, status, topic, language, generated }: PostsQuery): URLSearchParams {
  const query = new URLSearchParams({ page: String(page), limit: String(adminPageSize) });
  if (search !== "") query.set("search", search);
  if (status !== "all") query.set("status", status);
  if (topic !== "") query.set("topics", topic);
  if (language !== "") query.set("language", language);
  if (generated !== "all") query.set("generated", String(generated === "yes"));
  return query;
}

/** The calls of the blog's editors (SPEC.md section 7, "Blog, admin"). All of them throw ApiError; 401 `adminRequired` for anybody else. */
export function createBlogAdminApi(call: Call) {
  return {
    list: (query: PostsQuery, signal?: AbortSignal): Promise<BlogList> =>
      call(`${base}?${asked(query)}`, { schema: BlogListAnswer, signal }),
    get: (id: string, signal?: AbortSignal): Promise<AdminBlogPost> => call(one(id), { schema: AdminBlogPost, signal }),
    create: (json: BlogDraft, signal?: AbortSignal): Promise<AdminBlogPost> =>
      call(base, { json, schema: AdminBlogPost, signal }),
    /** `conflict` when the revision is not the post's any more. */
    update: (id: string, json: BlogUpdate, signal?: AbortSignal): Promise<AdminBlogPost> =>
      call(one(id), { method: "PUT", json, schema: AdminBlogPost, signal }),
    remove: (id: string, signal?: AbortSignal): Promise<void> => call(one(id), { method: "DELETE", schema: nothing(), signal }),
    /** @returns the ids of those that were there */
    bulk: async (action: BulkKind, ids: readonly string[], signal?: AbortSignal): Promise<readonly string[]> =>
      (await call(`${base}/bulk`, { json: { ids, action }, schema: BulkAnswer, signal })).done,
    /** An address made from a title and free, or whether one is. @param id of the post that it is for */
    slug: (wanted: { title: string } | { slug: string }, id: string | null, signal?: AbortSignal) =>
      call(`${base}/slug?${new URLSearchParams({ ...wanted, ...(id !== null && { id }) })}`, { schema: SlugAnswer, signal }),
  };
}

/** Makes the call that sends a picture. @param send tells how far it is while it sends */
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
