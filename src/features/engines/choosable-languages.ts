import type { EnginesAnswer, SpeechLanguage, SpeechOption } from "#contract/index.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The language that is really recognized for `source`. Resolves `auto` if no engine detects languages. */
export function recognizedLanguage<Code extends string>(engines: EnginesAnswer | null, source: Code): Code | SpeechLanguage {
  return engines?.speech.languages.find(({ code }) => code === source)?.resolvesTo ?? source;
}

/** The languages to choose from, without `auto` if no engine detects languages. */
export const offeredLanguages = ({ speech }: EnginesAnswer): readonly SpeechOption[] =>
  speech.languages.filter(({ resolvesTo }) => resolvesTo === undefined);

/**
 * Target languages for a spoken language, sorted. All available ones if the spoken language is unknown.
 * @param forFiles also those into which the speech engine itself translates files
 */
export function targetsFor(engines: EnginesAnswer, source: string, forFiles = false): string[] {
  const spoken = baseLanguage(recognizedLanguage(engines, source));
  const pairs = engines.translation.pairs.filter((pair) => spoken === "auto" || baseLanguage(pair.source) === spoken);
  const byEngine = engines.speech.languages.find(({ code }) => code === source)?.translatesTo ?? [];
  return [...new Set([...pairs.map((pair) => pair.target), ...(forFiles ? byEngine : [])])].sort();
}
