import { pageRouter } from "#src/browser/page-router.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { exposeHelpers } from "./console-helpers.ts";
import { type Analytics, createAnalytics } from "./create-analytics.ts";

let open: Analytics | undefined;

/** The page's analytics, created on first use; lives as long as the page. */
export function openAnalytics(): Analytics {
  if (open !== undefined) return open;
  open = createAnalytics(pageRouter());
  exposeHelpers(open);
  return open;
}

/** The machine exists with or without configuration, and so do the console's helpers. */
export async function enterTest(): Promise<void> {
  openAnalytics();
  await loadTexts("analytics");
}

/** A dry run affects this page only. */
export function leaveTest(): void {
  openAnalytics().actor.send({ type: "dryRun.chosen", isOn: false });
}
