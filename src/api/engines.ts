import { EnginesAnswer, TranslationAnswer } from "./contract/index.ts";
import type { Call } from "./http.ts";

/** What the server can hear and translate, and translating a text. Each throws ApiError. */
export function createEnginesApi(call: Call) {
  return {
    engines: (signal?: AbortSignal) => call("/api/v1/engines", { schema: EnginesAnswer, signal }),

    /** @param source as it was spoken ("es-ES", "auto" included); @param target a code for text ("es") */
    translate: (json: { text: string; source: string; target: string }, signal?: AbortSignal) =>
      call("/api/v1/translations", { method: "POST", json, schema: TranslationAnswer, signal }),
  };
}
