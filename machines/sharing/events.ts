import type { NewSharedLink, SharedLinkChange } from "#contract/index.ts";

export type SharingEvent =
  /** The person wants a new link: its form opens, is sent, or is given up. */
  | { type: "new.requested" }
  | { type: "creation.requested"; wanted: NewSharedLink }
  | { type: "form.dismissed" }
  /** The person has kept the new link's address. */
  | { type: "address.dismissed" }
  /** The form of a link that there is opens, or is sent. */
  | { type: "editing.requested"; id: string }
  | { type: "change.requested"; change: SharedLinkChange }
  | { type: "revocation.requested"; id: string }
  /** The person confirms the revocation, or does not. */
  | { type: "revocation.confirmed" }
  | { type: "revocation.dismissed" }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
export type SharingEmitted = { type: "link.changed" } | { type: "link.revoked" };
