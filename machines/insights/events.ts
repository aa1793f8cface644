import type { InsightMaking, InsightRequest, TaskChange } from "#contract/index.ts";

export type InsightsEvent =
  /** From the server while a model reads. */
  | InsightMaking
  /** The person wants a summary, tasks, chapters, or an answer. */
  | { type: "insight.requested"; request: InsightRequest }
  /** The person has read enough; what came stays on the page. */
  | { type: "stop.requested" }
  /** The person ticks a task off, or corrects it. */
  | { type: "task.changed"; insight: string; change: TaskChange }
  /** The person deletes a result, and confirms it or not. */
  | { type: "deletion.requested"; insight: string }
  | { type: "deletion.confirmed" }
  | { type: "deletion.cancelled" }
  /** Raised by the machine itself. */
  | { type: "insight.removed"; insight: string }
  /** The person tries again after a failure to load. */
  | { type: "reload.requested" };

/** Emitted to the page. */
export type InsightsEmitted =
  /** A change could not be saved: the page shows what the server has. */
  { type: "change.failed"; code: string };

/** Of a stored result, to be saved: a task as it becomes, or null for a deletion. */
export interface InsightChange {
  insight: string;
  change: TaskChange | null;
}
