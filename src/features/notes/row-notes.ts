import { isWithin, type Note, type NoteColour, overlaps, type Segment, type TimeRange } from "#contract/index.ts";
import { indexAt } from "#src/audio/position.ts";

/** The look of a note's words: highlighted, noted without a highlight, or part of the current draft. */
type NoteLook = NoteColour | "noted" | "draft";

/** The part of a note that a row shows. */
export interface RowNote extends TimeRange {
  look: NoteLook;
  /** "": a highlight without words. */
  text: string;
}

export const noRowNotes: readonly RowNote[] = [];

export const rowNoteOf = ({ start, end, colour, text }: Note): RowNote => ({ start, end, look: colour ?? "noted", text });

/** Groups notes by the index of their segments. `segments` are sorted by their start. */
export function notesByRow(segments: readonly Segment[], notes: readonly RowNote[]): ReadonlyMap<number, readonly RowNote[]> {
  const rows = new Map<number, RowNote[]>();
  for (const note of notes) {
    for (let index = Math.max(0, indexAt(segments, note.start)); index < segments.length; index += 1) {
      const segment = segments[index];
      if (segment === undefined || segment.start >= note.end) break;
      if (overlaps(segment, note)) rows.set(index, [...(rows.get(index) ?? []), note]);
    }
  }
  return rows;
}

/** The note of a word. If there are several, the one that begins last. @param seconds the word's start */
export const noteAt = (notes: readonly RowNote[], seconds: number | undefined): RowNote | undefined =>
  seconds === undefined ? undefined : notes.findLast((note) => isWithin(note, seconds));
