import { storage } from "#src/browser/storage.ts";

/** Storage key: "light" or "dark"; absent while the device decides (src/ui/tokens.css). */
export const themeKey = "theme";

const follow = () => {
  document.documentElement.dataset.theme = storage.read(themeKey) ?? "";
};
/** Applies the theme before the first paint, and when it changes, here or in another tab. */
export function followTheme(): void {
  follow();
  storage.subscribe(themeKey, follow);
}
