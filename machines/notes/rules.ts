import type { Note, NoteDraft, Segment, TimeRange } from "#contract/index.ts";

/** The draft of a note. */
export interface WrittenNote extends NoteDraft {
  /** A UUID. */
  id: string;
  /** The revision of the note that was read; 0 for a new note. */
  revision: number;
}

export type DraftChange = Partial<NoteDraft>;

/** The order of notes: by their beginning, then by their end. */
const inOrder = (one: Note, other: Note): number =>
  one.start - other.start || one.end - other.end || (one.id < other.id ? -1 : 1);

/** The notes with this one added or replaced. */
export const withNote = (notes: readonly Note[], note: Note): Note[] =>
  [...notes.filter(({ id }) => id !== note.id), note].sort(inOrder);

/** The changeable part of an existing note. */
export const writtenOf = ({ id, revision, start, end, colour, text }: Note): WrittenNote => ({
  id,
  revision,
  start,
  end,
  colour,
  text,
});

/**
 * The draft after a save that came too late. The next save says that the server's note, if it still exists, has been
 * read.
 */
export const rebased = (written: WrittenNote, notes: readonly Note[]): WrittenNote => ({
  ...written,
  revision: notes.find(({ id }) => id === written.id)?.revision ?? 0,
});

/** The shortest passage in seconds: some engines give words that end where they begin. */
const shortest = 0.01;

/** The range from the beginning of one word or segment to the end of another. */
export const spanning = (first: TimeRange, last: TimeRange): TimeRange => ({
  start: first.start,
  end: Math.max(last.end, last.start + shortest),
});

/** The steps by which a passage grows: words, or segments if they have no words. */
const unitsOf = (segments: readonly Segment[]): TimeRange[] =>
  segments.flatMap(({ start, end, words }): TimeRange[] => (words.length === 0 ? [{ start, end }] : words));

/**
 * A passage with one end moved by a word. Returns the same passage if the end can't be moved further.
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
