/** What is done with a passkey that is there. */
export type PasskeyWish = "rename" | "remove";

export type PasskeysEvent =
  /** The person wants a new one: its form opens, is sent, or is given up. */
  | { type: "new.requested" }
  | { type: "creation.requested"; name: string; password: string }
  /** The person wants to change one: the form for it opens, and is sent. */
  | { type: "change.requested"; wish: PasskeyWish; id: string }
  | { type: "change.submitted"; name: string; password: string }
  | { type: "form.dismissed" }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page: after `added` and `removed`, every other way into the account has ended. */
export interface PasskeysEmitted {
  type: "passkeys.changed";
  what: "added" | "renamed" | "removed";
}

export type PasskeySignInEvent =
  /** The person wants to sign in with a passkey. */
  { type: "passkey.requested" };
