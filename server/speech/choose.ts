import type { ModelChoices, ModelOptions, SpeechLanguage } from "#contract/index.ts";
import { keepsUpWithSpeech } from "#server/models/fit.ts";
import type { Quality, SpeechEngine, Use } from "./engine.ts";

/** Whether a model is faster than speech; undefined when that is not known. */
export function keepsUp({ factor }: Quality): boolean | undefined {
  return factor === undefined ? undefined : keepsUpWithSpeech(factor);
}

/**
 * The engines that know a language, best first: one that was chosen; then a remote server and whatever else stands before the
 * models; the models by their published word errors. A model that this machine has too little memory for, or that does not keep up
 * with somebody who speaks, comes last.
 * @param engines those that work, in order of preference without choices and figures
 */
export function enginesFor(
  engines: readonly SpeechEngine[],
  language: SpeechLanguage,
  use: Use,
  choices: ModelChoices,
): SpeechEngine[] {
  const chosen = choices[use][language];
  const firstModel = engines.findIndex((engine) => engine.quality !== undefined);
  const keyed = engines
    .filter((engine) => engine.languages.includes(language))
    .map((engine) => ({ engine, key: keyOf(engine, use, engine.id === chosen, engines.indexOf(engine) < firstModel) }));
  return keyed.toSorted((a, b) => compared(a.key, b.key)).map(({ engine }) => engine);
}

/** Of a model without published figures, in percent: somebody installed it, although the built-in one (12.7) was there. */
const assumedWordErrors = 12.6;

/** Less is better, the first difference counts. */
function keyOf(engine: SpeechEngine, use: Use, isChosen: boolean, isBeforeModels: boolean): number[] {
  const { quality, languages } = engine;
  if (quality === undefined) return [isChosen ? 0 : 1, 0, isBeforeModels ? 0 : 2];
  const isTooSlow = use === "live" && engine.keepsUp === false;
  const demoted = quality.fits ? (isTooSlow ? 1 + (quality.factor ?? 0) : 0) : Number.MAX_VALUE;
  const wordErrors = quality.wordErrors ?? assumedWordErrors;
  return [isChosen ? 0 : 1, demoted, 1, quality.isNamed ? 0 : 1, wordErrors, languages.length];
}

function compared(one: readonly number[], other: readonly number[]): number {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? value);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What /admin/models offers for a language; undefined when nothing recognizes it. */
export function modelOptions(
  engines: readonly SpeechEngine[],
  language: SpeechLanguage,
  choices: ModelChoices,
): ModelOptions | undefined {
  const files = enginesFor(engines, language, "files", choices);
  const live = enginesFor(engines, language, "live", choices);
  if (files.length === 0) return undefined;
  return {
    language,
    candidates: files.map((engine) => ({ id: engine.id, name: engine.name, keepsUp: engine.keepsUp ?? null })),
    live: live[0]?.id ?? null,
    files: files[0]?.id ?? null,
  };
}
