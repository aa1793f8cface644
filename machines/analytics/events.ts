import type { ConsentChoice, EventParams } from "./rules.ts";

export type AnalyticsEvent =
  /** The person, here or in another tab; null: what was chosen is forgotten. */
  | { type: "consent.chosen"; choice: ConsentChoice | null }
  /** The person on /analytics-test: events are shown, and go nowhere. */
  | { type: "dryRun.chosen"; isOn: boolean }
  /** The actor `watch`: a sign of life. */
  | { type: "activity.noticed" }
  /** The actor `watch`: the page is out of sight, or back in it. */
  | { type: "page.hidden" }
  | { type: "page.shown" }
  /** The actor `watch`: the pattern of the route that is shown ("/transcription/$id"). */
  | { type: "route.changed"; path: string }
  /** The actor `watch`, or the area on /analytics-test: so much of the page has been in sight. */
  | { type: "scrolled"; percent: number }
  /** A developer. */
  | { type: "event.requested"; name: string; params: EventParams }
  | { type: "pageView.requested" }
  | { type: "heartbeat.requested" }
  /** The actor `tag`: the script is there, or will not come. */
  | { type: "tag.loaded" }
  | { type: "tag.failed" };
