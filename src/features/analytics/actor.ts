import { pageRouter } from "#src/browser/page-router.ts";
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
