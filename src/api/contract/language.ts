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
  /** The engine that will do it, when available. */
  engine: v.optional(v.string()),
  /** What `auto` means here when no engine detects languages: the one that is heard. */
  resolvesTo: v.optional(SpeechLanguage),
  /** Whether interim text appears while speaking. */
  live: v.boolean(),
  /** Whether the engine tells speakers apart, and whether it listens to words that it is told to expect; absent: no. */
  speakers: v.optional(v.boolean()),
  vocabulary: v.optional(v.boolean()),
  /** Why not, when not available: a stable name with a text in the locale files (`engines.reason.<name>`). */
  reason: v.optional(v.picklist(["noEngine", "engineMissing", "engineBroken"])),
});
export type SpeechOption = v.InferOutput<typeof SpeechOption>;

export const EngineInfo = v.object({
  id: v.string(),
  name: v.string(),
  /** The audio or text does not leave the machine. */
  offline: v.boolean(),
  available: v.boolean(),
  /** What is wrong and how to mend it, in English (for whoever runs the server). */
  detail: v.optional(v.string()),
});
export type EngineInfo = v.InferOutput<typeof EngineInfo>;

/** GET /api/v1/engines: what works here. */
export const EnginesAnswer = v.object({
  speech: v.object({ engines: v.array(EngineInfo), languages: v.array(SpeechOption) }),
  translation: v.object({
    engines: v.array(EngineInfo),
    /** The pairs that can be translated, as two-letter codes. */
    pairs: v.array(v.object({ source: v.string(), target: v.string(), engine: v.string() })),
  }),
  /** What the server can read aloud (POST /api/v1/speech), as two-letter codes; absent when it can't. */
  aloud: v.optional(v.object({ languages: v.array(v.string()) })),
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

/** What came of one call. */
export interface CallReport {
  path: string;
  /** Of the answer; 0 when there was none. */
  status: number;
  /** Milliseconds until its last byte was there, or until it was clear that none would come. */
  took: number;
  /** As it came; "" when nothing did. */
  raw: string;
  /** 200-299, and all of it was there. */
  isOk: boolean;
  /** The languages that the product takes from it, and where in the answer they were; null when there are none. */
  accepted: { shape: string; languages: readonly Language[]; leftOut: number } | null;
}
