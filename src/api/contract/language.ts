import * as v from "valibot";

/** SPEC.md section 3, "Speech-input language options", in its order and spelling. */
export const speechLanguages = [
  "auto",
  "en",
  "es-ES",
  "fr-FR",
  "de-DE",
  "it-IT",
  "pt-br",
  "nl-NL",
  "da",
  "sv-SE",
  "no-NO",
  "fi-FI",
] as const;
export const SpeechLanguage = v.picklist(speechLanguages);
export type SpeechLanguage = v.InferOutput<typeof SpeechLanguage>;

/** A language code for text: ISO 639, optionally with a region ("es", "zh-TW"). */
export const TextLanguage = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/));

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
  /** The two-letter codes into which the engine translates files by itself while it hears them; used where no pair serves it. */
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
    pairs: v.array(v.object({ source: v.string(), target: v.string(), engine: v.string() })),
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

/** One language as SPEC.md section 3 describes it. */
export const Language = v.object({ code: v.string(), name: v.string(), nativeName: v.string() });
export type Language = v.InferOutput<typeof Language>;

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
