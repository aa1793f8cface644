import type { NoteColour, TimeRange } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { DraftChange } from "./rules.ts";

export type NotesEvent =
  /** The person has selected a passage of the text; null: nothing is selected any more. */
  | { type: "passage.selected"; passage: TimeRange | null }
  /** The person highlights what is selected. @param id a UUID, the new note's */
  | { type: "highlight.requested"; id: string; colour: NoteColour }
  /** The form of a new note opens. @param id a UUID, the note's */
  | { type: "writing.requested"; id: string; passage: TimeRange }
  /** The form of a note that there is opens. */
  | { type: "editing.requested"; id: string }
  /** The person types, chooses a colour, or moves an end of the passage. */
  | { type: "draft.changed"; change: DraftChange }
  | { type: "save.requested" }
  | { type: "draft.dismissed" }
  | { type: "removal.requested"; id: string }
  /** What was deleted last is to be there again. */
  | { type: "undo.requested" }
  | LoadingEvent;

/** Emitted to the page. */
export type NotesEmitted = { type: "note.saved" };
