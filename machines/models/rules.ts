import type { AdminModel, Installation, InstallationState, ModelPurpose, ModelsAnswer } from "#contract/index.ts";
import { folded } from "#contract/search/terms.ts";

/** The filter of the catalog. */
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

const working: readonly InstallationState[] = ["waiting", "downloading", "verifying", "unpacking", "trying"];

/** Whether something is done for it at this moment. */
export const isWorking = ({ installation }: AdminModel): boolean => installation !== null && working.includes(installation.state);

/** Whether it is here, or on its way, or was to come and did not. */
export const isOurs = ({ installed, installation }: AdminModel): boolean =>
  installed !== null || (installation !== null && !["installed", "cancelled"].includes(installation.state));

/** Whether it can be installed now: it is not there, and nothing is under way. */
export const isToInstall = ({ installed, installation }: AdminModel): boolean =>
  installed === null && (installation === null || ["installed", "cancelled"].includes(installation.state));

/** The listed part of the catalogue. @param textOf what the search looks at: names, languages */
export function filtered(
  models: readonly AdminModel[],
  { purpose, search, source, target }: ModelFilter,
  textOf: (model: AdminModel) => string,
): AdminModel[] {
  const words = folded(search).split(" ").filter(Boolean);
  return models.filter((model) => {
    const [from, to] = model.pair === null ? [model.languages, []] : [[model.pair.source], [model.pair.target]];
    return (
      model.purpose === purpose &&
      (source === "" || from.includes(source)) &&
      (target === "" || model.pair === null || to.includes(target)) &&
      words.every((word) => folded(textOf(model)).includes(word))
    );
  });
}

/** What happened to a model since the last answer. */
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
