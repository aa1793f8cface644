import type { EnginesAnswer, Language, SpeechOption } from "#contract/index.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The code for language detection. */
export const detected = "auto";

/**
 * The support for a language. spoken: transcribed and translated; typed: only translated; heard: only transcribed;
 * none.
 */
type Ability = "spoken" | "typed" | "heard" | "none";

/** A selectable language of a side. */
export interface SideLanguage extends Language {
  ability: Ability;
}

/** Written Norwegian has two codes, and the speech option a third. */
const alike = new Map([
  ["nb", "no"],
  ["nn", "no"],
]);
const rootOf = (code: string) => alike.get(baseLanguage(code)) ?? baseLanguage(code);

function speechOption(engines: EnginesAnswer, code: string): SpeechOption | undefined {
  const { languages } = engines.speech;
  if (code === detected) return languages.find((option) => option.code === detected);
  return languages.find((option) => option.code !== detected && rootOf(option.code) === rootOf(code));
}

/** The speech engine's code; null when no engine transcribes the language. */
export function speechCode(engines: EnginesAnswer, code: string) {
  const option = speechOption(engines, code);
  return option?.available ? option.code : null;
}

/** The code stored in a conversation. */
export function turnLanguage(engines: EnginesAnswer, code: string): string {
  return speechOption(engines, code)?.code ?? code;
}

/** The language that a side reads. With detection, the interface language. */
export const readingLanguage = (code: string, interfaceLanguage: string): string =>
  code === detected ? interfaceLanguage : code;

/** The target code for speech in `from`; null when no engine translates it. */
export function translationTarget(engines: EnginesAnswer, from: string, to: string): string | null {
  const pairs = engines.translation.pairs.filter((pair) => from === detected || rootOf(pair.source) === rootOf(from));
  const fitting = pairs.filter((pair) => rootOf(pair.target) === rootOf(to));
  return (fitting.find((pair) => pair.target.toLowerCase() === to.toLowerCase()) ?? fitting[0])?.target ?? null;
}

function abilityOf(engines: EnginesAnswer, code: string): Ability {
  const translates = engines.translation.pairs.some(
    ({ source, target }) => code === detected || rootOf(source) === rootOf(code) || rootOf(target) === rootOf(code),
  );
  if (speechCode(engines, code) === null) return translates ? "typed" : "none";
  return translates ? "spoken" : "heard";
}

const order: readonly Ability[] = ["spoken", "typed", "heard", "none"];

/** All languages, supported ones first. */
export function sideLanguages(engines: EnginesAnswer, list: readonly Language[]): readonly SideLanguage[] {
  const all = list.map((language) => ({ ...language, ability: abilityOf(engines, language.code) }));
  return order.flatMap((ability) => all.filter((language) => language.ability === ability));
}

/** Whether detection can be chosen: an engine detects languages, and `auto` is no alias of one language. */
export function canDetect(engines: EnginesAnswer): boolean {
  const option = speechOption(engines, detected);
  return option?.available === true && option.resolvesTo === undefined;
}
