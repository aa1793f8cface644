import * as v from "valibot";
import { createStore } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";

const Preferences = v.object({
  /** Which texts of a translated transcript are visible. */
  view: v.fallback(v.picklist(["original", "both", "translation"]), "both"),
  /** Whether resuming after a pause starts a second earlier. */
  rewinds: v.fallback(v.boolean(), true),
});
export type TranscriptPreferences = v.InferOutput<typeof Preferences>;

const kept = stored<TranscriptPreferences>("transcriptPreferences", Preferences);
const store = createStore(kept.read() ?? v.parse(Preferences, {}));

/** The user's preferences for transcripts, stored in this browser. */
export const transcriptPreferences = {
  get: store.get,
  subscribe: store.subscribe,
  choose(part: Partial<TranscriptPreferences>): void {
    store.set({ ...store.get(), ...part });
    kept.keep(store.get());
  },
};
