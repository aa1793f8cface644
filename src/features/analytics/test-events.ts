import { loadTexts } from "#src/i18n/index.ts";
import { openAnalytics } from "./actor.ts";

/** The machine is there, configured or not, and so are the console's helpers. */
export async function enterTest(): Promise<void> {
  openAnalytics();
  await loadTexts("analytics");
}

/** A dry run is for this page alone. */
export function leaveTest(): void {
  openAnalytics().actor.send({ type: "dryRun.chosen", isOn: false });
}
