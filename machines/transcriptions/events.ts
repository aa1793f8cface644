import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";

export type TranscriptionsEvent =
  /** The dashboard was opened, or retries after a failure. */
  | { type: "list.requested" }
  | { type: "more.requested" }
  /** The order in the address. */
  | { type: "order.changed"; sort: HistorySort }
  /** The person selects all rows, including those that are not loaded yet. */
  | { type: "all.requested" }
  /** A row was opened. */
  | { type: "selection.changed"; id: string | null }
  | { type: "retry.requested"; id: string }
  | { type: "unsavedRetry.requested" }
  /** From the event stream, the recorder or the uploads. */
  | { type: "transcription.updated"; transcription: TranscriptionSummary }
  /** A deletion failed or was undone. */
  | { type: "transcriptions.returned"; transcriptions: readonly TranscriptionSummary[] }
  /** A deletion has begun: the rows are removed at once. */
  | { type: "transcriptions.removed"; ids: readonly string[] }
  /** Rows that this list doesn't know were restored. */
  | { type: "list.outdated" }
  /** The actor `commands`. */
  | { type: "command.failed"; command: TranscriptionsCommand["type"]; code: string };

export type TranscriptionsCommand =
  /** Retries a failed transcription. */
  | { type: "retry.requested"; id: string }
  /** Saves pending changes in the browser. */
  | { type: "save.requested" };

/** Emitted to the rest of the page. */
export type TranscriptionsEmitted = { type: "command.failed"; command: TranscriptionsCommand["type"]; code: string };
