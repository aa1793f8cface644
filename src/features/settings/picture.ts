import { createStore, type ReadableStore } from "#src/browser/store.ts";
import type { Part } from "#src/features/account/part.ts";
import { picturePart, pictureProblem, type SettingsEnvironment } from "./forms.ts";

/** The chosen picture, not uploaded yet. */
interface ChosenPicture {
  file: File | null;
  /** The preview's URL; "" without one. */
  url: string;
  /** Why a picture is rejected: a key of the locale files. */
  problem: string | null;
}

export interface Picture extends Part {
  chosen: ReadableStore<ChosenPicture>;
  choose(file: File | null): void;
  unreadable(): void;
}

const nobody: ChosenPicture = { file: null, url: "", problem: null };

export function createPicture(environment: SettingsEnvironment): Picture {
  const chosen = createStore(nobody);
  const set = (next: ChosenPicture) => {
    URL.revokeObjectURL(chosen.get().url);
    chosen.set(next);
  };
  const part = picturePart(environment, { get: () => chosen.get().file, clear: () => set(nobody) });
  return {
    ...part,
    chosen,
    choose: (file) => {
      part.clearMessage();
      if (file === null) return set(nobody);
      const problem = pictureProblem(file) ?? null;
      set(problem === null ? { file, url: URL.createObjectURL(file), problem } : { ...nobody, problem });
    },
    unreadable: () => set({ ...nobody, problem: "settings:picture.unreadable" }),
    stop: () => {
      part.stop();
      set(nobody);
    },
  };
}
