import { describe, expect, test } from "vitest";
import type { Regroup } from "#contract/index.ts";
import { composed, passageOf, placesAfter, touchedBy } from "#machines/transcription/passages.ts";

const passage = (text: string) => ({ text, speaker: null });
/** Segment 2 becomes three passages; 5, 6 and 7 become one. */
const split: Regroup = { index: 2, count: 1, passages: [passage("a"), passage("b"), passage("c")] };
const merge: Regroup = { index: 5, count: 3, passages: [passage("m")] };
const both = { edits: {}, regroups: [split, merge] };

describe("splits and merges", () => {
  test("touch the segments that they are made of, and are further on by what those before them add", () => {
    expect([touchedBy([split, merge]), touchedBy()]).toEqual([[2, 5, 6, 7], []]);
    expect(placesAfter([split, merge, { ...split, index: 9 }])).toEqual([2, 7, 9]);
  });

  test.each([
    ["before all of them", 1, { edits: { 1: "X" } }],
    ["between them", 5, { edits: { 3: "X" } }],
    ["right before the merge", 6, { edits: { 4: "X" } }],
    ["right behind the merge", 8, { edits: { 8: "X" } }],
  ])("a correction %s is of the segment that it was before them", (_, index, expected) => {
    expect(composed(both, { edits: { [index]: "X" } })).toEqual({ ...both, ...expected });
  });

  test.each([
    ["the first passage", 2, 0],
    ["the last passage", 4, 2],
  ])("a correction, a name and a translation of %s of a split are a part of it", (_, index, at) => {
    const later = { edits: { [index]: "X" }, speakers: { [index]: "Ada" }, translations: { [index]: "x" } };
    const passages = split.passages.map((one, own) => (own === at ? { text: "X", speaker: "Ada", translation: "x" } : one));
    expect(composed(both, later)).toEqual({
      edits: {},
      speakers: {},
      translations: {},
      regroups: [{ ...split, passages }, merge],
    });
  });

  test("a correction takes the translation away that was of the text before it", () => {
    const translated = composed(both, { edits: {}, translations: { 3: "x", 0: "y" } });
    expect(composed(translated, { edits: { 3: "B", 0: "Y" } })).toEqual({
      edits: { 0: "Y" },
      translations: {},
      regroups: [{ ...split, passages: [passage("a"), passage("B"), passage("c")] }, merge],
    });
  });

  test("a split of a passage takes those beside it in, and stays in order", () => {
    const added = { index: 3, count: 1, passages: [passage("b1"), passage("b2")] };
    expect(composed(both, { edits: {}, regroups: [added] }).regroups).toEqual([
      { ...split, passages: ["a", "b1", "b2", "c"].map(passage) },
      merge,
    ]);
    const first = { index: 0, count: 1, passages: [passage("x"), passage("y")] };
    expect(composed(both, { edits: {}, regroups: [first] }).regroups).toEqual([first, split, merge]);
  });

  test("a merge over several of them is of all segments that they are made of", () => {
    // The last passage of the split with segments 3 and 4 and the merge.
    const over = { index: 4, count: 4, passages: [passage("all")] };
    expect(composed(both, { edits: {}, regroups: [over] }).regroups).toEqual([
      { index: 2, count: 6, passages: ["a", "b", "all"].map(passage) },
    ]);
    // Segment 1 with the first passage of the split.
    const before = { index: 1, count: 2, passages: [passage("one")] };
    expect(composed(both, { edits: {}, regroups: [before] }).regroups).toEqual([
      { index: 1, count: 2, passages: ["one", "b", "c"].map(passage) },
      merge,
    ]);
  });

  test("two at once are both where they were shown", () => {
    const two = [
      { index: 0, count: 1, passages: [passage("x"), passage("y")] },
      { index: 3, count: 2, passages: [passage("z")] },
    ];
    expect(composed({ edits: {} }, { edits: {}, regroups: two }).regroups).toEqual(two);
  });

  test("leave no correction, name or base of the segments that they are made of", () => {
    const earlier = {
      edits: { 0: "A", 1: "B" },
      bases: { 0: "a", 1: "b" },
      speakers: { 0: "Ada", 1: "Bea" },
      translations: { 1: "x" },
    };
    const regroup = { index: 1, count: 1, passages: [passage("B1"), passage("B2")] };
    expect(composed(earlier, { edits: {}, regroups: [regroup] })).toEqual({
      edits: { 0: "A" },
      bases: { 0: "a" },
      speakers: { 0: "Ada" },
      translations: {},
      regroups: [{ ...regroup, bases: ["b"] }],
    });
  });
});

describe("what texts were", () => {
  test("is noted with the first correction of each only", () => {
    expect(composed({ edits: {} }, { edits: { 0: "A" }, bases: { 0: "a" } })).toEqual({ edits: { 0: "A" }, bases: { 0: "a" } });
    expect(composed({ edits: { 0: "A" } }, { edits: { 0: "AA" }, bases: { 0: "A" } })).toEqual({ edits: { 0: "AA" } });
    expect(composed({ edits: {} }, { edits: { 0: "A" } })).toEqual({ edits: { 0: "A" } });
  });

  test("is that of each segment of a merge; nothing for one that is not known", () => {
    const regroup = { index: 0, count: 2, passages: [passage("ab")] };
    const bases = (earlier: Parameters<typeof composed>[0], later: Regroup = regroup) =>
      composed(earlier, { edits: {}, regroups: [later] }).regroups?.map((one) => one.bases);
    expect(bases({ edits: {} })).toEqual([undefined]);
    expect(bases({ edits: {} }, { ...regroup, bases: ["a", "b"] })).toEqual([["a", "b"]]);
    expect(bases({ edits: { 1: "B" } }, { ...regroup, bases: ["a", "b"] })).toEqual([["a", ""]]);
    expect(bases({ edits: { 1: "B" }, bases: { 1: "b0" } })).toEqual([["", "b0"]]);
  });

  test("goes on from a split that is merged again", () => {
    const first = { index: 0, count: 1, passages: [passage("a1"), passage("a2")] };
    const again = { index: 0, count: 3, passages: [passage("all")] };
    const bases = (one: Regroup, two: Regroup) =>
      composed({ edits: {}, regroups: [one] }, { edits: {}, regroups: [two] }).regroups;
    const whole = { index: 0, count: 2, passages: [passage("all")] };
    expect(bases(first, again)).toEqual([whole]);
    expect(bases({ ...first, bases: ["a"] }, again)).toEqual([{ ...whole, bases: ["a", ""] }]);
    expect(bases(first, { ...again, bases: ["x", "y", "b"] })).toEqual([{ ...whole, bases: ["", "b"] }]);
  });
});

test("a segment as a passage keeps its place, and its translation where that is to be put back", () => {
  const segment = { start: 3, end: 4, text: "a", words: [], speaker: "Ada", translation: "x" };
  expect(passageOf(segment, { translation: true })).toEqual({ text: "a", speaker: "Ada", translation: "x", span: [3, 4] });
  expect(passageOf(segment, { translation: false })).toEqual({ text: "a", speaker: "Ada", span: [3, 4] });
  expect(passageOf({ start: 3, end: 4, text: "a", words: [] }, { translation: true })).toEqual({
    text: "a",
    speaker: null,
    span: [3, 4],
  });
});
