import type { NewSharedLink, SharedLink, SharedLinkChange } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { Switches } from "./rules.ts";

export type SharingEvent =
  /** The person chooses the content of a new link. */
  | { type: "draft.changed"; change: Switches }
  /** The person copies the address of a new link, or of an existing one. */
  | { type: "creation.submitted"; draft: NewSharedLink }
  | { type: "copy.requested"; id: string }
  /** The person changes the content of a link. */
  | { type: "switch.toggled"; id: string; change: Switches }
  /** The person submits the form with a link's name, expiry and passphrase. */
  | { type: "details.submitted"; id: string; change: SharedLinkChange }
  | { type: "removal.requested"; id: string }
  /** The person confirms that a link is revoked, or cancels. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" }
  | LoadingEvent;

/** The input of the actor `perform`. */
export type SharingRequest =
  | { kind: "create"; draft: NewSharedLink }
  | { kind: "copy"; id: string }
  | { kind: "switch"; id: string; change: Switches }
  | { kind: "details"; id: string; change: SharedLinkChange }
  | { kind: "revoke"; id: string };

/** The result. `uncopied`: the address, if the browser refused to copy it. */
export type SharingOutcome =
  | { kind: "created"; link: SharedLink; uncopied: string | null }
  | { kind: "copied"; uncopied: string | null }
  | { kind: "saved"; link: SharedLink }
  | { kind: "revoked" };

/** Events for the page. */
export type SharingEmitted = { type: "link.copied" } | { type: "details.saved" } | { type: "link.revoked" };
