import type { SnapshotFrom } from "xstate";
import type { Note, TimeRange } from "#contract/index.ts";
import { selectItems } from "#machines/collection/selectors.ts";
import type { notesMachine } from "./machine.ts";
import type { WrittenNote } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof notesMachine>;

/** The selection that can be highlighted or noted; null while something else is written or saved. */
export const selectSelected = (snapshot: Snapshot): TimeRange | null =>
  snapshot.matches({ open: "idle" }) ? snapshot.context.selected : null;
/** Whether a request is in flight. */
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** The draft; null for none. It is stored in the browser until it is saved or given up. */
export const selectDraft = (snapshot: Snapshot): WrittenNote | null => snapshot.context.draft;
/** The server's version of the note that is being changed; null while a new one is written, or none. */
export const selectEdited = (snapshot: Snapshot): Note | null =>
  selectItems(snapshot).find(({ id }) => id === snapshot.context.draft?.id) ?? null;
/** The deleted note that can be restored; null for none. */
export const selectRemoved = (snapshot: Snapshot): Note | null =>
  snapshot.matches({ open: "idle" }) || snapshot.matches({ open: "restoring" }) ? snapshot.context.removed : null;
