import type { ModelChoices } from "#contract/index.ts";
import { type InstalledModel, type InstalledModels, noModels } from "#server/models/model.ts";

export interface TestModels extends InstalledModels {
  /** What is installed from now on, and what is chosen. */
  change(all: readonly InstalledModel[], choices?: Partial<ModelChoices>): void;
  /** Who holds models now: their ids. */
  held(): string[];
}

/** Installed models in memory. */
export function testModels(first: readonly InstalledModel[] = [], choices: Partial<ModelChoices> = {}): TestModels {
  let all = first;
  let chosen = { ...noModels.choices(), ...choices };
  const listeners = new Set<() => void>();
  const holds = new Set<{ id: string }>();
  return {
    all: () => all,
    find: (id) => all.find((model) => model.id === id),
    choices: () => chosen,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold: async (id) => {
      if (!all.some((model) => model.id === id)) throw new Error(`No model "${id}" is installed.`);
      const hold = { id };
      holds.add(hold);
      return { [Symbol.asyncDispose]: async () => void holds.delete(hold) };
    },
    noteSpeed: async (id, speed) => {
      all = all.map((model) => (model.id === id ? { ...model, speed } : model));
    },
    change: (models, changed = {}) => {
      all = models;
      chosen = { ...chosen, ...changed };
      for (const listener of listeners) listener();
    },
    held: () => [...holds].map(({ id }) => id),
  };
}

/** An installed model that was tried, with what a test says of it. */
export function installed(model: Pick<InstalledModel, "id"> & Partial<InstalledModel>): InstalledModel {
  return {
    folder: `/models/${model.id}`,
    purpose: "hearing",
    kind: "senseVoice",
    languages: ["en"],
    entry: undefined,
    check: "pinned",
    bytes: 1_000_000,
    speed: undefined,
    ...model,
  };
}
