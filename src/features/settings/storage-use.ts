import type { StorageUse } from "#contract/index.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { button, type Part } from "#src/features/account/part.ts";

/** Storage used on the server; null until known, and where the server does not report it (SPEC.md has no such call). */
export interface Stored extends ReadableStore<StorageUse | null> {
  /** Loads it. A failure is not shown. */
  ask: Part;
}

export function createStored(api: SettingsApi): Stored {
  const known = createStore<StorageUse | null>(null);
  const ask = button(async (signal) => {
    known.set(await api.stored(signal));
    return { kind: "done" };
  });
  return { get: known.get, subscribe: known.subscribe, ask };
}
