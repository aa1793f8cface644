import type { EnginesAnswer } from "../../api/contract/index.ts";

const baseOf = (code: string) => code.toLowerCase().split("-")[0] ?? code;

/** The codes that a spoken language can be translated to here, in order; all there are when the language is not known. */
export function targetsFor(engines: EnginesAnswer, source: string): string[] {
  const option = engines.speech.languages.find(({ code }) => code === source);
  const heard = baseOf(option?.resolvesTo ?? source);
  const pairs = engines.translation.pairs.filter((pair) => heard === "auto" || baseOf(pair.source) === heard);
  return [...new Set(pairs.map((pair) => pair.target))].sort();
}
