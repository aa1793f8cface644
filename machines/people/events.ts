import type { NewPerson, ShareRole } from "#contract/index.ts";

export type PeopleEvent =
  /** The person shares the transcript with somebody. */
  | { type: "offer.requested"; wanted: NewPerson }
  /** Somebody may do less from now on, or more. */
  | { type: "role.chosen"; id: string; role: ShareRole }
  | { type: "withdrawal.requested"; id: string }
  /** The person confirms that it is taken away, or does not. */
  | { type: "withdrawal.confirmed" }
  | { type: "withdrawal.dismissed" }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
export type PeopleEmitted = { type: "transcript.offered" } | { type: "role.changed" } | { type: "share.withdrawn" };
