import type { SnapshotFrom } from "xstate";
import type { Insight, InsightKind, InsightModel, InsightProgress, InsightRequest, Point } from "#contract/index.ts";
import type { insightsMachine } from "./machine.ts";

type Snapshot = SnapshotFrom<typeof insightsMachine>;

export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.hasTag("loading");
/** Why loading failed; null if it did not. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("unloaded") ? snapshot.context.loadError : null;
/** null: no language model is set up. */
export const selectModel = (snapshot: Snapshot): InsightModel | null => snapshot.context.model;
export const selectInsights = (snapshot: Snapshot): readonly Insight[] => snapshot.context.insights;
/** The result whose deletion needs a confirmation; null for none. */
export const selectAsked = (snapshot: Snapshot): string | null =>
  snapshot.matches({ ready: { deletion: "asking" } }) ? snapshot.context.asked : null;
export const selectIsMaking = (snapshot: Snapshot): boolean => snapshot.hasTag("making");
export const selectRequest = (snapshot: Snapshot): InsightRequest | null => snapshot.context.request;
export const selectProgress = (snapshot: Snapshot): InsightProgress | null => snapshot.context.progress;
export const selectPoints = (snapshot: Snapshot): readonly Point[] => snapshot.context.points;
/** Why the last request failed. */
export const selectFailure = (snapshot: Snapshot): string | null => (snapshot.hasTag("failed") ? snapshot.context.failure : null);

/** The state of the last request of this kind; null for none. */
export function selectPhase(snapshot: Snapshot, kind: InsightKind): "making" | "stopped" | "failed" | "made" | null {
  if (snapshot.context.request?.kind !== kind) return null;
  return (["making", "stopped", "failed", "made"] as const).find((phase) => snapshot.hasTag(phase)) ?? null;
}
/** When the server allows the next request: epoch ms; null if it did not say. */
export const selectAskableAt = (snapshot: Snapshot): number | null => snapshot.context.until;
