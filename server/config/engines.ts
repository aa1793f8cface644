import * as v from "valibot";
import { HttpUrl, Positive, setting, settingOr, Text, type ValuesOf } from "./values.ts";

/** Variables of what recognizes, translates and writes (server/config/config.ts). */
export const engineVariables = {
  SPEECH_API_URL: setting(
    HttpUrl,
    "An OpenAI-compatible speech server, such as https://api.openai.com/v1 or http://localhost:8000/v1.",
  ),
  SPEECH_API_KEY: setting(Text, "The API key for the speech server."),
  SPEECH_API_MODEL: settingOr(Text, "whisper-1", "The model that the speech server uses."),
  SPEECH_API_TIMEOUT_S: settingOr(Positive, "120", "Time limit in seconds for one piece of audio on the speech server."),
  SPEECH_MODEL: setting(
    v.pipe(Text, v.regex(/^[\w.-]+$/, "must be a folder name")),
    "The installed speech model to use before all others.",
  ),
  MODELS_MIRROR: setting(
    HttpUrl,
    "Your own server for model downloads, tried first: <mirror>/<archive>, <mirror>/<model>/<file>.",
  ),
  TRANSLATION_API_URL: setting(HttpUrl, "An OpenAI-compatible chat server that translates."),
  TRANSLATION_API_KEY: setting(Text, "The API key for this chat server."),
  TRANSLATION_API_MODEL: settingOr(Text, "gpt-4o-mini", "The model that this chat server uses."),
  LIBRETRANSLATE_URL: setting(HttpUrl, "A LibreTranslate server."),
  LIBRETRANSLATE_KEY: setting(Text, "The API key for the LibreTranslate server."),
  LLM_API_URL: setting(
    HttpUrl,
    "An OpenAI-compatible chat server that writes blog posts and summaries, such as http://localhost:11434/v1 (Ollama).",
  ),
  LLM_API_KEY: setting(Text, "The API key for this chat server."),
  LLM_API_MODEL: settingOr(Text, "gpt-4o-mini", "The model that this chat server uses."),
  LLM_API_TIMEOUT_S: settingOr(
    Positive,
    "120",
    "Seconds without output after which a request to this chat server fails. A whole answer may take five times as long.",
  ),
  LLM_CONTEXT_TOKENS: settingOr(
    v.pipe(Positive, v.minValue(4000, "must be 4000 or more")),
    "8000",
    "The model's context in tokens, for reading and writing together. Longer transcripts are read in parts.",
  ),
  LLM_REQUESTS_PER_HOUR: settingOr(
    Positive,
    "60",
    "How many summaries, task lists, chapter lists and answers each person may request in an hour.",
  ),
};

/** The servers for recognition, translation and writing. Timeouts in ms. */
export function enginesOf(e: ValuesOf<typeof engineVariables>) {
  return {
    speech: {
      apiUrl: e.SPEECH_API_URL,
      apiKey: e.SPEECH_API_KEY,
      apiModel: e.SPEECH_API_MODEL,
      apiTimeoutMs: e.SPEECH_API_TIMEOUT_S * 1000,
      model: e.SPEECH_MODEL,
    },
    modelsMirror: e.MODELS_MIRROR,
    translation: {
      apiUrl: e.TRANSLATION_API_URL,
      apiKey: e.TRANSLATION_API_KEY,
      apiModel: e.TRANSLATION_API_MODEL,
      libreUrl: e.LIBRETRANSLATE_URL,
      libreKey: e.LIBRETRANSLATE_KEY,
    },
    llm: {
      apiUrl: e.LLM_API_URL,
      apiKey: e.LLM_API_KEY,
      apiModel: e.LLM_API_MODEL,
      apiTimeoutMs: e.LLM_API_TIMEOUT_S * 1000,
      contextTokens: e.LLM_CONTEXT_TOKENS,
      perHour: e.LLM_REQUESTS_PER_HOUR,
    },
  };
}
