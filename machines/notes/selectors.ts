import type { SnapshotFrom } from "xstate";
import type { Note, TimeRange } from "#contract/index.ts";
import { selectItems } from "#machines/collection/selectors.ts";
import type { notesMachine } from "./machine.ts";
import type { WrittenNote } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof notesMachine>;

/** What is selected in the text, to be highlighted or noted; null while something else is written or saved. */
export const selectSelected = (snapshot: Snapshot): TimeRange | null =>
  snapshot.matches({ open: "idle" }) ? snapshot.context.selected : null;
/** Something was asked of the server. */
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** What is written; null for nothing. It is kept in the browser until it is saved or given up. */
export const selectDraft = (snapshot: Snapshot): WrittenNote | null => snapshot.context.draft;
/** The note that is changed, as the server has it now; null while a new one is written, or none. */
export const selectEdited = (snapshot: Snapshot): Note | null =>
  selectItems(snapshot).find(({ id }) => id === snapshot.context.draft?.id) ?? null;
/** What was deleted, and can be there again; null for nothing. */
export const selectRemoved = (snapshot: Snapshot): Note | null =>
  snapshot.matches({ open: "idle" }) || snapshot.matches({ open: "restoring" }) ? snapshot.context.removed : null;
