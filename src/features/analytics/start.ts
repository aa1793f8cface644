import { selectConsent } from "#machines/analytics/selectors.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { openAnalytics } from "./actor.ts";

/** Starts the analytics if the user has agreed. Asks for consent if the user has not decided yet. */
export async function startTracking(): Promise<void> {
  const analytics = openAnalytics();
  if (selectConsent(analytics.actor.getSnapshot()) !== "undecided") return;
  const [{ showBanner }] = await Promise.all([import("./banner.tsx"), loadTexts("analytics")]);
  showBanner(analytics);
}
