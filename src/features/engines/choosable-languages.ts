import type { EnginesAnswer } from "#contract/index.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The language that is heard for `source`: resolves `auto` where no engine detects languages. */
export function heardLanguage(engines: EnginesAnswer | null, source: string): string {
  return engines?.speech.languages.find(({ code }) => code === source)?.resolvesTo ?? source;
}

/** Target languages available for a spoken language, sorted; all available ones when the language is unknown. */
export function targetsFor(engines: EnginesAnswer, source: string): string[] {
  const heard = baseLanguage(heardLanguage(engines, source));
  const pairs = engines.translation.pairs.filter((pair) => heard === "auto" || baseLanguage(pair.source) === heard);
  return [...new Set(pairs.map((pair) => pair.target))].sort();
}
