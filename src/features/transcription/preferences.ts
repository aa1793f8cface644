import * as v from "valibot";
import { storage } from "#src/browser/storage.ts";
import { createStore } from "#src/browser/store.ts";

const key = "transcriptPreferences";
const Preferences = v.object({
  /** Which texts of a transcript with a translation are shown. */
  view: v.fallback(v.picklist(["original", "both", "translation"]), "both"),
  /** Resuming after a pause starts a second earlier. */
  rewinds: v.fallback(v.boolean(), true),
});
export type TranscriptPreferences = v.InferOutput<typeof Preferences>;

const persisted = v.safeParse(v.pipe(v.string(), v.parseJson(), Preferences), storage.read(key));
const store = createStore<TranscriptPreferences>(persisted.success ? persisted.output : v.parse(Preferences, {}));

/** A person's preferences for transcripts, in this browser. */
export const transcriptPreferences = {
  get: store.get,
  subscribe: store.subscribe,
  choose(part: Partial<TranscriptPreferences>): void {
    store.set({ ...store.get(), ...part });
    storage.write(key, JSON.stringify(store.get()));
  },
};
