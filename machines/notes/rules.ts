import type { Note, NoteDraft, Segment, TimeRange } from "#contract/index.ts";

/** What is being written. */
export interface WrittenNote extends NoteDraft {
  /** A UUID. */
  id: string;
  /** Of the note that is changed, as it was read; 0: a new one. */
  revision: number;
}

export type DraftChange = Partial<NoteDraft>;

/** As notes are listed: by where they begin, then by where they end. */
const inOrder = (one: Note, other: Note): number =>
  one.start - other.start || one.end - other.end || (one.id < other.id ? -1 : 1);

/** The notes with this one, in the place of what it was before. */
export const withNote = (notes: readonly Note[], note: Note): Note[] =>
  [...notes.filter(({ id }) => id !== note.id), note].sort(inOrder);

/** What can be changed of a note that there is. */
export const writtenOf = ({ id, revision, start, end, colour, text }: Note): WrittenNote => ({
  id,
  revision,
  start,
  end,
  colour,
  text,
});

/** What was written after a save that came too late: the next one says that the server's note, if there is one still, has been read. */
export const rebased = (written: WrittenNote, notes: readonly Note[]): WrittenNote => ({
  ...written,
  revision: notes.find(({ id }) => id === written.id)?.revision ?? 0,
});

/** The shortest passage, in seconds: engines have words that end where they begin. */
const shortest = 0.01;

/** From the beginning of one word, or segment, to the end of another one. */
export const spanning = (first: TimeRange, last: TimeRange): TimeRange => ({
  start: first.start,
  end: Math.max(last.end, last.start + shortest),
});

/** The steps in which a passage grows: words, and segments without any. */
const unitsOf = (segments: readonly Segment[]): TimeRange[] =>
  segments.flatMap(({ start, end, words }): TimeRange[] => (words.length === 0 ? [{ start, end }] : words));

/**
 * A passage with one of its ends moved by a word; the same one where that can't be moved any further.
 * @param step 1: later, -1: earlier
 */
export function movedEdge(segments: readonly Segment[], passage: TimeRange, edge: "start" | "end", step: 1 | -1): TimeRange {
  const units = unitsOf(segments);
  const first = Math.max(
    0,
    units.findLastIndex(({ start }) => start <= passage.start),
  );
  const last = Math.max(
    first,
    units.findLastIndex(({ start }) => start < passage.end),
  );
  const [from, to] = edge === "start" ? [first + step, last] : [first, last + step];
  const [one, other] = [units[from], units[to]];
  return one === undefined || other === undefined || from > to ? passage : spanning(one, other);
}
