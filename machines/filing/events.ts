import type { ExportContent, ExportFormat, ExportLook, FilingAnswer } from "#contract/index.ts";
import type { FilingEdit, Placing } from "./rules.ts";

export type FilingEvent =
  /** From the event stream: all current folders and tags. */
  | { type: "filing.received"; filing: FilingAnswer }
  /** The person saves or deletes a folder or a tag. */
  | { type: "edit.requested"; edit: FilingEdit }
  /** The form is opened or left: an earlier failure is no longer shown. */
  | { type: "failure.dismissed" }
  | { type: "reload.requested" }
  /** The device woke, or the network is back (sent by the actor `wakeUps`). */
  | { type: "page.resumed" };

/** Emitted to the form. */
export type FilingEmitted = { type: "edit.saved"; edit: FilingEdit; id: string };

/** Actions on many rows. */
export type BulkEvent =
  | { type: "placing.requested"; ids: readonly string[]; placing: Placing }
  | { type: "archive.requested"; ids: readonly string[]; format: ExportFormat; content?: ExportContent; look?: ExportLook };

/** Emitted to the list and the toasts. */
export type BulkEmitted =
  | { type: "rows.placed"; ids: readonly string[]; placing: Placing }
  /** `count` rows are unchanged. */
  | { type: "placing.failed"; count: number; code: string }
  | { type: "archive.failed"; code: string };
