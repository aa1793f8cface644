import type { EnginesAnswer, Language, SpeechOption } from "#contract/index.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The language code that stands for: find out what is spoken. */
export const detected = "auto";

/**
 * What can be done here with a language. spoken: heard and translated; typed: translated only; heard: understood, and not translated; none.
 */
export type Ability = "spoken" | "typed" | "heard" | "none";

/** A language that may be chosen for a side. */
export interface SideLanguage extends Language {
  ability: Ability;
}

/** Written Norwegian has two codes, and the speech option a third one. */
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

/** The code under which the recogniser knows it; null when nothing here understands it. */
export function speechCode(engines: EnginesAnswer, code: string) {
  const option = speechOption(engines, code);
  return option?.available ? option.code : null;
}

/** The code under which it is kept in a conversation. */
export function turnLanguage(engines: EnginesAnswer, code: string): string {
  return speechOption(engines, code)?.code ?? code;
}

/** What a person reads: what is detected is written in the language of the page. */
export const readingLanguage = (code: string, interfaceLanguage: string): string =>
  code === detected ? interfaceLanguage : code;

/** The code to translate to, for what is said in `from`; null when nothing here can. */
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

/** All languages, those that work here first. */
export function sideLanguages(engines: EnginesAnswer, list: readonly Language[]): readonly SideLanguage[] {
  const all = list.map((language) => ({ ...language, ability: abilityOf(engines, language.code) }));
  return order.flatMap((ability) => all.filter((language) => language.ability === ability));
}

/** Detecting is offered where an engine can do it, and not where it is another word for one language. */
export function canDetect(engines: EnginesAnswer): boolean {
  const option = speechOption(engines, detected);
  return option?.available === true && option.resolvesTo === undefined;
}
