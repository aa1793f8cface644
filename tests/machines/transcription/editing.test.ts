import { describe, expect, test } from "vitest";
import {
  selectDraft,
  selectIsRefused,
  selectIsSaving,
  selectRedo,
  selectSaveError,
  selectTranscription,
  selectTyping,
  selectUndo,
} from "#machines/transcription/selectors.ts";
import { transcription } from "#tests/machines/harness.ts";
import { opened, type setUp } from "./harness.ts";

const texts = (page: ReturnType<typeof setUp>) => page.get(selectTranscription)?.segments.map(({ text }) => text);
const edit = (index: number, text: string) => ({ type: "segment.edited", index, text }) as const;

describe("undoing", () => {
  const undo = { type: "undo.requested" } as const;
  const redo = { type: "redo.requested" } as const;
  const speakers = (page: ReturnType<typeof setUp>) => page.get(selectTranscription)?.segments.map(({ speaker }) => speaker);

  test("takes back one thing after the other, across segments and the title, and does them again", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    page.send(edit(1, "TWO"));
    page.send({ type: "title.edited", title: "new" });
    expect(page.get(selectUndo)).toMatchObject({ kind: "title", index: null });
    page.send(undo);
    expect([page.get(selectTranscription)?.title, page.get(selectUndo)?.index, page.get(selectRedo)?.kind]).toEqual([
      "talk",
      1,
      "title",
    ]);
    page.send(undo);
    page.send(undo);
    page.send(undo);
    expect([texts(page), page.get(selectUndo)]).toEqual([["one", "two"], null]);
    expect(page.emitted.filter(({ type }) => type === "edit.undone")).toHaveLength(3);
    page.send(redo);
    page.send(redo);
    page.send(redo);
    page.send(redo);
    expect([texts(page), page.get(selectTranscription)?.title, page.get(selectRedo)]).toEqual([["ONE", "TWO"], "new", null]);
  });

  test("is a change that is saved, and what was saved can be undone", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    const [, second] = transcription().segments;
    const saved = transcription({
      segments: [{ ...second, start: 0, end: 1, text: "ONE", words: [] }, ...(second ? [second] : [])],
    });
    await page.save.last().resolve(saved);
    page.send(undo);
    expect([texts(page), page.sent().at(-1), page.get(selectIsSaving)]).toEqual([["one", "two"], { edits: { 0: "one" } }, true]);
    await page.save.last().resolve(transcription());
    page.send(redo);
    expect(page.sent().at(-1)).toEqual({ edits: { 0: "ONE" } });
  });

  test("of a replacement is one step, whatever it changed", async () => {
    const page = await opened();
    page.send({ type: "segments.replaced", edits: { 0: "1", 1: "2" } });
    expect(page.get(selectUndo)).toMatchObject({ kind: "replacement", index: 0, count: 2 });
    page.send(undo);
    expect(texts(page)).toEqual(["one", "two"]);
  });

  test("gives speakers back, nobody where there was nobody", async () => {
    const [first, second] = transcription().segments;
    const loaded = transcription({ segments: first && second ? [{ ...first, speaker: "1" }, second] : [] });
    const page = await opened(null, loaded);
    page.send({ type: "speaker.named", segments: [0, 1], name: "Anna" });
    expect([speakers(page), page.sent()]).toEqual([["Anna", "Anna"], [{ edits: {}, speakers: { 0: "Anna", 1: "Anna" } }]]);
    expect(page.get(selectTranscription)?.segments[0]?.words).toHaveLength(1);
    page.send({ type: "speaker.named", segments: [0], name: null });
    expect(speakers(page)).toEqual([undefined, "Anna"]);
    page.send(undo);
    page.send(undo);
    expect(speakers(page)).toEqual(["1", undefined]);
    await page.save.last().resolve(loaded);
    expect(page.sent().at(-1)).toEqual({ edits: {}, speakers: { 0: "1", 1: null } });
  });

  test("another change is made instead of what was undone", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    page.send(undo);
    page.send(edit(1, "TWO"));
    expect([page.get(selectRedo), page.get(selectUndo)?.index]).toEqual([null, 1]);
  });

  test("what changes nothing is no step, and is not sent", async () => {
    const page = await opened();
    page.send(edit(0, "one"));
    page.send(edit(7, "there is none"));
    page.send({ type: "speaker.named", segments: [0], name: null });
    expect([page.get(selectUndo), page.save.asked.length]).toEqual([null, 0]);
  });

  test("says which step it was, and what is done again", async () => {
    const page = await opened();
    page.send(redo);
    page.send(undo);
    page.send(edit(0, "ONE"));
    page.send(edit(1, "TWO"));
    page.send(undo);
    page.send(undo);
    page.send(redo);
    expect(page.emitted).toMatchObject([
      { type: "edit.undone", step: { kind: "correction", index: 1 } },
      { type: "edit.undone", step: { index: 0 } },
      { type: "edit.redone", step: { index: 0 } },
    ]);
    expect(page.emitted).toHaveLength(3);
  });

  test("goes two hundred steps back", async () => {
    const page = await opened();
    for (let i = 0; i < 210; i++) page.send(edit(0, `text ${i}`));
    for (let i = 0; i < 210; i++) page.send(undo);
    expect(texts(page)).toEqual(["text 9", "two"]);
  });

  test("is over when the transcript has other segments", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    await page.save.last().resolve(transcription({ segments: transcription().segments.slice(1) }));
    expect(page.get(selectUndo)).toBeNull();
  });
});

describe("what is being typed", () => {
  const type = (key: string, text: string | null) => ({ type: "typing.changed", key, text }) as const;

  test("is kept beside what waits to be saved, and is not sent", async () => {
    const page = await opened();
    page.send(type("0", "on"));
    page.send(type("1", "x"));
    expect([page.get(selectDraft), page.save.asked.length]).toEqual([
      { edits: {}, typing: { 0: "on", 1: "x" }, spans: { 0: [0, 1], 1: [1, 2] } },
      0,
    ]);
    page.send(type("1", null));
    page.send(edit(0, "on and on"));
    expect(page.get(selectTyping)).toEqual({});
    await page.save.last().resolve(transcription());
    expect(page.get(selectDraft)).toBeNull();
  });

  test("is not kept where it is the same as before", async () => {
    const page = await opened();
    page.send(type("0", "one"));
    expect([page.get(selectTyping), page.get(selectDraft)]).toEqual([{ 0: "one" }, null]);
  });

  test("is there again after a reload", async () => {
    const page = await opened({ edits: {}, typing: { 1: "half a" } });
    expect([page.get(selectTyping), page.save.asked.length]).toEqual([{ 1: "half a" }, 0]);
  });

  test("a field that nobody has touched follows a replacement; one that was keeps its text", async () => {
    const page = await opened();
    page.send(type("0", "one"));
    page.send(type("1", "two and more"));
    page.send({ type: "segments.replaced", edits: { 0: "1", 1: "2" } });
    expect(page.get(selectTyping)).toEqual({ 0: "1", 1: "two and more" });
    page.send({ type: "undo.requested" });
    expect(page.get(selectTyping)).toEqual({ 0: "one", 1: "two and more" });
  });

  test("in the field for a whole text too", async () => {
    const page = await opened(null, transcription({ segments: [], text: "all" }));
    page.send(type("text", "all of"));
    page.send({ type: "text.edited", text: "all of it" });
    expect([page.get(selectTyping), page.get(selectTranscription)?.text]).toEqual([{}, "all of it"]);
    page.send({ type: "undo.requested" });
    expect(page.get(selectTranscription)?.text).toBe("all");
  });
});

describe("a change that the server does not take", () => {
  const refused = async () => {
    const page = await opened();
    page.send(edit(0, "too much"));
    await page.save.last().reject("tooLarge");
    return page;
  };

  test.each(["badRequest", "tooLarge", "translationUnavailable"])(
    "(%s) is persisted, shown, and not tried again by itself",
    async (code) => {
      const page = await opened();
      page.send(edit(0, "too much"));
      await page.save.last().reject(code);
      expect([page.changes(), page.get(selectSaveError), page.get(selectIsRefused)]).toEqual(["refused", code, true]);
      page.clock.increment(60_000);
      page.send({ type: "page.resumed" });
      expect([page.save.asked.length, texts(page), page.get(selectDraft)]).toEqual([
        1,
        ["too much", "two"],
        { edits: { 0: "too much" }, spans: { 0: [0, 1] } },
      ]);
    },
  );

  test("is discarded on request", async () => {
    const page = await refused();
    page.send({ type: "discard.requested" });
    expect([page.changes(), texts(page), page.get(selectDraft), page.save.asked.length]).toEqual([
      "saved",
      ["one", "two"],
      null,
      1,
    ]);
  });

  test("is tried again on request", async () => {
    const page = await refused();
    page.send({ type: "save.requested" });
    expect(page.save.asked).toHaveLength(2);
    await page.save.last().reject("tooLarge");
    expect(page.changes()).toBe("refused");
  });

  test.each([
    ["changed again", edit(0, "less"), { edits: { 0: "less" } }],
    ["edit.undone", { type: "undo.requested" }, { edits: { 0: "one" } }],
  ] as const)("is saved when it is %s", async (_, event, sent) => {
    const page = await refused();
    page.send(event);
    expect([page.changes(), page.sent().at(-1)]).toEqual(["saving", sent]);
  });
});
