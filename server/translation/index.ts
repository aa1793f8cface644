import type { EngineInfo } from "#contract/index.ts";
import { openApertium } from "./apertium.ts";
import { openChat } from "./chat.ts";
import { baseLanguage, type LanguagePair, type TranslateOptions, type TranslationEngine, TranslationError } from "./engine.ts";
import { openLibreTranslate } from "./libretranslate.ts";

export { type LanguagePair, type TranslateOptions, TranslationError } from "./engine.ts";

export interface TranslationConfig {
  /** Base of an OpenAI-compatible chat API ("https://api.openai.com/v1"). */
  apiUrl?: string;
  apiKey?: string;
  /** Default "gpt-4o-mini". */
  apiModel?: string;
  /** Base of a LibreTranslate server ("http://localhost:5000"). */
  libreUrl?: string;
  libreKey?: string;
}

export interface Translation {
  /** All supported pairs, with their engine. */
  pairs(): (LanguagePair & { engine: string })[];
  infos(): EngineInfo[];
  supports(source: string, target: string): boolean;
  /**
   * Translates each text; the answer has the same length and order. Regions are ignored ("es-ES" is "es").
   * @throws TranslationError `translationUnavailable` when no engine supports the pair, `translationFailed` when it failed.
   */
  translate(texts: readonly string[], options: TranslateOptions): Promise<string[]>;
}

/** @param all in order of preference */
export function gatherTranslation(all: readonly TranslationEngine[]): Translation {
  const usable = all.filter((engine) => engine.unavailable === undefined);
  const byPair = new Map<string, LanguagePair & { engine: TranslationEngine }>();
  for (const engine of usable) {
    for (const pair of engine.pairs) {
      const key = `${pair.source}>${pair.target}`;
      if (!byPair.has(key)) byPair.set(key, { ...pair, engine });
    }
  }
  const find = (source: string, target: string) => byPair.get(`${baseLanguage(source)}>${baseLanguage(target)}`);

  return {
    pairs: () => [...byPair.values()].map(({ source, target, engine }) => ({ source, target, engine: engine.id })),
    infos: () =>
      all.map(({ id, name, offline, unavailable }) => ({
        id,
        name,
        offline,
        available: unavailable === undefined,
        ...(unavailable === undefined ? {} : { detail: unavailable }),
      })),
    supports: (source, target) => find(source, target) !== undefined,
    translate: async (texts, { source, target, signal }) => {
      const pair = find(source, target);
      if (pair === undefined) {
        throw new TranslationError("translationUnavailable", `No translation from "${source}" to "${target}" is set up here.`);
      }
      return pair.engine.translate(texts, { source, target, signal });
    },
  };
}

/** Detects the available engines. Order of preference: OpenAI-compatible chat, LibreTranslate, Apertium. */
export async function openTranslation({ apiUrl, apiKey, apiModel, libreUrl, libreKey }: TranslationConfig): Promise<Translation> {
  const engines = await Promise.all([
    ...(apiUrl === undefined ? [] : [openChat({ url: apiUrl, key: apiKey, model: apiModel })]),
    ...(libreUrl === undefined ? [] : [openLibreTranslate({ url: libreUrl, key: libreKey })]),
    openApertium(),
  ]);
  return gatherTranslation(engines);
}
