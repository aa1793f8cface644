import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";

/** Sizes for the open sidebar, the folded one, and a phone (SPEC.md section 9, layout breakpoints). */
const sizes = [
  { width: 1800, height: 1100 },
  { width: 1200, height: 800 },
  { width: 390, height: 844 },
] as const;
const schemes = ["light", "dark"] as const;
const folder = fileURLToPath(new URL("../../.tmp/screenshots/", import.meta.url));

/**
 * Takes screenshots of the page at three widths in light and dark, and restores the window. Files:
 * .tmp/screenshots/{name}-{width}-{scheme}.png. For people only, so it does nothing unless SCREENSHOTS is set.
 */
export async function screenshots(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  await mkdir(folder, { recursive: true });
  const before = page.viewportSize();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const size of sizes) {
      await page.setViewportSize(size);
      const path = join(folder, `${name}-${size.width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage, animations: "disabled" });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  // The colours change after a moment; until then axe would report a low contrast.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  if (before !== null) await page.setViewportSize(before);
}
