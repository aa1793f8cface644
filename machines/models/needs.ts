import { type AdminModel, type ModelPurpose, speechLanguages } from "#contract/index.ts";
import { isOurs, isToInstall } from "./rules.ts";

/** What people may need from this server, in the order of the page. */
export const needIds = ["english", "otherLanguages", "speakers", "translation", "voices"] as const;
export type NeedId = (typeof needIds)[number];

/** A need, and the models that meet it or should be installed for it. */
export interface Need {
  id: NeedId;
  /** Base codes of the languages that `models` serve; empty for speakers. */
  languages: readonly string[];
  /** Empty: no model serves it on this machine. */
  models: readonly AdminModel[];
  isMet: boolean;
}

/** Translation goes through this language if there is no direct model. */
const pivot = "en";
const spoken = [...new Set(speechLanguages.filter((code) => code !== "auto").map((code) => code.slice(0, 2)))];
const other = spoken.filter((language) => language !== pivot);

const isUsable = ({ installed }: AdminModel): boolean => installed !== null && installed.fault === null;
/** On its way, or paused, or failed: it stays the answer to its need. */
const isUnderWay = (model: AdminModel): boolean => model.installed === null && isOurs(model);
const isBuiltIn = ({ installed }: AdminModel): boolean => installed?.source === "builtIn";

/** The first by these scores, each of which counts more than all that follow it. */
function best(models: readonly AdminModel[], ...scores: ((model: AdminModel) => number)[]): AdminModel | undefined {
  return models.toSorted((a, b) => scores.map((score) => score(b) - score(a)).find((difference) => difference !== 0) ?? 0)[0];
}

/** Languages without a model are served by the model that is recommended for most of them. */
function serving(models: readonly AdminModel[], id: NeedId, wanted: readonly string[]): Need {
  const isServed = (language: string) => models.some((model) => isUsable(model) && model.languages.includes(language));
  const missing = wanted.filter((language) => !isServed(language));
  const gain = (model: AdminModel) => {
    const { languages, recommendedFor } = model;
    return missing.filter((language) => (isUnderWay(model) ? languages : recommendedFor).includes(language)).length;
  };
  const next = best(
    models.filter((model) => gain(model) > 0),
    (model) => Number(isUnderWay(model)),
    gain,
  );
  if (next !== undefined) {
    return { id, languages: missing.filter((language) => next.languages.includes(language)), models: [next], isMet: false };
  }
  const here = models.filter((model) => isUsable(model) && wanted.some((language) => model.languages.includes(language)));
  return { id, languages: wanted.filter(isServed), models: here, isMet: here.length > 0 };
}

const forPurpose = (models: readonly AdminModel[], purpose: ModelPurpose) => models.filter((model) => model.purpose === purpose);

/** English is recognized anyway: only a model with fewer published errors than the built-in one's counts. */
function english(models: readonly AdminModel[]): Need {
  const most = models.find(isBuiltIn)?.wordErrors?.percent ?? 100;
  const better = forPurpose(models, "hearing").filter(
    (model) => !isBuiltIn(model) && model.wordErrors !== null && model.wordErrors.percent < most,
  );
  return serving(better, "english", [pivot]);
}

/** Every part is needed. For each part: the installed model, else the best one that fits. */
function together(id: NeedId, languages: readonly string[], parts: readonly (readonly AdminModel[])[]): Need {
  const models = parts.flatMap(
    (part) =>
      best(
        part,
        (model) => Number(model.installed !== null),
        (model) => Number(isUnderWay(model)),
        (model) => Number(model.lacks.length === 0),
        (model) => model.comet?.score ?? 0,
        (model) => -model.diskBytes,
      ) ?? [],
  );
  return { id, languages, models, isMet: models.length > 0 && models.every(isUsable) };
}

/** From English into a language, and back. */
function translation(models: readonly AdminModel[], language: string): Need {
  const into = models.filter(({ pair }) => pair?.source === pivot && pair.target === language);
  const back = models.filter(({ pair }) => pair?.source === language && pair.target === pivot);
  return together("translation", [language], into.length === 0 ? [] : [into, back]);
}

/** One model detects speech, another identifies the speaker. */
const speakers = (models: readonly AdminModel[]): Need =>
  together(
    "speakers",
    [],
    [models.filter(({ kind }) => kind === "speakerSegmentation"), models.filter(({ kind }) => kind === "speakerEmbedding")],
  );

/**
 * All needs, with the models that serve them on this machine. @param translatesInto base code of the language for
 * `translation`
 */
export function needsOf(models: readonly AdminModel[], translatesInto: string): readonly Need[] {
  const ways: Record<NeedId, () => Need> = {
    english: () => english(models),
    otherLanguages: () => serving(forPurpose(models, "hearing"), "otherLanguages", other),
    speakers: () => speakers(models),
    translation: () => translation(models, translatesInto),
    voices: () => serving(forPurpose(models, "speaking"), "voices", spoken),
  };
  return needIds.map((id) => ways[id]());
}

/** The models that still must be installed for a need. */
export const stillToInstall = ({ models }: Need): AdminModel[] => models.filter(isToInstall);

/** Base codes of the languages that a model translates from English into. */
export const translatable = (models: readonly AdminModel[]): string[] => [
  ...new Set(models.flatMap(({ pair }) => (pair?.source === pivot ? pair.target : []))),
];
