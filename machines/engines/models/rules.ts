import type { AdminModel, Installation, InstallationState, ModelPurpose, ModelsAnswer } from "#contract/index.ts";

/** What a person may want of a language; `speakers` is of no language. */
export const uses = ["hearing", "translating", "speaking", "speakers"] as const;
export type Use = (typeof uses)[number];

/** What somebody needs this server for. */
export interface Needs {
  /** Base codes ("de"), in the order in which they were added. */
  languages: readonly string[];
  uses: readonly Use[];
}

/** What of the catalogue is listed. */
export interface ModelFilter {
  purpose: ModelPurpose;
  /** Words of the person; "" for all. */
  search: string;
  /** Base codes; "" for any. Of a translation model its pair, of any other `source` is its language. */
  source: string;
  target: string;
  /** The whole list, not only its beginning. */
  isWhole: boolean;
}

export const initialFilter: ModelFilter = { purpose: "hearing", search: "", source: "", target: "", isWhole: false };

/** Translation goes through this language where there is no direct model. */
const pivot = "en";

const working: readonly InstallationState[] = ["waiting", "downloading", "verifying", "unpacking", "trying"];

/** Whether something is done for it at this moment. */
export const isWorking = ({ installation }: AdminModel): boolean => installation !== null && working.includes(installation.state);

/** Whether it is here, or on its way, or was to come and did not. */
export const isOurs = ({ installed, installation }: AdminModel): boolean =>
  installed !== null || (installation !== null && !["installed", "cancelled"].includes(installation.state));

/** Models that serve one need, to be installed together. */
export interface Suggestion {
  use: Use;
  languages: readonly string[];
  models: readonly AdminModel[];
}

export interface Suggestions {
  found: readonly Suggestion[];
  /** Needed languages without a model, by use. */
  missing: readonly { use: Use; languages: readonly string[] }[];
}

const fits = ({ lacks }: AdminModel): boolean => lacks.length === 0;

/** The first by these conditions, each of which counts more than all that follow it. */
function best(models: readonly AdminModel[], ...conditions: ((model: AdminModel) => number)[]): AdminModel | undefined {
  return models.toSorted((a, b) => conditions.map((score) => score(b) - score(a)).find((difference) => difference !== 0) ?? 0)[0];
}

function modelFor(models: readonly AdminModel[], purpose: ModelPurpose, language: string): AdminModel | undefined {
  const knowing = models.filter((model) => model.purpose === purpose && model.languages.includes(language));
  const recommended = knowing.filter((model) => model.recommendedFor.includes(language));
  return best(
    // What is heard is chosen by published figures, which the server compares; of voices any will do.
    recommended.length > 0 || purpose === "hearing" ? recommended : knowing,
    (model) => Number(model.installed !== null),
    (model) => Number(fits(model)),
  );
}

function modelOfPair(models: readonly AdminModel[], source: string, target: string): AdminModel | undefined {
  return best(
    models.filter(({ pair }) => pair?.source === source && pair.target === target),
    (model) => model.recommendedFor.length,
    (model) => Number(fits(model)),
    (model) => model.comet?.score ?? 0,
  );
}

/** One suggestion for each model, with all languages that it is to serve. */
function byModel(models: readonly AdminModel[], use: Use, purpose: ModelPurpose, languages: readonly string[]): Suggestions {
  const found = new Map<AdminModel, string[]>();
  const missing: string[] = [];
  for (const language of languages) {
    const model = modelFor(models, purpose, language);
    if (model === undefined) missing.push(language);
    else found.set(model, [...(found.get(model) ?? []), language]);
  }
  return {
    found: [...found].map(([model, served]) => ({ use, languages: served, models: [model] })),
    missing: missing.length === 0 ? [] : [{ use, languages: missing }],
  };
}

/** From each language into English and back: what lies between two others goes through it. */
function translating(models: readonly AdminModel[], languages: readonly string[]): Suggestions {
  const use = "translating";
  const pairs = languages
    .filter((language) => language !== pivot)
    .map((language) => ({
      language,
      models: [modelOfPair(models, language, pivot), modelOfPair(models, pivot, language)].filter((model) => model !== undefined),
    }));
  const missing = pairs.filter((pair) => pair.models.length === 0).map(({ language }) => language);
  return {
    found: pairs
      .filter((pair) => pair.models.length > 0)
      .map((pair) => ({ use, languages: [pair.language, pivot], models: pair.models })),
    missing: missing.length === 0 ? [] : [{ use, languages: missing }],
  };
}

/** One model that finds where somebody speaks, and one that knows who it is. */
function speakers(models: readonly AdminModel[]): Suggestions {
  const parts = (["speakerSegmentation", "speakerEmbedding"] as const).map((kind) =>
    best(
      models.filter((model) => model.kind === kind),
      (model) => Number(model.installed !== null),
      (model) => Number(fits(model)),
      (model) => -model.diskBytes,
    ),
  );
  const found = parts.filter((model) => model !== undefined);
  return { found: found.length === 0 ? [] : [{ use: "speakers", languages: [], models: found }], missing: [] };
}

/** What to install for these needs: for each use and language one model, or for translation one for each direction. */
export function suggestionsFor(models: readonly AdminModel[], needs: Needs): Suggestions {
  const ways: Record<Use, () => Suggestions> = {
    hearing: () => byModel(models, "hearing", "hearing", needs.languages),
    translating: () => translating(models, needs.languages),
    speaking: () => byModel(models, "speaking", "speaking", needs.languages),
    speakers: () => speakers(models),
  };
  const all = uses.filter((use) => needs.uses.includes(use)).map((use) => ways[use]());
  return { found: all.flatMap(({ found }) => found), missing: all.flatMap(({ missing }) => missing) };
}

/** Whether it can be installed now: it is not there, and nothing is under way. */
export const isToInstall = ({ installed, installation }: AdminModel): boolean =>
  installed === null && (installation === null || ["installed", "cancelled"].includes(installation.state));

/** Those of the suggestions that are still to be installed, each once. */
export const stillToInstall = (found: readonly Suggestion[]): AdminModel[] => [
  ...new Set(found.flatMap(({ models }) => models).filter(isToInstall)),
];

/** The listed part of the catalogue. @param textOf what the search looks at: names, languages */
export function filtered(
  models: readonly AdminModel[],
  { purpose, search, source, target }: ModelFilter,
  textOf: (model: AdminModel) => string,
): AdminModel[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const [from, to] = model.pair === null ? [model.languages, []] : [[model.pair.source], [model.pair.target]];
    return (
      model.purpose === purpose &&
      (source === "" || from.includes(source)) &&
      (target === "" || model.pair === null || to.includes(target)) &&
      words.every((word) => textOf(model).toLowerCase().includes(word))
    );
  });
}

/** What has become of a model since the last answer. */
export interface ModelNews {
  id: string;
  state: InstallationState | "removed";
}

/** Bytes come every second; only these changes are worth a word. */
const worthAWord: readonly InstallationState[] = ["downloading", "paused", "installed", "failed", "cancelled"];

const stateOf = (model: AdminModel | undefined): InstallationState | null =>
  model?.installation?.state ?? (model?.installed ? "installed" : null);

export function newsBetween(before: ModelsAnswer | null, { models }: ModelsAnswer): ModelNews[] {
  if (before === null) return [];
  const old = new Map(before.models.map((model) => [model.id, model]));
  return models.flatMap((model): ModelNews[] => {
    const [was, is] = [stateOf(old.get(model.id)), stateOf(model)];
    if (was === is) return [];
    if (was === "installed" && is === null) return [{ id: model.id, state: "removed" }];
    return is !== null && worthAWord.includes(is) ? [{ id: model.id, state: is }] : [];
  });
}

/** The answer with the newer state of one model's installation. */
export function withInstallation(answer: ModelsAnswer, id: string, installation: Installation): ModelsAnswer {
  return { ...answer, models: answer.models.map((model) => (model.id === id ? { ...model, installation } : model)) };
}
