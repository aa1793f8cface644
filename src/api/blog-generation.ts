import { parseJson, pipe, safeParse, string } from "valibot";
import {
  AcceptedGenerated,
  AcceptedStats,
  type DiversityStats,
  ErrorCode,
  GenerationEvent,
  type GenerationProgress,
  type GenerationRequest,
  type GeneratorForm,
  type GeneratorMode,
  type UniqueRequest,
} from "#contract/index.ts";
import { ApiError, type Call, type Send } from "./http.ts";
import { readWorkStream } from "./work-stream.ts";

const base = "/admin/blog";

/** The calls of the generator (SPEC.md section 7, "Blog, admin"). All of them throw ApiError. */
export function createBlogGenerationApi(call: Call, send: Send) {
  return {
    stats: (signal?: AbortSignal): Promise<DiversityStats> => call(`${base}/diversity-stats`, { schema: AcceptedStats, signal }),
    /**
     * Has a post generated. Resolves after the last event, the post or an error; aborting stops the server's work.
     * @param onEvent receives all events in order
     */
    generate: async (
      mode: GeneratorMode,
      { topic, ...style }: GeneratorForm,
      signal: AbortSignal,
      onEvent: (event: GenerationProgress) => void,
    ): Promise<void> => {
      const wanted: GenerationRequest | UniqueRequest = mode === "topic" ? { topic, ...style } : { hint: topic, ...style };
      const answer = await send(`${base}/${mode === "topic" ? "generate" : "generate-unique"}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "text/event-stream, application/json" },
        body: JSON.stringify(wanted),
        signal,
        cache: "no-store",
      });
      await readGeneration(answer, onEvent);
    },
  };
}

/** @throws ApiError `network` when the answer breaks off, `internal` when it is malformed */
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
  const known = safeParse(ErrorCode, code);
  return { type: "generation.failed", failure: { code: known.success ? known.output : "internal", detail: message } };
}
