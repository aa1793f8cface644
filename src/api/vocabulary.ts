import { VocabularyAnswer, type VocabularyChange } from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/vocabulary";

/**
 * The calls about the user's vocabulary. Each throws ApiError; `put` throws `conflict` when it was changed elsewhere.
 */
export function createVocabularyApi(call: Call) {
  return {
    get: (signal?: AbortSignal) => call(path, { schema: VocabularyAnswer, signal }),
    put: (json: VocabularyChange, signal?: AbortSignal) => call(path, { method: "PUT", json, schema: VocabularyAnswer, signal }),
  };
}
