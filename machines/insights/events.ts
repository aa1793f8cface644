import type { InsightMaking, InsightRequest, TaskChange } from "#contract/index.ts";

export type InsightsEvent =
  /** From the server while a model reads. */
  | InsightMaking
  /** The person requests a summary, tasks, chapters, or an answer. */
  | { type: "insight.requested"; request: InsightRequest }
  /** The person stops the result; what has arrived stays on the page. */
  | { type: "stop.requested" }
  /** The person ticks off or corrects a task. */
  | { type: "task.changed"; insight: string; change: TaskChange }
  /** The person deletes a result, and confirms or dismisses it. */
  | { type: "deletion.requested"; insight: string }
  | { type: "deletion.confirmed" }
  | { type: "deletion.cancelled" }
  /** Raised by the machine itself. */
  | { type: "insight.removed"; insight: string }
  /** The person retries loading. */
  | { type: "reload.requested" };

/** Emitted to the page. */
export type InsightsEmitted =
  /** A change could not be saved: the page shows the server's state. */
  { type: "change.failed"; code: string };

/** A change of a stored result to be saved: a task's new state, or null for a deletion. */
export interface InsightChange {
  insight: string;
  change: TaskChange | null;
}
