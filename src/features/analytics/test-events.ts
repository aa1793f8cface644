import { loadTexts } from "#src/i18n/index.ts";
import { openAnalytics } from "./actor.ts";

/** The machine exists with or without configuration, and so do the console's helpers. */
export async function enterTest(): Promise<void> {
  openAnalytics();
  await loadTexts("analytics");
}

/** A dry run affects this page only. */
export function leaveTest(): void {
  openAnalytics().actor.send({ type: "dryRun.chosen", isOn: false });
}
