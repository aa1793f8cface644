import type { SnapshotFrom } from "xstate";
import type { AdminBlogPost, PostStatus } from "#contract/index.ts";
import type { postEditorMachine } from "./machine.ts";
import { isDirty, isSlug, type PersistedDraft, type PostValues } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof postEditorMachine>;

export type SaveState = "saved" | "new" | "changed" | "saving" | "failed" | "refused" | "conflict" | "incomplete";

/** Whether everything is saved. */
export function selectSaveState(snapshot: Snapshot): SaveState {
  const { context } = snapshot;
  if (snapshot.hasTag("saving")) return "saving";
  if (snapshot.hasTag("unsaved")) return "failed";
  if (snapshot.hasTag("refused")) return "refused";
  if (snapshot.hasTag("conflict")) return "conflict";
  if (!isDirty(context)) return context.id === null ? "new" : "saved";
  return context.values.title.trim() === "" ? "incomplete" : "changed";
}

/** Leaving would lose something that the server does not have. */
export const selectHasUnsaved = (snapshot: Snapshot): boolean =>
  selectIsOpen(snapshot) && (isDirty(snapshot.context) || snapshot.hasTag("saving"));

/** A request is in flight. */
export const selectIsSettling = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");

/** Whether a post is open, loaded or new. */
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
export const selectIsRemoved = (snapshot: Snapshot): boolean => snapshot.matches("removed");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches("missing");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
/** An error code of the contract; null unless unsaved changes failed to save. */
export const selectSaveError = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("unsaved") || snapshot.hasTag("refused") ? snapshot.context.saveError : null;
export const selectPostId = (snapshot: Snapshot): string | null => snapshot.context.id;
/** The same object until something changes. */
export const selectValues = (snapshot: Snapshot): PostValues => snapshot.context.values;
/** The server's values, as far as this page knows. */
export const selectSaved = (snapshot: Snapshot): PostValues => snapshot.context.saved;
/** The server's latest answer. */
export const selectPost = (snapshot: Snapshot): AdminBlogPost | null => snapshot.context.post;
export const selectPostStatus = (snapshot: Snapshot): PostStatus => snapshot.context.status;
export const selectRevision = (snapshot: Snapshot): number => snapshot.context.revision;
/** The requested status of the post, or else its current one. */
export const selectWantedStatus = (snapshot: Snapshot): PostStatus => snapshot.context.wanted ?? snapshot.context.status;
/** The requested save in flight; null for none. */
export const selectSendingStatus = ({ context: { sending } }: Snapshot): PostStatus | null =>
  sending?.asked ? sending.status : null;
export const selectOffers = (snapshot: Snapshot): readonly PersistedDraft[] => snapshot.context.offers;
export const selectIsConflict = (snapshot: Snapshot): boolean => snapshot.hasTag("deciding");
/** null in a conflict: someone has deleted it. */
export const selectServerVersion = (snapshot: Snapshot): AdminBlogPost | null => snapshot.context.theirs;
export const selectIsDirty = (snapshot: Snapshot): boolean => isDirty(snapshot.context);
/** The title is missing, and a save needed it. */
export const selectNeedsTitle = ({ context: { tried, values } }: Snapshot): boolean => tried && values.title.trim() === "";
export const selectHasBadSlug = ({ context: { values } }: Snapshot): boolean => values.slug !== "" && !isSlug(values.slug);
export const selectIsConfirmingDeletion = (snapshot: Snapshot): boolean => snapshot.matches({ open: { removal: "confirming" } });
export const selectIsRemoving = (snapshot: Snapshot): boolean => snapshot.matches({ open: { removal: "removing" } });
