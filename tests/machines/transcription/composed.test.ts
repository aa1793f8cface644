import { describe, expect, test } from "vitest";
import type { Regroup } from "#contract/index.ts";
import { composed, passageOf, placesAfter, touchedBy } from "#machines/transcription/passages.ts";

const passage = (text: string) => ({ text, speaker: null });
/** Segment 2 becomes three passages; 5, 6 and 7 become one. */
const split: Regroup = { index: 2, count: 1, passages: [passage("a"), passage("b"), passage("c")] };
const merge: Regroup = { index: 5, count: 3, passages: [passage("m")] };
const both = { edits: {}, regroups: [split, merge] };

describe("composed splits and merges", () => {
  test("composed splits and merges touch their source segments and shift the later ones", () => {
    expect([touchedBy([split, merge]), touchedBy()]).toEqual([[2, 5, 6, 7], []]);
    expect(placesAfter([split, merge, { ...split, index: 9 }])).toEqual([2, 7, 9]);
  });

  test.each([
    ["before all of them", 1, { edits: { 1: "X" } }],
    ["between them", 5, { edits: { 3: "X" } }],
    ["right before the merge", 6, { edits: { 4: "X" } }],
    ["right behind the merge", 8, { edits: { 8: "X" } }],
  ])("composed splits and merges apply a correction %s to the segment before the split or merge", (_, index, expected) => {
    expect(composed(both, { edits: { [index]: "X" } })).toEqual({ ...both, ...expected });
  });

  test.each([
    ["the first passage", 2, 0],
    ["the last passage", 4, 2],
  ])("composed splits and merges include a correction, name and translation of %s of a split in the split", (_, index, at) => {
    const later = { edits: { [index]: "X" }, speakers: { [index]: "Ada" }, translations: { [index]: "x" } };
    const passages = split.passages.map((one, own) => (own === at ? { text: "X", speaker: "Ada", translation: "x" } : one));
    expect(composed(both, later)).toEqual({
      edits: {},
      speakers: {},
      translations: {},
      regroups: [{ ...split, passages }, merge],
    });
  });

  test("composed splits and merges drop a translation when its text is corrected", () => {
    const translated = composed(both, { edits: {}, translations: { 3: "x", 0: "y" } });
    expect(composed(translated, { edits: { 3: "B", 0: "Y" } })).toEqual({
      edits: { 0: "Y" },
      translations: {},
      regroups: [{ ...split, passages: [passage("a"), passage("B"), passage("c")] }, merge],
    });
  });

  test("composed splits and merges extend a split to the neighboring passages, in order", () => {
    const added = { index: 3, count: 1, passages: [passage("b1"), passage("b2")] };
    expect(composed(both, { edits: {}, regroups: [added] }).regroups).toEqual([
      { ...split, passages: ["a", "b1", "b2", "c"].map(passage) },
      merge,
    ]);
    const first = { index: 0, count: 1, passages: [passage("x"), passage("y")] };
    expect(composed(both, { edits: {}, regroups: [first] }).regroups).toEqual([first, split, merge]);
  });

  test("composed splits and merges extend a merge to all source segments", () => {
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

  test("composed splits and merges place two simultaneous splits where they were shown", () => {
    const two = [
      { index: 0, count: 1, passages: [passage("x"), passage("y")] },
      { index: 3, count: 2, passages: [passage("z")] },
    ];
    expect(composed({ edits: {} }, { edits: {}, regroups: two }).regroups).toEqual(two);
  });

  test("composed splits and merges drop corrections, names and bases of their source segments", () => {
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

describe("bases of composed changes", () => {
  test("bases of composed changes are recorded only with the first correction of each passage", () => {
    expect(composed({ edits: {} }, { edits: { 0: "A" }, bases: { 0: "a" } })).toEqual({ edits: { 0: "A" }, bases: { 0: "a" } });
    expect(composed({ edits: { 0: "A" } }, { edits: { 0: "AA" }, bases: { 0: "A" } })).toEqual({ edits: { 0: "AA" } });
    expect(composed({ edits: {} }, { edits: { 0: "A" } })).toEqual({ edits: { 0: "A" } });
  });

  test("bases of composed changes are those of each merged segment, and undefined if one is unknown", () => {
    const regroup = { index: 0, count: 2, passages: [passage("ab")] };
    const bases = (earlier: Parameters<typeof composed>[0], later: Regroup = regroup) =>
      composed(earlier, { edits: {}, regroups: [later] }).regroups?.map((one) => one.bases);
    expect(bases({ edits: {} })).toEqual([undefined]);
    expect(bases({ edits: {} }, { ...regroup, bases: ["a", "b"] })).toEqual([["a", "b"]]);
    expect(bases({ edits: { 1: "B" } }, { ...regroup, bases: ["a", "b"] })).toEqual([["a", ""]]);
    expect(bases({ edits: { 1: "B" }, bases: { 1: "b0" } })).toEqual([["", "b0"]]);
  });

  test("bases of composed changes continue from a split that is merged again", () => {
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

test("keeps place and, for an undo, translation of a segment that becomes a passage", () => {
  const segment = { start: 3, end: 4, text: "a", words: [], speaker: "Ada", translation: "x" };
  expect(passageOf(segment, { translation: true })).toEqual({ text: "a", speaker: "Ada", translation: "x", span: [3, 4] });
  expect(passageOf(segment, { translation: false })).toEqual({ text: "a", speaker: "Ada", span: [3, 4] });
  expect(passageOf({ start: 3, end: 4, text: "a", words: [] }, { translation: true })).toEqual({
    text: "a",
    speaker: null,
    span: [3, 4],
  });
});
