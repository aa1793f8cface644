import { expect, test } from "vitest";
import { type Note, quoteAt, type Segment } from "#contract/index.ts";
import { noteAt, notesByRow, type RowNote, rowNoteOf } from "#src/features/notes/row-notes.ts";

const spoken = (start: number, ...words: string[]): Segment => ({
  start,
  end: start + words.length,
  text: words.join(" "),
  words: words.map((text, index) => ({ text, start: start + index, end: start + index + 1 })),
});
const segments: Segment[] = [
  spoken(0, "Good", "morning"),
  { start: 2, end: 4, text: "no times", words: [] },
  spoken(4, "It", "is", "old"),
];
const note = (start: number, end: number, look: RowNote["look"] = "green"): RowNote => ({ start, end, look, text: "" });

test("shows a note in each segment that overlaps it, and in no other", () => {
  const [long, short, before] = [note(1, 5), note(6, 7, "pink"), note(-2, -1)];
  expect([...notesByRow(segments, [long, short, before])]).toEqual([
    [0, [long]],
    [1, [long]],
    [2, [long, short]],
  ]);
  expect(notesByRow([], [long]).size).toBe(0);
});

test("shows for a word the note that begins last", () => {
  const [outer, inner] = [note(0, 5), note(1, 2, "blue")];
  expect([0, 1, 2, 5, undefined].map((seconds) => noteAt([outer, inner], seconds)?.look)).toEqual([
    "green",
    "blue",
    "green",
    undefined,
    undefined,
  ]);
});

test("styles noted words without a color as a note", () => {
  const kept: Note = { id: "n", start: 1, end: 2, colour: null, text: "ask", revision: 1, createdAt: "", changedAt: "" };
  expect([rowNoteOf(kept), rowNoteOf({ ...kept, colour: "pink" }).look]).toEqual([
    { start: 1, end: 2, look: "noted", text: "ask" },
    "pink",
  ]);
});

test("quotes the words that begin in the passage, and whole segments without words", () => {
  expect(quoteAt(segments, { start: 1, end: 5.5 })).toBe("morning no times It is");
  expect(quoteAt(segments, { start: 9, end: 10 })).toBe("");
});
