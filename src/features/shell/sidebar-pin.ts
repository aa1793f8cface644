import { storage } from "#src/browser/storage.ts";

const pinKey = "sidebar";

/** Whether the sidebar stays open beside the page in this browser, between 780 px and 1750 px. */
export const sidebarPin = {
  get: (): boolean => storage.read(pinKey) === "pinned",
  set(isPinned: boolean): void {
    if (isPinned) storage.write(pinKey, "pinned");
    else storage.remove(pinKey);
  },
  subscribe: (listener: () => void) => storage.subscribe(pinKey, listener),
};
