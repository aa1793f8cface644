import { describe, expect, test } from "vitest";
import type { Regroup, Segment } from "#contract/index.ts";
import { draftOf, draftOfChanges, isEmpty, isSame, merged, noChanges, textAt, typed } from "#machines/transcription/changes.ts";
import { noHistory, recorded, reverseOf, steppedBack, steppedForward } from "#machines/transcription/history.ts";
import { fieldOf, openIn, spansOf } from "#machines/transcription/spans.ts";
import { refreshedTyping, regroupedTyping, typingAfter } from "#machines/transcription/typing.ts";
import { transcription } from "#tests/machines/harness.ts";

const said = (start: number, text: string, parts: Partial<Segment> = {}): Segment => ({
  start,
  end: start + 1,
  text,
  words: [{ text, start, end: start + 1, confidence: 0.5 }],
  ...parts,
});
const passage = (text: string) => ({ text, speaker: null });
/** Segment 2 becomes three passages; 5, 6 and 7 become one. */
const split: Regroup = { index: 2, count: 1, passages: [passage("a"), passage("b"), passage("c")] };
const merge: Regroup = { index: 5, count: 3, passages: [passage("m")] };
const both = { edits: {}, regroups: [split, merge] };

describe("merge of two changes", () => {
  const word = (start: number, confidence: number) => ({ start, text: "w", confidence });
  const other = { id: "o", text: "O", by: "anna@example.org" };

  test("takes the later title, text, words and choices, and the first base", () => {
    const one = { edits: {}, title: "1", text: "a", textBase: "a0", words: { 1: word(1, 1), 2: word(2, 1) } };
    const later = {
      edits: {},
      title: "2",
      text: "b",
      textBase: "b0",
      words: { 2: word(2, 0) },
      others: { o: { index: 0, other, present: false } },
    };
    expect(merged(one, later)).toEqual({ ...later, textBase: "a0", words: { 1: word(1, 1), 2: word(2, 0) } });
    expect(merged({ edits: {} }, { edits: {}, text: "b", textBase: "b0" })).toEqual({ edits: {}, text: "b", textBase: "b0" });
    expect(merged({ edits: {}, text: "a" }, { edits: {}, text: "b", textBase: "b0" })).toEqual({ edits: {}, text: "b" });
    expect(merged(noChanges, noChanges)).toEqual({ edits: {} });
  });

  test("the merge of two changes is empty only when nothing is changed", () => {
    expect([isEmpty(noChanges), isEmpty({ edits: { 0: "" } }), isEmpty({ edits: {}, title: "" })]).toEqual([true, false, false]);
  });

  test.each([
    ["title", { edits: {}, title: "a" }, { edits: {}, title: "b" }],
    ["text", { edits: {}, text: "a" }, { edits: {}, text: "b" }],
    ["correction", { edits: { 0: "a", 1: "b" } }, { edits: { 0: "a", 1: "c" } }],
    ["name", { edits: {}, speakers: { 0: "a" } }, { edits: {}, speakers: { 0: "b" } }],
    ["translation", { edits: {}, translations: { 0: "a" } }, { edits: {}, translations: { 0: "b" } }],
    ["word", { edits: {}, words: { 1: word(1, 1) } }, { edits: {}, words: { 1: word(1, 0) } }],
  ])("a draft differs with another %s, and equals a copy", (_, one, another) => {
    expect([isSame(one, another), isSame(one, structuredClone(one))]).toEqual([false, true]);
  });

  test("a draft never equals another change with splits or settled versions", () => {
    const settled = { edits: {}, others: { o: { index: 0, other, present: false } } };
    expect([isSame(both, both), isSame(noChanges, both), isSame(settled, noChanges)]).toEqual([false, false, false]);
  });
});

describe("draft of a change", () => {
  const now = transcription();

  test("contains all typed text and nothing that can be requested again", () => {
    const word = { start: 1, text: "w", confidence: 1 };
    const typedIn = {
      ...both,
      title: "t",
      text: "x",
      textBase: "y",
      bases: { 0: "b" },
      speakers: { 1: null },
      translations: { 1: "z" },
      words: { 1: word },
    };
    expect(draftOf({ ...typedIn, retry: true, targetLanguage: "es", diarize: { speakers: 2 }, recognize: true })).toEqual(
      typedIn,
    );
    expect(Object.keys(draftOf(noChanges))).toEqual(["edits"]);
  });

  test("the draft of a change is null when fields equal what is shown, and counts all fields before loading", () => {
    const typing = { 0: "one", 1: "two" };
    expect(draftOfChanges(noChanges, typing, { saved: now, shown: now })).toBeNull();
    expect(draftOfChanges(noChanges, {}, { saved: now, shown: now })).toBeNull();
    expect(draftOfChanges(noChanges, { ...typing, 1: "2" }, { saved: now, shown: now })).toEqual({
      edits: {},
      typing: { 1: "2" },
      spans: { 1: [1, 2] },
    });
    const before = { spans: { 0: [0, 1] as const } };
    expect(draftOfChanges(noChanges, typing, { saved: null, shown: null }, { spans: { 0: [0, 1] } })).toEqual({
      edits: {},
      typing,
      ...before,
    });
  });

  test("a draft has no spans for missing segments", () => {
    expect(draftOfChanges({ edits: {}, title: "t" }, {}, { saved: now, shown: now })).toEqual({ edits: {}, title: "t" });
    expect(spansOf(now.segments, { edits: { 1: "x", 7: "y" }, speakers: { 0: null } }, { text: "z" })).toEqual({
      0: [0, 1],
      1: [1, 2],
    });
  });
});

describe("field of a transcript", () => {
  const now = transcription({ segments: [said(0, "one", { translation: "uno" }), said(1, "two")] });

  test("the field of a transcript is recognized by its key", () => {
    expect([fieldOf("12"), fieldOf("translation:3"), fieldOf("text")]).toEqual([
      { index: 12, prefix: "" },
      { index: 3, prefix: "translation:" },
      undefined,
    ]);
    expect(openIn({ text: "a", 4: "b", "translation:0": "c" })).toEqual([4, 0]);
  });

  test("an open field begins with the shown text, or empty", () => {
    expect(["0", "translation:0", "translation:1", "9", "text"].map((key) => textAt(now, key))).toEqual([
      "one",
      "uno",
      "",
      "",
      "one two",
    ]);
    expect([textAt(null, "0"), textAt(null, "text")]).toEqual(["", ""]);
    expect([typed({ 0: "a", 1: "b" }, "0", null), typed({ 0: "a" }, "1", "b")]).toEqual([{ 1: "b" }, { 0: "a", 1: "b" }]);
  });

  test("an open field follows the shown text until it is typed in", () => {
    const after = transcription({ segments: [said(0, "ONE", { translation: "UNO" }), said(1, "TWO")] });
    expect(refreshedTyping({ 0: "one", 1: "mine", "translation:0": "uno" }, now, after)).toEqual({
      0: "ONE",
      1: "mine",
      "translation:0": "UNO",
    });
    const typing = { 0: "one" };
    expect(refreshedTyping(typing, now, now)).toBe(typing);
  });

  test("an open field follows a change of its own text or translation, and closes by its own edit", () => {
    const draft = { edits: { 0: "ONE" }, translations: { 0: "UNO", 1: "DOS" }, text: "ALL" };
    const typing = { 0: "one", "translation:0": "uno", "translation:1": "typed", text: "one two", 1: "two" };
    expect(typingAfter({ typing, shown: now }, draft, "1")).toEqual({
      0: "ONE",
      "translation:0": "UNO",
      "translation:1": "typed",
      text: "ALL",
    });
  });

  test("a change moves with its passage through splits and merges", () => {
    const segments = Array.from({ length: 10 }, (_, at) => said(at, `s${at}`));
    const fields = { 1: "x1", 2: "s2", 3: "x3", 5: "s5", 8: "x8", "translation:8": "y8", text: "t" };
    expect(regroupedTyping({ typing: fields, shown: { text: "", segments } }, [split, merge])).toEqual({
      1: "x1",
      5: "x3",
      8: "x8",
      "translation:8": "y8",
      text: "t",
    });
    const typing = { 2: "typed", 6: "typed too", "translation:7": "y7" };
    expect(regroupedTyping({ typing, shown: { text: "", segments } }, [split, merge])).toEqual({
      2: "typed",
      7: "s5 typed too s7",
      "translation:7": "y7",
    });
  });
});

describe("undo step", () => {
  const before = transcription({
    title: "talk",
    segments: [said(0, "one", { speaker: "Ada", translation: "uno" }), said(1, "two"), said(2, "three", { translation: "tres" })],
  });

  test("the reverse of a change restores all changed parts", () => {
    const draft = {
      title: "x",
      text: "y",
      edits: { 0: "ONE", 9: "?" },
      speakers: { 0: "Bea", 1: "Bea" },
      translations: { 0: "UNO", 1: "DOS" },
    };
    expect(reverseOf(draft, before)).toEqual({
      title: "talk",
      text: "one two",
      edits: { 0: "one" },
      speakers: { 0: "Ada", 1: null },
      translations: { 0: "uno", 1: "" },
    });
    expect(reverseOf({ edits: {} }, before)).toEqual({ edits: {} });
  });

  test("restores a word's mark by time and text", () => {
    const mark = { start: 1, text: "two", confidence: 1 };
    expect(reverseOf({ edits: {}, words: { 1: mark } }, before).words).toEqual({ 1: { ...mark, confidence: 0.5 } });
    const both = [said(1, "two"), said(1, "too")].flatMap(({ words }) => words);
    const twice = {
      ...before,
      segments: [said(0, "one"), said(1, "two too", { words: both.map((one, at) => ({ ...one, confidence: at })) })],
    };
    const marks = { 1: { ...mark, text: "too" }, 2: mark };
    expect(Object.values(reverseOf({ edits: {}, words: marks }, twice).words ?? {}).map(({ confidence }) => confidence)).toEqual([
      1, 0,
    ]);
    const apart = {
      ...before,
      segments: [said(1, "two"), said(1, "too", { words: [{ text: "too", start: 1, end: 2, confidence: 0.1 }] })],
    };
    expect(reverseOf({ edits: {}, words: { 1: { ...mark, text: "too" } } }, apart).words).toEqual({
      1: { ...mark, text: "too", confidence: 0.1 },
    });
    const unknown = { ...mark, text: "other" };
    expect(reverseOf({ edits: {}, words: { 1: unknown } }, before).words).toEqual({ 1: { ...unknown, confidence: null } });
  });

  test("restores the translation of a split passage only if the server has the same passage", () => {
    const regroups = [{ index: 2, count: 1, passages: [passage("th"), passage("ree")] }];
    const whole = { index: 2, count: 2, passages: [{ text: "three", speaker: null, translation: "tres", span: [2, 3] }] };
    expect(reverseOf({ edits: {}, regroups }, before).regroups).toEqual([whole]);
    const { translation: _, ...untranslated } = { ...whole.passages[0] };
    for (const parts of [{ text: "Three" }, { start: 1.5 }, { end: 3.5 }]) {
      const saved = { ...before, segments: before.segments.map((one) => ({ ...one, ...parts })) };
      expect(reverseOf({ edits: {}, regroups }, before, saved).regroups).toEqual([{ ...whole, passages: [untranslated] }]);
    }
  });

  test("a step names its first change and the number of changed passages", () => {
    const step = (redo: Parameters<typeof recorded>[2]) =>
      recorded(noHistory, "text", redo, { shown: before, saved: before }).done[0];
    const other = { id: "o", text: "O", by: "anna@example.org" };
    expect(step({ edits: { 2: "x", 1: "y" }, speakers: { 1: "Bea" } })).toMatchObject({ index: 1, count: 2 });
    expect(step({ edits: {}, translations: { 2: "x" } })).toMatchObject({ index: 2, count: 1 });
    expect(step({ edits: {}, title: "x" })).toMatchObject({ index: null, count: 0 });
    expect(step({ edits: {}, regroups: [{ index: 1, count: 2, passages: [passage("x")] }] })).toMatchObject({
      index: 1,
      count: 2,
    });
    expect(step({ edits: {}, words: { 2: { start: 2, text: "three", confidence: 1 } } })).toMatchObject({ index: 2, count: 1 });
    expect(step({ edits: {}, others: { o: { index: 1, other, present: false } } })).toMatchObject({ index: 1, count: 1 });
    expect(step({ edits: { 1: "O" }, others: { o: { index: 1, other, present: false } } })).toMatchObject({ index: 1, count: 1 });
    expect(step({ edits: { 1: "two" } })).toBeUndefined();
  });

  test("undoes the last change, and redoes it until something else changes", () => {
    const versions = { shown: before, saved: before };
    const two = recorded(
      recorded(noHistory, "title", { edits: {}, title: "a" }, versions),
      "text",
      { edits: {}, text: "b" },
      versions,
    );
    const back = steppedBack(two);
    expect([back?.step.kind, back?.history.done.length, back?.history.undone.length]).toEqual(["text", 1, 1]);
    const again = back && steppedForward(back.history);
    expect([again?.step.kind, again?.history]).toEqual(["text", two]);
    expect([steppedBack(noHistory), steppedForward(two)]).toEqual([undefined, undefined]);
    expect(back && recorded(back.history, "title", { edits: {}, title: "c" }, versions).undone).toEqual([]);
  });
});
