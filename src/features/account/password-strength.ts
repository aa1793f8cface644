import { createStore, type ReadableStore } from "#src/browser/store.ts";
import type { Scorer } from "./password-scorer.ts";

const known = createStore<Scorer | null>(null);
let isAsked = false;

/** How strong passwords are; null until what is needed for that has come. It is asked for when somebody begins to listen. */
export const scorer: ReadableStore<Scorer | null> = {
  get: known.get,
  subscribe: (listener) => {
    if (!isAsked) {
      isAsked = true;
      load().then(known.set, () => {
        // An aid alone: the server judges. The next field asks again.
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
