import type { NewPersonalToken } from "#contract/index.ts";

export type PersonalTokensEvent =
  /** The person wants a new token: its form opens, is sent, or is given up. */
  | { type: "new.requested" }
  | { type: "creation.requested"; wanted: NewPersonalToken }
  | { type: "new.dismissed" }
  /** The person has kept the new token's secret. */
  | { type: "secret.dismissed" }
  | { type: "revocation.requested"; id: string }
  /** The person confirms the revocation, or does not. */
  | { type: "revocation.confirmed" }
  | { type: "revocation.dismissed" }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
export interface PersonalTokensEmitted {
  type: "token.revoked";
}
