import type { Passkey } from "#contract/index.ts";
import type { CollectionEvent, Listed } from "#machines/collection/events.ts";

/** The types of the passkeys' list. */
export interface PasskeyTypes {
  /** Oldest first. */
  known: Listed<Passkey>;
  /** The typed values: a password for adding and removing, a name for adding and renaming. */
  draft: { name: string; password: string };
  change: never;
  secret: null;
}

/** A change to an existing passkey. */
export type PasskeyWish = "rename" | "remove";

export type PasskeysEvent =
  | Exclude<CollectionEvent<PasskeyTypes>, { type: "change.requested" }>
  /** The person changes a passkey: the form opens, is submitted, or is closed. */
  | { type: "change.requested"; wish: PasskeyWish; id: string }
  | { type: "change.submitted"; draft: PasskeyTypes["draft"] }
  | { type: "change.dismissed" };

export type PasskeySignInEvent =
  /** The person signs in with a passkey. */
  { type: "passkey.requested" };
