import type { ModelChoices, ModelOptions, SpeechLanguage } from "#contract/index.ts";
import { keepsUpWithSpeech } from "#server/models/fit.ts";
import type { Quality, SpeechEngine, Use } from "./engine.ts";

/** Whether a model is faster than speech; undefined when that is not known. */
export function keepsUp({ factor }: Quality): boolean | undefined {
  return factor === undefined ? undefined : keepsUpWithSpeech(factor);
}

/**
 * The engines that support a language, best first: a chosen engine; then engines without figures, such as a remote
 * server, as far as they precede the models; then models by their published word error rates. A model that has too
 * little memory here, or is slower than live speech, comes last.
 * @param engines the available ones, in the default order of preference
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

/**
 * Word error rate assumed for a model without published figures, in percent. It beats the built-in model (12.7):
 * somebody installed it on purpose.
 */
const assumedWordErrors = 12.6;

/** The sort key: smaller is better, and the first difference decides. */
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
