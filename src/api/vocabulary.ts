import { VocabularyAnswer, type VocabularyChange } from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/vocabulary";

/** The calls about a person's vocabulary. Each throws ApiError; `put` with the code `conflict` when it was changed elsewhere. */
export function createVocabularyApi(call: Call) {
  return {
    get: (signal?: AbortSignal) => call(path, { schema: VocabularyAnswer, signal }),
    put: (json: VocabularyChange, signal?: AbortSignal) => call(path, { method: "PUT", json, schema: VocabularyAnswer, signal }),
  };
}
