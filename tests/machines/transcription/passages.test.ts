import { describe, expect, test } from "vitest";
import type { Segment, Transcription } from "#contract/index.ts";
import { selectDraft, selectRedo, selectTranscription, selectTyping, selectUndo } from "#machines/transcription/selectors.ts";
import { transcription } from "#tests/machines/harness.ts";
import { opened, setUp } from "./harness.ts";

const said = (text: string, start: number, parts: Partial<Segment> = {}): Segment => {
  const words = text.split(" ").map((word, at) => ({ text: word, start: start + at, end: start + at + 0.5, confidence: 0.5 }));
  return { start, end: words.at(-1)?.end ?? start, text, words, ...parts };
};
const talk = transcription({
  segments: [said("how are you", 0, { speaker: "1" }), said("fine and you", 4, { speaker: "2" }), said("bye", 8)],
});

type Page = ReturnType<typeof setUp>;
const texts = (page: Page) => page.get(selectTranscription)?.segments.map(({ text }) => text);
const at = (page: Page, index: number) => page.get(selectTranscription)?.segments[index];
const split = (index: number, before: string, after: string) => ({ type: "segment.split", index, before, after }) as const;
const merge = (index: number) => ({ type: "segment.merged", index }) as const;
const undo = { type: "undo.requested" } as const;
const redo = { type: "redo.requested" } as const;
const updated = (segments: Segment[]) => ({ type: "transcription.updated", transcription: talk, segments }) as const;
/** The server's result. */
const served = (segments: Segment[]): Transcription => transcription({ segments });
const parts = [said("how", 0, { speaker: "1" }), said("are you", 1, { speaker: "1" }), ...talk.segments.slice(1)];

describe("split of a passage", () => {
  test("keeps times, marks and speaker, opens the new passage, and is sent at once", async () => {
    const page = await opened(null, talk);
    page.send({ type: "typing.changed", key: "0", text: "how are you" });
    page.send(split(0, "how ", " are you"));
    expect(texts(page)).toEqual(["how", "are you", "fine and you", "bye"]);
    expect(at(page, 0)).toEqual({ ...said("how", 0), speaker: "1" });
    expect(at(page, 1)).toEqual({ ...said("are you", 1), speaker: "1" });
    expect(page.get(selectTyping)).toEqual({ 1: "are you" });
    expect(page.emitted).toEqual([{ type: "passage.split", index: 1, caret: 0 }]);
    const passages = [
      { text: "how", speaker: "1" },
      { text: "are you", speaker: "1" },
    ];
    const regroup = { index: 0, count: 1, passages };
    expect(page.save.inputs()).toEqual([
      {
        id: "t",
        changes: { edits: {}, regroups: [regroup] },
        based: { edits: {}, regroups: [{ ...regroup, bases: ["how are you"] }] },
        spans: { 0: [0, 2.5] },
      },
    ]);
  });

  test("saves the typed text with the split, and moves later fields along", async () => {
    const page = await opened(null, talk);
    page.send({ type: "typing.changed", key: "2", text: "bye, th" });
    page.send(split(0, "How", "are YOU?"));
    expect(texts(page)?.slice(0, 2)).toEqual(["How", "are YOU?"]);
    expect(page.get(selectTyping)).toEqual({ 1: "are YOU?", 3: "bye, th" });
    page.send(undo);
    expect([texts(page)?.[0], page.get(selectTyping)]).toEqual(["how are you", { 2: "bye, th" }]);
  });

  test.each([
    ["before", "", "how are you"],
    ["behind", "how are you", "  "],
  ])("refuses a split with nothing %s, and says so", async (_, before, after) => {
    const page = await opened(null, talk);
    page.send(split(0, before, after));
    expect([page.emitted, page.sent(), texts(page)?.length]).toEqual([[{ type: "regroup.refused", reason: "empty" }], [], 3]);
  });

  test("undoes and redoes a split completely, before and after a save", async () => {
    const page = await opened(null, talk);
    page.send(split(0, "how", "are you"));
    expect(page.get(selectUndo)).toMatchObject({ kind: "split", index: 0 });
    page.send(undo);
    expect(page.get(selectTranscription)?.segments).toEqual(talk.segments);
    page.send(redo);
    await page.save.last().resolve(served(parts));
    await page.save.last().resolve(served(parts));
    expect([texts(page), page.get(selectRedo)]).toEqual([["how", "are you", "fine and you", "bye"], null]);
    page.send(undo);
    const whole = { text: "how are you", speaker: "1", span: [0, 2.5] };
    expect(page.sent().at(-1)).toEqual({ edits: {}, regroups: [{ index: 0, count: 2, passages: [whole] }] });
    await page.save.last().resolve(talk);
    expect(page.get(selectTranscription)).toEqual(talk);
    page.send(redo);
    expect(texts(page)).toEqual(["how", "are you", "fine and you", "bye"]);
  });
});

describe("merge of passages", () => {
  test("keeps the first speaker, joins the translations, and puts the cursor at the seam", async () => {
    const translated = talk.segments.map((segment, index) => ({ ...segment, translation: ["uno", "dos", "tres"][index] ?? "" }));
    const page = await opened(null, served(translated));
    page.send(merge(1));
    expect(at(page, 0)).toMatchObject({
      text: "how are you fine and you",
      speaker: "1",
      start: 0,
      end: 6.5,
      translation: "uno dos",
    });
    expect(at(page, 0)?.words).toHaveLength(6);
    expect(page.get(selectTyping)).toEqual({ 0: "how are you fine and you" });
    expect(page.emitted).toEqual([{ type: "passage.merged", index: 0, caret: "how are you ".length }]);
    page.send(undo);
    expect(
      page.get(selectTranscription)?.segments.map(({ speaker, translation, start }) => [speaker, translation, start]),
    ).toEqual([
      ["1", "uno", 0],
      ["2", "dos", 4],
      [undefined, "tres", 8],
    ]);
  });

  test("a merge includes the typed text of both fields", async () => {
    const page = await opened(null, talk);
    page.send({ type: "typing.changed", key: "0", text: "How are you?" });
    page.send({ type: "typing.changed", key: "1", text: "Fine, and you?" });
    page.send(merge(1));
    expect([texts(page)?.[0], page.get(selectTyping)]).toEqual([
      "How are you? Fine, and you?",
      { 0: "How are you? Fine, and you?" },
    ]);
  });

  test.each([
    ["the first passage", 0, talk, "first"],
    ["a passage that is not there", 9, talk, "first"],
    [
      "turns of a conversation",
      1,
      served([said("hi", 0, { turn: "a" }), said("hola", 2, { turn: "b", language: "es-ES" })]),
      "turns",
    ],
    ["more than fits", 1, served([said("a".repeat(12_000), 0), said("b".repeat(12_000), 2)]), "tooLong"],
  ])("refuses a merge for %s", async (_, index, loaded, reason) => {
    const page = await opened(null, loaded);
    page.send(merge(index));
    expect([page.emitted, page.sent()]).toEqual([[{ type: "regroup.refused", reason }], []]);
  });

  test("keeps text typed in the merged field when the merge is undone", async () => {
    const page = await opened(null, talk);
    page.send(merge(1));
    page.send({ type: "typing.changed", key: "0", text: "how are you fine and you, then" });
    page.send(undo);
    expect(texts(page)).toEqual(["how are you", "fine and you", "bye"]);
    expect(page.get(selectTyping)).toEqual({ 0: "how are you fine and you, then" });
  });
});

describe("several splits and merges without a network", () => {
  test("sends them as one change, and stores them until they are saved", async () => {
    const page = await opened(null, talk);
    page.send({ type: "segment.edited", index: 2, text: "Bye!" });
    await page.save.last().reject("network");
    page.send(split(1, "fine", "and you"));
    page.send({ type: "segment.edited", index: 2, text: "And you?" });
    page.send({ type: "speaker.named", segments: [2, 3], name: "Ada" });
    page.send(split(0, "how", "are you"));
    page.send(merge(1));
    page.send({ type: "typing.changed", key: "3", text: "Bye, th" });
    expect(texts(page)).toEqual(["how are you", "fine", "And you?", "Bye!"]);
    const kept = page.get(selectDraft);
    expect(kept).toEqual({
      edits: { 2: "Bye!" },
      speakers: { 2: "Ada" },
      regroups: [
        { index: 0, count: 1, passages: [{ text: "how are you", speaker: "1" }] },
        {
          index: 1,
          count: 1,
          passages: [
            { text: "fine", speaker: "2" },
            { text: "And you?", speaker: "Ada" },
          ],
        },
      ],
      typing: { 3: "Bye, th" },
      spans: { 0: [0, 2.5], 1: [4, 6.5], 2: [8, 8.5] },
      fields: { 3: [8, 8.5] },
    });
    const again = setUp(kept);
    expect(again.get(selectDraft)).toEqual(kept);
    await again.load.last().resolve(talk);
    expect(texts(again)).toEqual(["how are you", "fine", "And you?", "Bye!"]);
    expect(again.get(selectTyping)).toEqual({ 3: "Bye, th" });
    expect(again.sent()).toEqual([{ edits: kept?.edits, speakers: kept?.speakers, regroups: kept?.regroups }]);
  });

  test("merges a split passage with the passages around it", async () => {
    const page = await opened(null, talk);
    page.send(split(1, "fine", "and you"));
    await page.save.last().reject("network");
    page.send(merge(1));
    page.send(merge(2));
    expect(texts(page)).toEqual(["how are you fine", "and you bye"]);
    const passages = [
      { text: "how are you fine", speaker: "1" },
      { text: "and you bye", speaker: "2" },
    ];
    page.send({ type: "save.requested" });
    expect(page.sent().at(-1)).toEqual({ edits: {}, regroups: [{ index: 0, count: 3, passages }] });
    page.send(undo);
    page.send(undo);
    page.send(undo);
    expect(page.get(selectTranscription)?.segments).toEqual(talk.segments);
  });
});

describe("splits and merges during updates of the server", () => {
  test("does not repeat a split that arrives before its answer", async () => {
    const page = await opened(null, talk);
    page.send(split(0, "how", "are you"));
    page.send({ type: "segment.edited", index: 1, text: "ARE you" });
    page.send(updated(parts));
    expect(texts(page)).toEqual(["how", "ARE you", "fine and you", "bye"]);
    expect(page.get(selectUndo)?.kind).toBe("correction");
    await page.save.last().resolve(served(parts));
    expect(page.sent().at(-1)).toEqual({ edits: { 1: "ARE you" }, bases: { 1: "are you" } });
    expect(page.get(selectUndo)?.kind).toBe("correction");
  });

  test("does not repeat a merge that arrives before its answer", async () => {
    const page = await opened(null, talk);
    page.send(merge(1));
    const whole = { ...said("how are you fine and you", 0, { speaker: "1" }), end: 6.5, words: [] };
    const now = [whole, ...talk.segments.slice(2)];
    page.send(updated(now));
    expect(texts(page)).toEqual(["how are you fine and you", "bye"]);
    await page.save.last().reject("network");
    page.send({ type: "save.requested" });
    await page.save.last().resolve(served(now));
    expect([texts(page), page.changes()]).toEqual([["how are you fine and you", "bye"], "saved"]);
  });

  test("keeps later edits with their passage when the server splits elsewhere", async () => {
    const page = await opened(null, talk);
    page.send(split(0, "how", "are you"));
    page.send({ type: "segment.edited", index: 1, text: "Are you?" });
    page.send({ type: "typing.changed", key: "2", text: "fine a" });
    const [first, second, ...others] = parts;
    const cut = [{ ...first, end: 2.2 }, { ...second, start: 2.2 }, ...others].map((segment) => ({
      ...said("x", 0),
      ...segment,
    }));
    await page.save.last().resolve(served(cut));
    expect(texts(page)).toEqual(["how", "Are you?", "fine and you", "bye"]);
    expect([page.sent().at(-1), page.get(selectTyping)[2]]).toEqual([{ edits: { 1: "Are you?" } }, "fine a"]);
  });

  test("shifts the indices when another tab splits another passage", async () => {
    const page = await opened(null, talk);
    page.send(split(1, "fine", "and you"));
    page.send(updated(parts));
    expect(texts(page)).toEqual(["how", "are you", "fine", "and you", "bye"]);
    await page.save.last().reject("network");
    page.send({ type: "save.requested" });
    expect(page.save.inputs().at(-1)).toMatchObject({ changes: { regroups: [{ index: 2, count: 1 }] }, spans: { 2: [4, 6.5] } });
    expect(page.get(selectUndo)).toBeNull();
  });

  test("keeps typed text in the merged field when another tab merges its passage", async () => {
    const page = await opened(null, talk);
    page.send({ type: "segment.edited", index: 1, text: "Fine! And you?" });
    page.send({ type: "typing.changed", key: "2", text: "Good bye" });
    await page.save.last().reject("conflict");
    page.send(updated([{ ...said("how are you fine and you bye", 0), end: 8.5 }]));
    expect(texts(page)).toEqual(["how are you fine and you bye"]);
    expect(page.get(selectTyping)).toEqual({ 0: "how are you Fine! And you? Good bye" });
    page.clock.increment(15_000);
    expect(page.sent().at(-1)).toEqual({ edits: {} });
  });

  test("another user's correction appears in untouched fields only", async () => {
    const page = await opened(null, talk);
    page.send({ type: "typing.changed", key: "0", text: "how are you" });
    page.send({ type: "typing.changed", key: "1", text: "Fine" });
    page.send(
      updated([{ ...said("How are you?", 0), end: 2.5 }, { ...said("fine and me", 4), end: 6.5 }, ...talk.segments.slice(2)]),
    );
    expect(page.get(selectTyping)).toEqual({ 0: "How are you?", 1: "Fine" });
  });

  test("does not duplicate typed text that a merge already contains", async () => {
    const page = await opened(null, talk);
    page.send({ type: "typing.changed", key: "1", text: "Fine, thanks" });
    page.send(updated([{ ...said("how are you Fine, thanks", 0), end: 6.5 }, said("bye", 8)]));
    expect(page.get(selectTyping)).toEqual({ 0: "how are you Fine, thanks" });
    expect(page.get(selectDraft)).toBeNull();
  });

  test("appends typed text to a passage that others have rewritten and merged", async () => {
    const page = await opened(null, talk);
    page.send({ type: "typing.changed", key: "1", text: "Fine, thanks" });
    page.send(updated([{ ...said("how are you well and you", 0), end: 6.5 }, said("bye", 8)]));
    expect(page.get(selectTyping)).toEqual({ 0: "how are you well and you Fine, thanks" });
  });

  test("moves the text of a planned split to the passage that now contains it", async () => {
    const page = await opened(null, talk);
    page.send(split(1, "Fine", "and YOU"));
    page.send(updated([{ ...said("how are you fine and you", 0), end: 6.5 }, said("bye", 8)]));
    expect(texts(page)).toEqual(["how are you fine and you", "bye"]);
    expect(Object.values(page.get(selectTyping)).join("|")).toContain("how are you Fine and YOU");
  });
});

describe("confirmed word", () => {
  const confirmed = { type: "word.confirmed", start: 4, text: "fine" } as const;
  const mark = { start: 4, text: "fine", confidence: 1 };
  const sureness = (page: Page, index: number) => at(page, index)?.words.map(({ confidence }) => confidence);

  test("a confirmed word loses its mark, which is saved, undone and redone", async () => {
    const page = await opened(null, talk);
    page.send(confirmed);
    expect(sureness(page, 1)).toEqual([1, 0.5, 0.5]);
    expect(page.sent()).toEqual([{ edits: {}, words: { 4: mark } }]);
    expect(page.get(selectUndo)).toMatchObject({ kind: "word", index: 1, count: 1 });
    await page.save.last().resolve(page.get(selectTranscription) ?? talk);
    page.send(undo);
    expect(page.sent().at(-1)).toEqual({ edits: {}, words: { 4: { ...mark, confidence: 0.5 } } });
    page.send(redo);
    expect(sureness(page, 1)).toEqual([1, 0.5, 0.5]);
  });

  test("a confirmed word is found after splits, merges and a reload", async () => {
    const page = await opened(null, talk);
    page.send(confirmed);
    await page.save.last().reject("network");
    page.send(merge(1));
    expect(sureness(page, 0)).toEqual([0.5, 0.5, 0.5, 1, 0.5, 0.5]);
    const again = setUp(page.get(selectDraft));
    await again.load.last().resolve(talk);
    expect(sureness(again, 0)).toEqual([0.5, 0.5, 0.5, 1, 0.5, 0.5]);
    expect(again.sent()).toMatchObject([{ words: { 4: mark } }]);
  });

  test("a word that is confirmed twice makes one step of undo", async () => {
    const page = await opened(null, talk);
    page.send(confirmed);
    page.send(confirmed);
    page.send(undo);
    expect([sureness(page, 1), page.get(selectUndo)]).toEqual([[0.5, 0.5, 0.5], null]);
  });
});

describe("corrected translation", () => {
  const translated = served(talk.segments.map((segment, index) => ({ ...segment, translation: `es ${index}` })));
  const edit = (index: number, text: string) => ({ type: "translation.edited", index, text }) as const;
  const translations = (page: Page) => page.get(selectTranscription)?.segments.map(({ translation }) => translation);

  test("the corrected translation is saved, undone and redone, and its field closes", async () => {
    const page = await opened(null, translated);
    page.send({ type: "typing.changed", key: "translation:1", text: "bien, ¿y" });
    expect(page.get(selectDraft)).toEqual({ edits: {}, typing: { "translation:1": "bien, ¿y" }, spans: { 1: [4, 6.5] } });
    page.send(edit(1, "bien, ¿y tú?"));
    expect([page.sent(), page.get(selectTyping)]).toEqual([[{ edits: {}, translations: { 1: "bien, ¿y tú?" } }], {}]);
    expect(page.save.inputs().at(-1)?.spans).toEqual({ 1: [4, 6.5] });
    expect([translations(page), page.get(selectUndo)?.kind]).toEqual([["es 0", "bien, ¿y tú?", "es 2"], "translation"]);
    page.send(undo);
    expect(translations(page)).toEqual(["es 0", "es 1", "es 2"]);
    page.send(redo);
    expect(translations(page)).toEqual(["es 0", "bien, ¿y tú?", "es 2"]);
  });

  test("a corrected translation moves with its passage through splits and merges, and is dropped when the text changes", async () => {
    const page = await opened(null, translated);
    page.send(edit(1, "bien"));
    await page.save.last().reject("network");
    page.send(split(0, "how", "are you"));
    page.send(edit(3, "adiós"));
    page.send({ type: "segment.edited", index: 2, text: "Fine." });
    page.send({ type: "save.requested" });
    expect(page.sent().at(-1)).toMatchObject({ edits: { 1: "Fine." }, translations: { 2: "adiós" } });
    page.send(merge(3));
    expect(page.get(selectDraft)?.regroups?.at(-1)).toEqual({
      index: 1,
      count: 2,
      passages: [{ text: "Fine. bye", speaker: "2" }],
    });
  });

  test("a translation that is being typed survives a split, a merge and their undo", async () => {
    const page = await opened(null, translated);
    page.send({ type: "typing.changed", key: "translation:1", text: "bien, bien" });
    page.send(split(0, "how", "are you"));
    expect(page.get(selectTyping)).toEqual({ 1: "are you", "translation:2": "bien, bien" });
    page.send(merge(2));
    expect(page.get(selectTyping)).toMatchObject({ "translation:1": "bien, bien" });
    page.send(undo);
    expect(page.get(selectTyping)).toMatchObject({ "translation:1": "bien, bien" });
    page.send(updated([...translated.segments]));
    expect(Object.values(page.get(selectTyping)).join()).toContain("bien, bien");
  });
});
