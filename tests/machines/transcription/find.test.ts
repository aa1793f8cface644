import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { Segment } from "#contract/index.ts";
import {
  type FindEmitted,
  findMachine,
  selectCanReplace,
  selectCanReplaceAny,
  selectCurrent,
  selectHits,
  selectIsOpen,
  selectReplaced,
  selectReplacement,
  selectSearch,
} from "#machines/transcription/find/machine.ts";
import { findHits, hitFrom, replaced } from "#machines/transcription/find/rules.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

const said = (text: string, translation?: string): Segment => ({
  start: 0,
  end: 1,
  text,
  words: [],
  ...(translation === undefined ? {} : { translation }),
});
const talk = [said("a ship and a ship", "un barco"), said("no boat", "ship in the translation"), said("Shipping")];
const search = { term: "ship", matchCase: false, wholeWords: false };

describe("hits of a search in a transcript", () => {
  const found = (text: string, parts: Partial<typeof search>) =>
    findHits([said(text)], { ...search, ...parts }).map(({ from, to }) => text.slice(from, to));

  test.each([
    ["whatever the case", "Ship ship", {}, ["Ship", "ship"]],
    ["whatever the accents", "Café cafe Cafe\u0301", { term: "café" }, ["Café", "cafe", "Cafe\u0301"]],
    ["in these letters only, where the case matters", "Café cafe café", { term: "café", matchCase: true }, ["café"]],
    ["in this case only", "Ship ship", { matchCase: true }, ["ship"]],
    [
      "whole words only, with their accents",
      "ship shipping éship e\u0301ship ship-shape",
      { wholeWords: true },
      ["ship", "ship"],
    ],
    ["over any white space", "New  York new\nyork", { term: " new york " }, ["New  York", "new\nyork"]],
    ["with either apostrophe and quotation mark", "it’s 'it's' “so”", { term: "it's" }, ["it’s", "it's"]],
    [
      "letter by letter, whatever it means elsewhere",
      "a.c abc (a|b) [x] $1 \\d",
      { term: "(a|b) [x] $1 \\d" },
      ["(a|b) [x] $1 \\d"],
    ],
    ["a dot is a dot", "a.c abc", { term: "a.c" }, ["a.c"]],
    ["nothing for nothing", "a b", { term: "  " }, []],
    ["in any script", "Привет ПРИВЕТ 你好", { term: "привет" }, ["Привет", "ПРИВЕТ"]],
  ])("the search in a transcript finds %s", (_, text, parts, expected) => {
    expect(found(text, parts)).toEqual(expected);
  });

  test("replaces hits literally in the original, and leaves translations", () => {
    expect(replaced(talk, findHits(talk, search), "$& (boat)")).toEqual({ 0: "a $& (boat) and a $& (boat)", 2: "$& (boat)ping" });
    expect(replaced([said("so so good")], findHits([said("so so good")], { ...search, term: "so" }), "")).toEqual({ 0: "good" });
  });
});

function setUp(segments: readonly Segment[] = talk) {
  const actor = stopsAfterTest(createActor(findMachine));
  const emitted: FindEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  actor.send({ type: "segments.changed", segments });
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const places = () => get(selectHits).map(({ index, side }) => `${index} ${side}`);
  return { send: actor.send.bind(actor), emitted, get, places };
}

function opened(at = 0) {
  const find = setUp();
  find.send({ type: "find.opened", term: "ship", at });
  return find;
}

describe("navigation between hits", () => {
  test("opens with a term at the current place, and shows the hits", () => {
    const find = opened(1);
    expect(find.places()).toEqual(["0 text", "0 text", "1 translation", "2 text"]);
    expect([find.get(selectCurrent), find.emitted]).toEqual([
      2,
      [{ type: "hit.shown", hit: expect.objectContaining({ index: 1, side: "translation" }) }],
    ]);
  });

  test("the search in a transcript continues at the other end in both directions", () => {
    const find = opened();
    const current = () => find.get(selectCurrent);
    find.send({ type: "previous.requested" });
    expect(current()).toBe(3);
    find.send({ type: "next.requested" });
    expect(current()).toBe(0);
    find.send({ type: "next.requested" });
    expect([current(), find.emitted.length]).toEqual([1, 4]);
  });

  test("the search in a transcript keeps its place when the term grows, and shows nothing without hits", () => {
    const find = opened();
    find.send({ type: "next.requested" });
    find.send({ type: "search.changed", search: { term: "ship and" } });
    expect(find.places()).toEqual(["0 text"]);
    find.send({ type: "search.changed", search: { term: "shipp" } });
    expect(find.emitted.at(-1)).toMatchObject({ hit: { index: 2 } });
    const before = find.emitted.length;
    find.send({ type: "search.changed", search: { term: "none of it" } });
    find.send({ type: "next.requested" });
    expect([find.get(selectCurrent), find.emitted.length]).toEqual([-1, before]);
  });

  test("the search in a transcript finds nothing while closed, and remembers the term", () => {
    const find = opened();
    find.send({ type: "find.closed" });
    expect([find.get(selectIsOpen), find.places()]).toEqual([false, []]);
    find.send({ type: "find.opened", at: 2 });
    expect([find.places().length, find.get(selectCurrent)]).toEqual([4, 3]);
    find.send({ type: "find.opened", at: 0, term: "boat" });
    expect(find.places()).toEqual(["1 text"]);
  });

  test("the search in a transcript keeps its place when another passage is corrected", () => {
    const find = opened();
    find.send({ type: "previous.requested" });
    find.send({ type: "segments.changed", segments: [said("nothing"), ...talk.slice(1)] });
    expect([find.places(), find.get(selectCurrent)]).toEqual([["1 translation", "2 text"], 1]);
  });
});

describe("order of hits", () => {
  const place = (index: number, side: "text" | "translation", from: number) => ({ index, side, from, to: from + 1 });
  const hits = [place(1, "text", 4), place(1, "text", 9), place(1, "translation", 2), place(3, "text", 0)];

  test.each([
    ["at its place", place(1, "text", 9), 1],
    ["behind another in the same text", place(1, "text", 5), 1],
    ["in the translation behind all of the text", place(1, "text", 10), 2],
    ["in the next text behind all of the translation", place(1, "translation", 3), 3],
    ["in a later passage", place(2, "text", 99), 3],
    ["at the beginning behind all", place(3, "text", 1), 0],
  ])("the search in a transcript selects as the next hit: %s", (_, from, expected) => {
    expect(hitFrom(hits, from)).toBe(expected);
  });

  test("the search in a transcript selects no hit if there are none", () => {
    expect(hitFrom([], place(0, "text", 0))).toBe(-1);
  });
});

describe("replacement of hits", () => {
  test("emits one replaced text and continues behind it, even if it contains the term", () => {
    const find = opened();
    find.send({ type: "replacement.typed", replacement: "shipship" });
    find.send({ type: "replace.requested" });
    expect(find.emitted.at(-1)).toEqual({ type: "replacement.requested", edits: { 0: "a shipship and a ship" } });
    find.send({ type: "replace.requested" });
    expect(find.emitted.filter(({ type }) => type === "replacement.requested")).toHaveLength(1);
    find.send({ type: "segments.changed", segments: [said("a shipship and a ship", "un barco"), ...talk.slice(1)] });
    expect(find.get(selectHits)[find.get(selectCurrent)]).toMatchObject({ index: 0, from: 17 });
    expect(find.emitted.at(-1)).toMatchObject({ type: "hit.shown", hit: { from: 17 } });
  });

  test("replaces a term in the text but not in its translation", () => {
    const find = opened(1);
    expect([find.get(selectCanReplace), find.get(selectCanReplaceAny)]).toEqual([false, true]);
    find.send({ type: "replace.requested" });
    expect(find.emitted.filter(({ type }) => type === "replacement.requested")).toEqual([]);
  });

  test('"replace all" emits all replaced texts and their number', () => {
    const find = opened();
    find.send({ type: "replacement.typed", replacement: "boat" });
    find.send({ type: "replaceAll.requested" });
    expect(find.emitted.at(-1)).toEqual({ type: "replacement.requested", edits: { 0: "a boat and a boat", 2: "boatping" } });
    find.send({ type: "segments.changed", segments: [said("a boat and a boat"), said("no boat"), said("boatping")] });
    expect([find.places(), find.get(selectReplaced), find.get(selectCanReplaceAny)]).toEqual([[], 3, false]);
    find.send({ type: "search.changed", search: { term: "boat" } });
    expect(find.get(selectReplaced)).toBeNull();
  });

  test("continues at the first passage after replacing all, and counts only hits in the original", () => {
    const find = opened(2);
    expect(find.get(selectReplaced)).toBeNull();
    find.send({ type: "replaceAll.requested" });
    expect(find.emitted.at(-1)).toEqual({ type: "replacement.requested", edits: { 0: "a and a", 2: "ping" } });
    expect([find.get(selectHits), find.get(selectCurrent), find.get(selectReplaced)]).toEqual([[], -1, 3]);
    find.send({ type: "segments.changed", segments: talk });
    expect(find.get(selectCurrent)).toBe(0);
    find.send({ type: "find.closed" });
    expect(find.get(selectReplaced)).toBeNull();
  });

  test("replaces a single hit, and nothing without hits", () => {
    const find = setUp([said("a ship")]);
    expect([find.get(selectIsOpen), find.get(selectCurrent), find.get(selectCanReplace)]).toEqual([false, -1, false]);
    find.send({ type: "find.opened", term: "ship", at: 0 });
    expect([find.get(selectCanReplace), find.get(selectCanReplaceAny), find.get(selectCurrent)]).toEqual([true, true, 0]);
    find.send({ type: "next.requested" });
    expect([find.get(selectCurrent), find.emitted.length]).toEqual([0, 2]);
    find.send({ type: "find.opened", at: 0 });
    expect(find.emitted).toHaveLength(3);
    find.send({ type: "search.changed", search: { term: "none" } });
    find.send({ type: "previous.requested" });
    find.send({ type: "replaceAll.requested" });
    expect([find.get(selectCurrent), find.get(selectCanReplaceAny), find.emitted.length]).toEqual([-1, false, 3]);
    find.send({ type: "search.changed", search: { term: "ship", matchCase: true } });
    expect(find.get(selectSearch)).toEqual({ term: "ship", matchCase: true, wholeWords: false });
  });

  test('replaces only the current hit, and clears the count of the last "replace all"', () => {
    const find = setUp([said("ship ship ship")]);
    find.send({ type: "find.opened", term: "ship", at: 0 });
    find.send({ type: "next.requested" });
    find.send({ type: "replacement.typed", replacement: "x" });
    expect(find.get(selectReplacement)).toBe("x");
    find.send({ type: "replace.requested" });
    expect(find.emitted.at(-1)).toEqual({ type: "replacement.requested", edits: { 0: "ship x ship" } });
    find.send({ type: "segments.changed", segments: [said("ship x ship")] });
    expect([find.get(selectCurrent), find.get(selectHits).map(({ from, to }) => [from, to])]).toEqual([
      1,
      [
        [0, 4],
        [7, 11],
      ],
    ]);
  });
});
