import type { NewSharedLink, SharedLink, SharedLinkChange } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { Switches } from "./rules.ts";

export type SharingEvent =
  /** The person chooses what a link shows that there is not yet. */
  | { type: "draft.changed"; change: Switches }
  /** The person copies the address of a new link, or of one that there is. */
  | { type: "creation.submitted"; draft: NewSharedLink }
  | { type: "copy.requested"; id: string }
  /** A link shows more from now on, or less. */
  | { type: "switch.toggled"; id: string; change: Switches }
  /** The form with a link's name, end and passphrase is sent. */
  | { type: "details.submitted"; id: string; change: SharedLinkChange }
  | { type: "removal.requested"; id: string }
  /** The person confirms that a link is revoked, or does not. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" }
  | LoadingEvent;

/** What the actor `perform` is asked to do. */
export type SharingRequest =
  | { kind: "create"; draft: NewSharedLink }
  | { kind: "copy"; id: string }
  | { kind: "switch"; id: string; change: Switches }
  | { kind: "details"; id: string; change: SharedLinkChange }
  | { kind: "revoke"; id: string };

/** What has become of it. `uncopied`: the address, where the browser let nothing be copied. */
export type SharingOutcome =
  | { kind: "created"; link: SharedLink; uncopied: string | null }
  | { kind: "copied"; uncopied: string | null }
  | { kind: "saved"; link: SharedLink }
  | { kind: "revoked" };

/** Emitted to the page. */
export type SharingEmitted = { type: "link.copied" } | { type: "details.saved" } | { type: "link.revoked" };
