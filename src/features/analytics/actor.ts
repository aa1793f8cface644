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

/** Opens the test page. The machine and the console helpers exist even without a configuration. */
export async function enterTest(): Promise<void> {
  openAnalytics();
  await loadTexts("analytics");
}

/** Leaves the test page. Ends the dry run, which affects this page only. */
export function leaveTest(): void {
  openAnalytics().actor.send({ type: "dryRun.chosen", isOn: false });
}
