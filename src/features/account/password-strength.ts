import { createStore, type ReadableStore } from "#src/browser/store.ts";
import type { Scorer } from "./password-scorer.ts";

const known = createStore<Scorer | null>(null);
let isAsked = false;

/** Scores passwords. Null until the scorer is loaded, which begins with the first subscription. */
export const scorer: ReadableStore<Scorer | null> = {
  get: known.get,
  subscribe: (listener) => {
    if (!isAsked) {
      isAsked = true;
      load().then(known.set, () => {
        // A failed download is ignored, because the score is only a hint. The next field tries again.
        isAsked = false;
      });
    }
    return known.subscribe(listener);
  },
};

async function load(): Promise<Scorer> {
  const [{ createScorer }, passwords] = await Promise.all([import("./password-scorer.ts"), import("virtual:common-passwords")]);
  return createScorer(passwords.default);
}
