import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "./language.ts";

/** The longest text per request, in characters. */
const spokenLimit = 2_000;

/**
 * POST /api/v1/speech: speech synthesis, as audio/wav. Its languages: `aloud` in GET /api/v1/engines. A POST, because texts in
 * addresses get logged.
 */
export const SpeechRequest = v.object({
  text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(spokenLimit)),
  language: v.union([SpeechLanguage, TextLanguage]),
  /** 1 is the voice's own speed, 2 is twice as fast. */
  rate: v.optional(v.pipe(v.number(), v.minValue(0.5), v.maxValue(2)), 1),
});
export type SpeechRequest = v.InferInput<typeof SpeechRequest>;
