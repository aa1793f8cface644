import * as v from "valibot";
import { storage } from "#src/browser/storage.ts";
import { createStore } from "#src/browser/store.ts";

const key = "transcriptPreferences";
const Preferences = v.object({
  /** What is shown of a transcript that has a translation. */
  view: v.fallback(v.picklist(["original", "both", "translation"]), "both"),
  /** Playing again after a pause begins a second before it. */
  rewinds: v.fallback(v.boolean(), true),
  /** Keys without Alt or Ctrl do something: the space bar and "?". */
  singleKeys: v.fallback(v.boolean(), true),
});
export type TranscriptPreferences = v.InferOutput<typeof Preferences>;

const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Preferences), storage.read(key));
const store = createStore<TranscriptPreferences>(kept.success ? kept.output : v.parse(Preferences, {}));

/** How somebody likes to work with transcripts, in this browser. */
export const transcriptPreferences = {
  get: store.get,
  subscribe: store.subscribe,
  choose(part: Partial<TranscriptPreferences>): void {
    store.set({ ...store.get(), ...part });
    storage.write(key, JSON.stringify(store.get()));
  },
};
