import type { NoteColour, TimeRange } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { DraftChange } from "./rules.ts";

export type NotesEvent =
  /** The person selected a passage of the text; null: nothing is selected anymore. */
  | { type: "passage.selected"; passage: TimeRange | null }
  /** The person highlights the selection. @param id the new note's UUID */
  | { type: "highlight.requested"; id: string; colour: NoteColour }
  /** The form of a new note opens. @param id the note's UUID */
  | { type: "writing.requested"; id: string; passage: TimeRange }
  /** The form of an existing note opens. */
  | { type: "editing.requested"; id: string }
  /** The person types, chooses a color, or moves an end of the passage. */
  | { type: "draft.changed"; change: DraftChange }
  | { type: "save.requested" }
  | { type: "draft.dismissed" }
  | { type: "removal.requested"; id: string }
  /** The person restores the note that was deleted last. */
  | { type: "undo.requested" }
  | LoadingEvent;

/** Emitted to the page. */
export type NotesEmitted = { type: "note.saved" };
