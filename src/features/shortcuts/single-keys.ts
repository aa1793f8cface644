import { type PageStorage, storage } from "#src/browser/storage.ts";

const key = "singleKeys";

/** Whether keys without Alt or Ctrl are enabled, in this browser. WCAG 2.1.4 requires a way to turn them off. */
export function createSingleKeys(page: PageStorage) {
  // The setting used to be one of the transcript preferences. A user who has turned it off there must not start a
  // recording with a letter now.
  const isOffSince = page.read(key) === null && page.read("transcriptPreferences")?.includes('"singleKeys":false');
  if (isOffSince) page.write(key, "off");
  return {
    get: (): boolean => page.read(key) !== "off",
    set: (isOn: boolean): void => void page.write(key, isOn ? "on" : "off"),
    subscribe: (listener: () => void) => page.subscribe(key, listener),
  };
}

export const singleKeys = createSingleKeys(storage);
