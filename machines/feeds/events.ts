import type { NewFeed } from "#contract/index.ts";

export type FeedsEvent =
  /** The person wants to follow a feed: its form opens, is sent, or is given up. */
  | { type: "new.requested" }
  | { type: "follow.requested"; wanted: NewFeed }
  | { type: "new.dismissed" }
  | { type: "removal.requested"; id: string }
  /** The person confirms that it is no longer followed, or does not. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" }
  /** It is not to be looked at for a while, or again. */
  | { type: "pause.requested"; id: string }
  | { type: "resume.requested"; id: string }
  /** Where transcripts of it go from now on; null: into no folder. */
  | { type: "folder.chosen"; id: string; folderId: string | null }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
export interface FeedsEmitted {
  type: "feed.followed" | "feed.removed";
}
