import { selectConsent } from "#machines/analytics/machine.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { openAnalytics } from "./actor.ts";

/** Begins to measure for who has agreed; asks who has not been asked. */
export async function startTracking(): Promise<void> {
  const analytics = openAnalytics();
  if (selectConsent(analytics.actor.getSnapshot()) !== "undecided") return;
  const [{ showBanner }] = await Promise.all([import("./banner.tsx"), loadTexts("analytics")]);
  showBanner(analytics);
}
