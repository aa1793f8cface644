import type { AdminBlogPost, PostStatus } from "#contract/index.ts";
import type { PostValues } from "./post-editor-rules.ts";

export type PostEditorEvent =
  /** The person writes, or a picture has arrived. */
  | { type: "changed"; values: Partial<PostValues> }
  /** The person: as it is now, as a draft or published. */
  | { type: "save.requested"; status: PostStatus }
  | { type: "reload.requested" }
  /** The person takes what was kept instead of what is shown, or throws it away; by its time. `now` in epoch ms. */
  | { type: "offer.taken"; at: number; now: number }
  | { type: "offer.discarded"; at: number }
  /** The person, when somebody else has saved meanwhile: whose is kept; or both, mine as another post. */
  | { type: "mine.chosen" }
  | { type: "theirs.chosen"; now: number }
  | { type: "copy.chosen" }
  /** The person wants to delete it, and is asked once more; the dialog: so it is, or not. */
  | { type: "delete.requested" }
  | { type: "delete.confirmed" }
  | { type: "delete.dismissed" }
  /** The actor `wakeUps`: the connection is back, or the page is looked at again. */
  | { type: "woke" };

/** What the rest of the page hears. */
export type PostEditorEmitted =
  /** It has an id now. */
  | { type: "created"; id: string }
  /** What the person has asked for. */
  | { type: "published" | "updated" | "unpublished"; post: AdminBlogPost }
  | { type: "removed" }
  | { type: "save.failed" | "removal.failed"; code: string };
