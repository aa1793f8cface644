import type { Segment, TimeRange } from "#contract/index.ts";
import { selectIsWriting } from "#machines/collection/selectors.ts";
import { selectSelected } from "#machines/notes/selectors.ts";
import { newId } from "#src/browser/new-id.ts";
import type { Notes } from "./actor.ts";

/** Opens the form of a new note, or focuses a form that is already open. */
export function beginNote(notes: Notes, { start, end }: TimeRange): void {
  if (selectIsWriting(notes.getSnapshot())) document.querySelector<HTMLElement>("[data-notes-dock] textarea")?.focus();
  else notes.send({ type: "writing.requested", id: newId(), passage: { start, end } });
}

/**
 * Begins a note for the selection, else for the focused segment, else for the segment that is being read.
 * @param reading that segment's index
 */
export function noteHere(notes: Notes, segments: readonly Segment[], reading: number): void {
  const focused = document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index;
  const passage = selectSelected(notes.getSnapshot()) ?? segments[Number(focused ?? reading)];
  if (passage !== undefined) beginNote(notes, passage);
}
