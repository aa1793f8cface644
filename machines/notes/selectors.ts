import type { SnapshotFrom } from "xstate";
import type { Note, TimeRange } from "#contract/index.ts";
import type { notesMachine } from "./machine.ts";
import type { WrittenNote } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof notesMachine>;

const noNotes: readonly Note[] = [];

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.matches("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
/** The server has notes, and they are here. */
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** By where they begin. */
export const selectNotes = (snapshot: Snapshot): readonly Note[] => snapshot.context.notes ?? noNotes;
/** What is selected in the text, to be highlighted or noted; null while something else is written or saved. */
export const selectSelected = (snapshot: Snapshot): TimeRange | null =>
  snapshot.matches({ open: "idle" }) ? snapshot.context.selected : null;
/** The form is open. */
export const selectIsWriting = (snapshot: Snapshot): boolean => snapshot.hasTag("writing");
/** Something was asked of the server. */
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** What is written; null for nothing. It is kept in the browser until it is saved or given up. */
export const selectDraft = (snapshot: Snapshot): WrittenNote | null => snapshot.context.draft;
/** The note that is changed, as the server has it now; null while a new one is written, or none. */
export const selectEdited = (snapshot: Snapshot): Note | null =>
  selectNotes(snapshot).find(({ id }) => id === snapshot.context.draft?.id) ?? null;
/** What was deleted, and can be there again; null for nothing. */
export const selectRemoved = (snapshot: Snapshot): Note | null =>
  snapshot.matches({ open: "idle" }) || snapshot.matches({ open: "restoring" }) ? snapshot.context.removed : null;
/** Why the last change failed: an error code of the contract, or "blank"; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
