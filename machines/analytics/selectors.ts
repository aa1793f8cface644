import type { SnapshotFrom } from "xstate";
import type { analyticsMachine } from "./machine.ts";
import { type AnalyticsSession, type Consent, consents } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof analyticsMachine>;

/** A transient state of the machine counts as undecided. */
export const selectConsent = (snapshot: Snapshot): Consent => consents.find((state) => snapshot.hasTag(state)) ?? "undecided";

/** The state of the operator's script: "none" without consent. */
export function selectTag(snapshot: Snapshot): "none" | "loading" | "loaded" | "failed" {
  const { consent } = snapshot.value;
  return typeof consent === "object" && "agreed" in consent && consent.agreed !== undefined ? consent.agreed : "none";
}

/** The state of the session's location lookup; "none" without a session. */
export function selectPlaceState(snapshot: Snapshot): "none" | "asking" | "settled" | "unknown" {
  if (snapshot.hasTag("place.asking")) return "asking";
  if (snapshot.hasTag("place.unknown")) return "unknown";
  return snapshot.context.session === null ? "none" : "settled";
}

/** The same object until the next activity. */
export const selectSession = (snapshot: Snapshot): AnalyticsSession | null => snapshot.context.session;
export const selectIsDry = (snapshot: Snapshot): boolean => snapshot.context.isDry;
export const selectIsMeasuring = (snapshot: Snapshot): boolean => snapshot.matches({ measuring: "on" });
export const selectPath = (snapshot: Snapshot): string => snapshot.context.path;
/** The same array until the next mark is reached. */
export const selectMarks = (snapshot: Snapshot): readonly number[] => snapshot.context.marks;
