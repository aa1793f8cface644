import type { AdminBlogPost, PostStatus } from "#contract/index.ts";
import type { AutosaveEvent, AutosaveTag, SaveFailed } from "#machines/autosave.ts";
import type { PostValues } from "./rules.ts";

export type PostEditorEvent =
  | AutosaveEvent
  /** The person types, or a picture has arrived. */
  | { type: "values.changed"; values: Partial<PostValues> }
  /** The person saves it, as a draft or published. */
  | { type: "save.requested"; status: PostStatus }
  | { type: "reload.requested" }
  /** The person restores a persisted version, or discards it; `at` identifies it. */
  | { type: "offer.taken"; at: number }
  | { type: "offer.discarded"; at: number }
  /** The person resolves a conflict: keeps one version, or both, with the own version as another post. */
  | { type: "mine.chosen" }
  | { type: "theirs.chosen" }
  | { type: "copy.chosen" }
  /** The person wants to delete it; the confirmation dialog: confirmed, or cancelled. */
  | { type: "delete.requested" }
  | { type: "delete.confirmed" }
  | { type: "delete.dismissed" };

/** Tags that views need; `deciding`: the person compares two versions. */
export type PostEditorTag = AutosaveTag | "conflict" | "deciding";

/** Emitted to the rest of the page. */
export type PostEditorEmitted =
  /** The post has an id now. */
  | { type: "post.created"; id: string }
  /** The requested action succeeded. */
  | { type: "post.published" | "post.updated" | "post.unpublished"; post: AdminBlogPost }
  | { type: "post.removed" }
  | { type: "removal.failed"; code: string }
  | SaveFailed;
