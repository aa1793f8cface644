import { isWithin, type Note, type NoteColour, overlaps, type Segment, type TimeRange } from "#contract/index.ts";
import { indexAt } from "#src/audio/position.ts";

/** How the words of a note look: as highlighted, as noted without a highlight, or as what is being noted now. */
type NoteLook = NoteColour | "noted" | "draft";

/** What a row shows of a note. */
export interface RowNote extends TimeRange {
  look: NoteLook;
  /** "": a highlight without words. */
  text: string;
}

export const noRowNotes: readonly RowNote[] = [];

export const rowNoteOf = ({ start, end, colour, text }: Note): RowNote => ({ start, end, look: colour ?? "noted", text });

/** Notes by the index of the segments in which they are; `segments` are in order of their start. */
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

/** The note of a word: of several the one that begins last. @param seconds where the word begins */
export const noteAt = (notes: readonly RowNote[], seconds: number | undefined): RowNote | undefined =>
  seconds === undefined ? undefined : notes.findLast((note) => isWithin(note, seconds));
