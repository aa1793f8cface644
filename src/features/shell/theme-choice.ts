import { storage } from "#src/browser/storage.ts";
import { themeKey } from "./theme.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The light, dark or system theme, stored in this browser. */
export const themeChoice = {
  get: (): Theme => themes.find((theme) => theme === storage.read(themeKey)) ?? "system",
  set(theme: Theme): void {
    if (theme === "system") storage.remove(themeKey);
    else storage.write(themeKey, theme);
  },
  subscribe: (listener: () => void) => storage.subscribe(themeKey, listener),
};
