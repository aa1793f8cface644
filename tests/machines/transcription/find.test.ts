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
} from "#machines/transcription/find/machine.ts";
import { findHits, replaced } from "#machines/transcription/find/rules.ts";
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

describe("what is found", () => {
  const found = (text: string, parts: Partial<typeof search>) =>
    findHits([said(text)], { ...search, ...parts }).map(({ from, to }) => text.slice(from, to));

  test.each([
    ["whatever the case", "Ship ship", {}, ["Ship", "ship"]],
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
  ])("%s", (_, text, parts, expected) => {
    expect(found(text, parts)).toEqual(expected);
  });

  test("is replaced in the original, to the letter; translations are left", () => {
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

describe("going from hit to hit", () => {
  test("opens with a term, at the place that is looked at, and shows what is found", () => {
    const find = opened(1);
    expect(find.places()).toEqual(["0 text", "0 text", "1 translation", "2 text"]);
    expect([find.get(selectCurrent), find.emitted]).toEqual([
      2,
      [{ type: "hit.shown", hit: expect.objectContaining({ index: 1, side: "translation" }) }],
    ]);
  });

  test("goes round in both directions", () => {
    const find = opened();
    const current = () => find.get(selectCurrent);
    find.send({ type: "previous.requested" });
    expect(current()).toBe(3);
    find.send({ type: "next.requested" });
    expect(current()).toBe(0);
    find.send({ type: "next.requested" });
    expect([current(), find.emitted.length]).toEqual([1, 4]);
  });

  test("a longer term stays where it is, if it can; without hits nothing is shown", () => {
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

  test("closed, nothing is found; opened again, it knows the term", () => {
    const find = opened();
    find.send({ type: "find.closed" });
    expect([find.get(selectIsOpen), find.places()]).toEqual([false, []]);
    find.send({ type: "find.opened", at: 2 });
    expect([find.places().length, find.get(selectCurrent)]).toEqual([4, 3]);
    find.send({ type: "find.opened", at: 0, term: "boat" });
    expect(find.places()).toEqual(["1 text"]);
  });

  test("a correction elsewhere keeps the place", () => {
    const find = opened();
    find.send({ type: "previous.requested" });
    find.send({ type: "segments.changed", segments: [said("nothing"), ...talk.slice(1)] });
    expect([find.places(), find.get(selectCurrent)]).toEqual([["1 translation", "2 text"], 1]);
  });
});

describe("replacing", () => {
  test("one emits the text, and goes on behind it, even if it holds the term itself", () => {
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

  test("is not done in a translation", () => {
    const find = opened(1);
    expect([find.get(selectCanReplace), find.get(selectCanReplaceAny)]).toEqual([false, true]);
    find.send({ type: "replace.requested" });
    expect(find.emitted.filter(({ type }) => type === "replacement.requested")).toEqual([]);
  });

  test("all at once emits all texts, and how many there were", () => {
    const find = opened();
    find.send({ type: "replacement.typed", replacement: "boat" });
    find.send({ type: "replaceAll.requested" });
    expect(find.emitted.at(-1)).toEqual({ type: "replacement.requested", edits: { 0: "a boat and a boat", 2: "boatping" } });
    find.send({ type: "segments.changed", segments: [said("a boat and a boat"), said("no boat"), said("boatping")] });
    expect([find.places(), find.get(selectReplaced), find.get(selectCanReplaceAny)]).toEqual([[], 3, false]);
    find.send({ type: "search.changed", search: { term: "boat" } });
    expect(find.get(selectReplaced)).toBeNull();
  });
});
