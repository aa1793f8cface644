import { RetentionAnswer, RetentionDates, RetentionPreview, RetentionRule } from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionPath, transcriptionsPath } from "./paths.ts";

const path = `${transcriptionsPath}/retention`;

/** The calls about how long transcripts are kept. Each throws ApiError when there was no answer or one outside 200-299. */
export function createRetentionApi(call: Call) {
  return {
    list: async (signal?: AbortSignal) => (await call(path, { schema: RetentionAnswer, signal })).rules,
    /** What it would delete, before it holds. */
    preview: (json: RetentionRule, signal?: AbortSignal) => call(`${path}/preview`, { json, schema: RetentionPreview, signal }),
    save: (json: RetentionRule, signal?: AbortSignal) => call(path, { method: "PUT", json, schema: RetentionRule, signal }),
    /** When something of one transcription is deleted. */
    dates: (id: string, signal?: AbortSignal) => call(`${transcriptionPath(id)}/retention`, { schema: RetentionDates, signal }),
  };
}
