import * as v from "valibot";
import { type Language, SpeechLanguage, TextLanguage } from "./language.ts";

export const SpeechOption = v.object({
  code: SpeechLanguage,
  available: v.boolean(),
  /** The engine for files, when available, and for live speech, unless `liveEngine` names another. */
  engine: v.optional(v.string()),
  liveEngine: v.optional(v.string()),
  /**
   * False when words appear later than they are spoken: here, the engine was measured to be slower than live speech.
   */
  keepsUp: v.optional(v.boolean()),
  /** The language that `auto` stands for when no engine detects languages. */
  resolvesTo: v.optional(SpeechLanguage),
  /** Whether interim text appears during speech. */
  live: v.boolean(),
  /** Whether the engine distinguishes speakers, and whether it takes expected words; absent: no. */
  speakers: v.optional(v.boolean()),
  vocabulary: v.optional(v.boolean()),
  /** Two-letter codes into which the engine itself translates files; used where no translation pair exists. */
  translatesTo: v.optional(v.array(v.string())),
  /** Why it is unavailable: a stable name with a text in the locale files (`engines.reason.<name>`). */
  reason: v.optional(v.picklist(["noEngine", "engineMissing", "engineBroken"])),
});
export type SpeechOption = v.InferOutput<typeof SpeechOption>;

export const EngineInfo = v.object({
  id: v.string(),
  name: v.string(),
  /** Whether the audio or text stays on the machine. */
  offline: v.boolean(),
  available: v.boolean(),
  /** The problem and its remedy, in English (for the operator). */
  detail: v.optional(v.string()),
});
export type EngineInfo = v.InferOutput<typeof EngineInfo>;

/** GET /api/v1/engines: the available engines. */
export const EnginesAnswer = v.object({
  speech: v.object({
    engines: v.array(EngineInfo),
    languages: v.array(SpeechOption),
    /** Whether speakers can be detected, whatever the engine; absent: no. */
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
         * Download size of its model for browsers, in bytes (GET /api/v1/device-translations/{source}/{target});
         * absent: there is none.
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
  /** HTTP status; 0 without a response. */
  status: number;
  /** Milliseconds until its last byte, or until the failure. */
  took: number;
  /** The unchanged body; "" without a response. */
  raw: string;
  /** Whether the status is 200-299, and the body is complete. */
  isOk: boolean;
  /** The languages found, and their place in the response; null when there are none. */
  accepted: { shape: string; languages: readonly Language[]; leftOut: number } | null;
}

/** The longest text per request, in characters. */
const spokenLimit = 2_000;

/**
 * POST /api/v1/speech: speech synthesis, as audio/wav. GET /api/v1/engines lists its languages in `aloud`. It is a
 * POST, because URLs are logged.
 */
export const SpeechRequest = v.object({
  text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(spokenLimit)),
  language: v.union([SpeechLanguage, TextLanguage]),
  /** 1 is the voice's normal speed, 2 is twice as fast. */
  rate: v.optional(v.pipe(v.number(), v.minValue(0.5), v.maxValue(2)), 1),
});
export type SpeechRequest = v.InferInput<typeof SpeechRequest>;
