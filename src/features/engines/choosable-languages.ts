import type { EnginesAnswer } from "#contract/index.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The language that is heard when `source` was asked for: what `auto` means here, where no engine detects languages. */
export function heardLanguage(engines: EnginesAnswer | null, source: string): string {
  return engines?.speech.languages.find(({ code }) => code === source)?.resolvesTo ?? source;
}

/** The codes that a spoken language can be translated to here, in order; all there are when the language is not known. */
export function targetsFor(engines: EnginesAnswer, source: string): string[] {
  const heard = baseLanguage(heardLanguage(engines, source));
  const pairs = engines.translation.pairs.filter((pair) => heard === "auto" || baseLanguage(pair.source) === heard);
  return [...new Set(pairs.map((pair) => pair.target))].sort();
}
