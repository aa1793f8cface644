import type { ModelChoices, ModelKind, ModelPurpose } from "#contract/index.ts";
import { type InstalledModel, type InstalledModels, noModels } from "#server/models/model.ts";

/** Models that a test installs, removes and chooses among at once; the real ones are in server/models/store.ts. */
export interface InMemoryModels extends InstalledModels {
  install(model: Partial<InstalledModel> & { id: string; folder: string; kind: ModelKind }): void;
  remove(id: string): void;
  choose(choices: Partial<ModelChoices>): void;
  /** The ids of what is held now. */
  readonly held: readonly string[];
}

const purposes: Partial<Record<ModelKind, ModelPurpose>> = { bergamot: "translation", tts: "speaking" };

export function inMemoryModels(): InMemoryModels {
  const models = new Map<string, InstalledModel>();
  const listeners = new Set<() => void>();
  const held: string[] = [];
  let choices = noModels.choices();
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
    noteSpeed: async () => undefined,
    install: (model) => {
      const purpose = purposes[model.kind] ?? "hearing";
      models.set(model.id, { purpose, languages: [], entry: undefined, check: "none", bytes: 1, speed: undefined, ...model });
      changed();
    },
    remove: (id) => {
      models.delete(id);
      changed();
    },
    choose: (some) => {
      choices = { ...noModels.choices(), ...some };
      changed();
    },
    held,
  };
}
