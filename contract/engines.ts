import * as v from "valibot";
import { type Language, SpeechLanguage, TextLanguage } from "./language.ts";

export const SpeechOption = v.object({
  code: SpeechLanguage,
  available: v.boolean(),
  /** The engine that is used for files, when available; and live, unless `liveEngine` names another. */
  engine: v.optional(v.string()),
  liveEngine: v.optional(v.string()),
  /** False: words come later than they are spoken, because the engine was measured to be slower than speech here. */
  keepsUp: v.optional(v.boolean()),
  /** The language that `auto` stands for when no engine detects languages. */
  resolvesTo: v.optional(SpeechLanguage),
  /** Whether interim text appears while speaking. */
  live: v.boolean(),
  /** Whether the engine distinguishes speakers, and whether it takes vocabulary hints; absent: no. */
  speakers: v.optional(v.boolean()),
  vocabulary: v.optional(v.boolean()),
  /** The two-letter codes into which the engine itself translates files; used where no pair serves it. */
  translatesTo: v.optional(v.array(v.string())),
  /** Why it is unavailable: a stable name with a text in the locale files (`engines.reason.<name>`). */
  reason: v.optional(v.picklist(["noEngine", "engineMissing", "engineBroken"])),
});
export type SpeechOption = v.InferOutput<typeof SpeechOption>;

export const EngineInfo = v.object({
  id: v.string(),
  name: v.string(),
  /** The audio or text does not leave the machine. */
  offline: v.boolean(),
  available: v.boolean(),
  /** What is wrong and how to fix it, in English (for the operator). */
  detail: v.optional(v.string()),
});
export type EngineInfo = v.InferOutput<typeof EngineInfo>;

/** GET /api/v1/engines: the available engines. */
export const EnginesAnswer = v.object({
  speech: v.object({
    engines: v.array(EngineInfo),
    languages: v.array(SpeechOption),
    /** Whether it can be found out who speaks, whatever the engine; absent: no. */
    diarizes: v.optional(v.boolean()),
  }),
  translation: v.object({
    engines: v.array(EngineInfo),
    /** The supported translation pairs, as two-letter codes. */
    pairs: v.array(
      v.object({
        source: v.string(),
        target: v.string(),
        engine: v.string(),
        /**
         * The size of its model where a browser may keep one (GET /api/v1/device-translations/{source}/{target}), in bytes of the
         * download; absent: none.
         */
        deviceBytes: v.optional(v.number()),
      }),
    ),
  }),
  /** The languages of speech synthesis (POST /api/v1/speech), as two-letter codes; absent when there is none. */
  aloud: v.optional(v.object({ languages: v.array(v.string()) })),
  /** Whether a language model makes insights of transcripts; absent: no. */
  insights: v.optional(v.boolean()),
  limits: v.object({ maxUploadBytes: v.number() }),
});
export type EnginesAnswer = v.InferOutput<typeof EnginesAnswer>;

/** POST /api/v1/translations */
export const TranslationRequest = v.object({
  text: v.pipe(v.string(), v.maxLength(200_000)),
  source: v.union([SpeechLanguage, TextLanguage]),
  target: TextLanguage,
});
export const TranslationAnswer = v.object({ text: v.string() });

/** The report of one call. */
export interface CallReport {
  path: string;
  /** The answer's; 0 when there was none. */
  status: number;
  /** Milliseconds until its last byte, or until the failure. */
  took: number;
  /** Unchanged; "" without an answer. */
  raw: string;
  /** Status 200-299, and the body is complete. */
  isOk: boolean;
  /** The languages found in it, and where in the answer they were; null when there are none. */
  accepted: { shape: string; languages: readonly Language[]; leftOut: number } | null;
}

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
