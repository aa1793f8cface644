import { RetentionAnswer, RetentionDates, RetentionPreview, RetentionRule } from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionPath, transcriptionsPath } from "./paths.ts";

const path = `${transcriptionsPath}/retention`;

/** The calls about retention rules. Each throws ApiError without an answer, or for a status outside 200-299. */
export function createRetentionApi(call: Call) {
  return {
    list: async (signal?: AbortSignal) => (await call(path, { schema: RetentionAnswer, signal })).rules,
    /** What the rule would delete, before it is saved. */
    preview: (json: RetentionRule, signal?: AbortSignal) => call(`${path}/preview`, { json, schema: RetentionPreview, signal }),
    save: (json: RetentionRule, signal?: AbortSignal) => call(path, { method: "PUT", json, schema: RetentionRule, signal }),
    /** The deletion dates of one transcription. */
    dates: (id: string, signal?: AbortSignal) => call(`${transcriptionPath(id)}/retention`, { schema: RetentionDates, signal }),
  };
}
