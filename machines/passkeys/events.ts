import type { Passkey } from "#contract/index.ts";
import type { CollectionEvent, Listed } from "#machines/collection/events.ts";

/** What a person's passkeys are made of. */
export interface PasskeyTypes {
  /** The oldest first. */
  known: Listed<Passkey>;
  /** What is typed: a password for adding and removing, a name for adding and renaming. */
  draft: { name: string; password: string };
  change: never;
  secret: null;
}

/** What is done with a passkey that is there. */
export type PasskeyWish = "rename" | "remove";

export type PasskeysEvent =
  | Exclude<CollectionEvent<PasskeyTypes>, { type: "change.requested" }>
  /** The person wants to change one: the form for it opens, is sent, or is given up. */
  | { type: "change.requested"; wish: PasskeyWish; id: string }
  | { type: "change.submitted"; draft: PasskeyTypes["draft"] }
  | { type: "change.dismissed" };

export type PasskeySignInEvent =
  /** The person wants to sign in with a passkey. */
  { type: "passkey.requested" };
