import * as v from "valibot";
import { HttpUrl, Positive, Text } from "./values.ts";

/** Variables of what recognizes, translates and writes (server/config/config.ts). */
export const engineVariables = {
  SPEECH_API_URL: v.pipe(
    v.optional(HttpUrl),
    v.description("An OpenAI-compatible speech server, such as https://api.openai.com/v1 or http://localhost:8000/v1."),
  ),
  SPEECH_API_KEY: v.pipe(v.optional(Text), v.description("The key for the speech server.")),
  SPEECH_API_MODEL: v.pipe(v.optional(Text, "whisper-1"), v.description("The model that the speech server uses.")),
  SPEECH_API_TIMEOUT_S: v.pipe(
    v.optional(Positive, "120"),
    v.description("Seconds that the speech server may take for one piece of audio."),
  ),
  SPEECH_MODEL: v.pipe(
    v.optional(v.pipe(Text, v.regex(/^[\w.-]+$/, "is not a folder name"))),
    v.description("The installed speech model that is preferred to all others."),
  ),
  MODELS_MIRROR: v.pipe(
    v.optional(HttpUrl),
    v.description("Your own server from which models are downloaded first: <mirror>/<archive>, <mirror>/<model>/<file>."),
  ),
  TRANSLATION_API_URL: v.pipe(v.optional(HttpUrl), v.description("An OpenAI-compatible chat server that translates.")),
  TRANSLATION_API_KEY: v.pipe(v.optional(Text), v.description("The key for this chat server.")),
  TRANSLATION_API_MODEL: v.pipe(v.optional(Text, "gpt-4o-mini"), v.description("The model that this chat server uses.")),
  LIBRETRANSLATE_URL: v.pipe(v.optional(HttpUrl), v.description("A LibreTranslate server.")),
  LIBRETRANSLATE_KEY: v.pipe(v.optional(Text), v.description("The key for the LibreTranslate server.")),
  LLM_API_URL: v.pipe(
    v.optional(HttpUrl),
    v.description(
      "An OpenAI-compatible chat server that writes blog posts and summaries, such as http://localhost:11434/v1 (Ollama).",
    ),
  ),
  LLM_API_KEY: v.pipe(v.optional(Text), v.description("The key for this chat server.")),
  LLM_API_MODEL: v.pipe(v.optional(Text, "gpt-4o-mini"), v.description("The model that this chat server uses.")),
  LLM_API_TIMEOUT_S: v.pipe(
    v.optional(Positive, "120"),
    v.description("Seconds that this chat server may be silent. A whole answer may take five times as long."),
  ),
  LLM_CONTEXT_TOKENS: v.pipe(
    v.optional(v.pipe(Positive, v.minValue(4000, "must be 4000 or more")), "8000"),
    v.description("How many tokens the model reads and writes at once. Longer transcripts are read in parts."),
  ),
  LLM_REQUESTS_PER_HOUR: v.pipe(
    v.optional(Positive, "60"),
    v.description("How many summaries, lists of tasks or chapters, and answers each person may request in an hour."),
  ),
};

const Variables = v.object(engineVariables);

export interface EnginesConfig {
  speech: { apiUrl?: string; apiKey?: string; apiModel: string; apiTimeoutMs: number; model?: string };
  /** Models are fetched from there first. */
  modelsMirror: string | undefined;
  translation: { apiUrl?: string; apiKey?: string; apiModel: string; libreUrl?: string; libreKey?: string };
  /** The language model that writes blog posts, and what it makes of transcripts. */
  llm: { apiUrl?: string; apiKey?: string; apiModel: string; apiTimeoutMs: number; contextTokens: number; perHour: number };
}

/** Who is asked to recognize, to translate and to write. A timeout is in milliseconds. */
export function enginesOf(e: v.InferOutput<typeof Variables>): EnginesConfig {
  return {
    speech: {
      ...present("apiUrl", e.SPEECH_API_URL),
      ...present("apiKey", e.SPEECH_API_KEY),
      apiModel: e.SPEECH_API_MODEL,
      apiTimeoutMs: e.SPEECH_API_TIMEOUT_S * 1000,
      ...present("model", e.SPEECH_MODEL),
    },
    modelsMirror: e.MODELS_MIRROR,
    translation: {
      ...present("apiUrl", e.TRANSLATION_API_URL),
      ...present("apiKey", e.TRANSLATION_API_KEY),
      apiModel: e.TRANSLATION_API_MODEL,
      ...present("libreUrl", e.LIBRETRANSLATE_URL),
      ...present("libreKey", e.LIBRETRANSLATE_KEY),
    },
    llm: {
      ...present("apiUrl", e.LLM_API_URL),
      ...present("apiKey", e.LLM_API_KEY),
      apiModel: e.LLM_API_MODEL,
      apiTimeoutMs: e.LLM_API_TIMEOUT_S * 1000,
      contextTokens: e.LLM_CONTEXT_TOKENS,
      perHour: e.LLM_REQUESTS_PER_HOUR,
    },
  };
}

function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  const entry: { [K in Key]?: string } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
