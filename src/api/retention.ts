import { RetentionAnswer, RetentionDates, RetentionPreview, RetentionRule } from "#contract/index.ts";
import type { Call } from "./http.ts";

const base = "/api/v1/audio-transcriptions";

/** The calls about how long transcripts are kept. Each throws ApiError when there was no answer or one outside 200-299. */
export function createRetentionApi(call: Call) {
  return {
    list: async (signal?: AbortSignal): Promise<readonly RetentionRule[]> =>
      (await call(`${base}/retention`, { schema: RetentionAnswer, signal })).rules,
    /** What it would delete, before it holds. */
    preview: (json: RetentionRule, signal?: AbortSignal): Promise<RetentionPreview> =>
      call(`${base}/retention/preview`, { json, schema: RetentionPreview, signal }),
    save: (json: RetentionRule, signal?: AbortSignal): Promise<RetentionRule> =>
      call(`${base}/retention`, { method: "PUT", json, schema: RetentionRule, signal }),
    /** When something of one transcription is deleted. */
    dates: (id: string, signal?: AbortSignal): Promise<RetentionDates> =>
      call(`${base}/transcription/${encodeURIComponent(id)}/retention`, { schema: RetentionDates, signal }),
  };
}
