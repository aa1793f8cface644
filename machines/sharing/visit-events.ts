/** What a visitor does, and what happens to the page of a link. */
export type VisitEvent =
  | { type: "passphrase.entered"; passphrase: string }
  | { type: "retry.requested" }
  /** The server plays or saves nothing any more: it is to be found out why. */
  | { type: "access.lapsed" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };
