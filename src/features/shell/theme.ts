import { storage } from "#src/browser/storage.ts";

/** Of the browser's storage: "light" or "dark"; nothing while the device decides (src/ui/tokens.css). */
export const themeKey = "theme";

const follow = () => {
  document.documentElement.dataset.theme = storage.read(themeKey) ?? "";
};
/** Before the first paint; and when it is chosen, here or in another tab. */
export function followTheme(): void {
  follow();
  storage.subscribe(themeKey, follow);
}
