import { type PageStorage, storage } from "#src/browser/storage.ts";

const key = "singleKeys";

/** Whether keys without Alt or Ctrl do something, in this browser (WCAG 2.1.4 asks for a way to switch them off). */
export function createSingleKeys(page: PageStorage) {
  // It was one of the preferences for transcripts: who has switched them off there is not to record by a letter now.
  const isOffSince = page.read(key) === null && page.read("transcriptPreferences")?.includes('"singleKeys":false');
  if (isOffSince) page.write(key, "off");
  return {
    get: (): boolean => page.read(key) !== "off",
    set: (isOn: boolean): void => void page.write(key, isOn ? "on" : "off"),
    subscribe: (listener: () => void) => page.subscribe(key, listener),
  };
}

export const singleKeys = createSingleKeys(storage);
