import type { WatchedMachine } from "./rules.ts";

export type InspectorEvent =
  /** An inspected page: a machine was made, has moved, or is gone with its tab. */
  | { type: "machines.changed"; machines: readonly WatchedMachine[] }
  /** The person. */
  | { type: "machine.chosen"; sessionId: string }
  /** An event in the log (`Happening.id`); undefined: the newest one, and later ones as they come. */
  | { type: "step.chosen"; step: number | undefined }
  /** @property path of the state (`pathKey`) */
  | { type: "state.toggled"; path: string; isUnfolded: boolean }
  | { type: "everything.opened" }
  /** Back to the active branch alone. */
  | { type: "everything.folded" }
  | { type: "search.changed"; term: string }
  /** Retries the layout after a failure. */
  | { type: "layout.requested" };
