import type { ModelChoices, ModelKind, ModelPurpose } from "#contract/index.ts";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";

/** Models that a test installs, removes and chooses in memory; the real ones are in server/models/store.ts. */
export interface InMemoryModels extends InstalledModels {
  install(model: Given): void;
  remove(id: string): void;
  /** Replaces all installed models. */
  replace(all: readonly InstalledModel[]): void;
  choose(choices: Partial<ModelChoices>): void;
  /** Ids of the models held now, oldest first. */
  readonly held: readonly string[];
}

type Given = Pick<InstalledModel, "id"> & Partial<InstalledModel>;

const purposes: Partial<Record<ModelKind, ModelPurpose>> = {
  bergamot: "translation",
  tts: "speaking",
  punctuation: "punctuation",
  speakerSegmentation: "speakers",
  speakerEmbedding: "speakers",
};

/** An installed and tried model with the given properties. */
export function installed(model: Given): InstalledModel {
  const { id, kind = "senseVoice" } = model;
  return {
    folder: `/models/${id}`,
    purpose: purposes[kind] ?? "hearing",
    kind,
    languages: ["en"],
    entry: undefined,
    check: "pinned",
    bytes: 1,
    speed: undefined,
    ...model,
  };
}

export function inMemoryModels(first: readonly InstalledModel[] = [], chosen: Partial<ModelChoices> = {}): InMemoryModels {
  let models = new Map(first.map((model) => [model.id, model]));
  let choices = { ...onlyBuiltIn.choices(), ...chosen };
  const listeners = new Set<() => void>();
  const held: string[] = [];
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    all: () => [...models.values()].sort((one, other) => one.id.localeCompare(other.id, "en")),
    find: (id) => models.get(id),
    choices: () => choices,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold: async (id) => {
      if (!models.has(id)) throw new Error(`No model "${id}" is installed.`);
      held.push(id);
      return { [Symbol.asyncDispose]: async () => void held.splice(held.indexOf(id), 1) };
    },
    noteSpeed: async (id, speed) => {
      const model = models.get(id);
      if (model !== undefined) models.set(id, { ...model, speed });
    },
    install: (model) => {
      models.set(model.id, installed(model));
      changed();
    },
    remove: (id) => {
      models.delete(id);
      changed();
    },
    replace: (all) => {
      models = new Map(all.map((model) => [model.id, model]));
      changed();
    },
    choose: (some) => {
      choices = { ...onlyBuiltIn.choices(), ...some };
      changed();
    },
    held,
  };
}
