import { selectConsent } from "../../../machines/analytics.ts";
import { openAnalytics } from "../../app/analytics.ts";
import { loadTexts } from "../../i18n/index.ts";

/** Begins to measure for who has agreed; asks who has not been asked. */
export async function startTracking(): Promise<void> {
  const analytics = openAnalytics();
  if (selectConsent(analytics.actor.getSnapshot()) !== "undecided") return;
  const [{ showBanner }] = await Promise.all([import("./banner.tsx"), loadTexts("tracking")]);
  showBanner(analytics);
}
