import * as v from "valibot";
import { append } from "#contract/lists.ts";
import { isLoopbackHost } from "#server/http/loopback.ts";
import { below, callRemote, RemoteError, withAdvice } from "#server/http/remote.ts";
import { baseLanguage, keyOfPair, type LanguagePair, pairOfKey, type TranslationEngine, TranslationError } from "./engine.ts";

export interface LibreTranslateConfig {
  /** "http://localhost:5000" */
  url: string;
  key?: string | undefined;
  /** Timeout of one call, in milliseconds. Default 60,000. */
  timeoutMs?: number;
}

/** Limit of the languages, far above what any server supports; each may be translated into each. */
const maxLanguages = 500;
const Code = v.pipe(v.string(), v.maxLength(40));
const Languages = v.pipe(
  v.array(v.object({ code: Code, targets: v.nullish(v.pipe(v.array(Code), v.maxLength(maxLanguages))) })),
  v.maxLength(maxLanguages),
);
const Translated = v.object({ translatedText: v.union([v.array(v.string()), v.string()]) });

const variables = ["LIBRETRANSLATE_URL", "LIBRETRANSLATE_KEY"];

/** Texts per call: public servers limit it, and an answer should not take minutes. */
const batch = 50;

/** A LibreTranslate server; its languages are requested once, at startup. */
export async function openLibreTranslate({ url, key, timeoutMs = 60_000 }: LibreTranslateConfig): Promise<TranslationEngine> {
  const codes = new Map<string, LanguagePair>();
  let unavailable: string | undefined;
  try {
    const languages = await callRemote({
      url: below(url, "languages"),
      schema: Languages,
      wanted: "a list of languages",
      timeoutMs: Math.min(timeoutMs, 10_000),
    });
    for (const { code, targets } of languages) {
      for (const target of targets ?? languages.map((language) => language.code)) {
        const pair = { source: baseLanguage(code), target: baseLanguage(target) };
        // The server's codes are kept ("pt-BR", "nb", "zh-Hans"); of several for a base language, the first is used.
        if (pair.source !== pair.target && !codes.has(keyOfPair(pair))) codes.set(keyOfPair(pair), { source: code, target });
      }
    }
  } catch (error) {
    unavailable = `LibreTranslate at ${new URL(url).host} does not work. ${error instanceof Error ? error.message : ""} Start it, then restart Parlance.`;
  }
  const call = async (texts: string[], pair: LanguagePair, signal: AbortSignal | undefined): Promise<string[]> => {
    const body = { q: texts, ...pair, format: "text", ...(key === undefined ? {} : { api_key: key }) };
    const call = { url: below(url, "translate"), body, timeoutMs, signal };
    const { translatedText } = await callRemote({ ...call, schema: Translated, wanted: "a translation" });
    const answers = typeof translatedText === "string" ? [translatedText] : translatedText;
    if (answers.length !== texts.length) throw new RemoteError("garbage", "The server left out texts.");
    return answers;
  };
  return {
    id: "libretranslate",
    name: "LibreTranslate",
    offline: isLoopbackHost(new URL(url).hostname),
    unavailable,
    pairs: [...codes.keys()].map(pairOfKey),
    translate: async (texts, { source, target, signal }) => {
      const pair = codes.get(keyOfPair({ source: baseLanguage(source), target: baseLanguage(target) }));
      if (pair === undefined) throw new TranslationError("translationUnavailable", "LibreTranslate does not know this pair.");
      return inBatches(texts, { size: batch, variables }, (some) => call(some, pair, signal));
    },
  };
}

/**
 * Translates in sequential batches; blank texts are kept.
 * @param variables that configure the server, for errors
 * @throws TranslationError
 */
export async function inBatches(
  texts: readonly string[],
  { size, variables }: { size: number; variables: readonly string[] },
  translate: (some: string[]) => Promise<string[]>,
): Promise<string[]> {
  const wanted = texts.filter((text) => text.trim() !== "");
  const translated: string[] = [];
  try {
    for (let at = 0; at < wanted.length; at += size) append(translated, await translate(wanted.slice(at, at + size)));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    throw new TranslationError("translationFailed", `Translation: ${withAdvice(error, variables)}`, { cause: error });
  }
  const next = translated.values();
  return texts.map((text) => (text.trim() === "" ? text : (next.next().value ?? "")));
}
