import type { AnalyticsSession, ConsentChoice, EventParams } from "./rules.ts";

export type AnalyticsEvent =
  /** The person, here or in another tab; null clears the choice. */
  | { type: "consent.chosen"; choice: ConsentChoice | null }
  /** The person on /analytics-test: events are shown, but not sent. */
  | { type: "dryRun.chosen"; isOn: boolean }
  /** The actor `watch`: user activity. `persisted`: the session that this browser stores, also of another tab. */
  | { type: "activity.noticed"; persisted: AnalyticsSession | null }
  /** The actor `watch`: the page became hidden, or visible again. */
  | { type: "page.hidden" }
  | { type: "page.shown" }
  /** The actor `watch`: the pattern of the current route ("/transcription/$id"). */
  | { type: "route.changed"; path: string }
  /** The actor `watch`, or the area on /analytics-test: the depth of the page that has been visible. */
  | { type: "page.scrolled"; percent: number }
  /** A developer. */
  | { type: "event.requested"; name: string; params: EventParams }
  | { type: "pageView.requested" }
  | { type: "heartbeat.requested" }
  /** The actor `tag`: the script has loaded, or failed to load. */
  | { type: "tag.loaded" }
  | { type: "tag.failed" };
