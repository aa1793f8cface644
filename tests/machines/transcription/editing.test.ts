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

describe("undo of edits", () => {
  const undo = { type: "undo.requested" } as const;
  const redo = { type: "redo.requested" } as const;
  const speakers = (page: ReturnType<typeof setUp>) => page.get(selectTranscription)?.segments.map(({ speaker }) => speaker);

  test("undoes and redoes edits one by one, across passages and the title", async () => {
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

  test("saves an undo like an edit, and undoes saved edits", async () => {
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

  test("undoes a replacement in one step", async () => {
    const page = await opened();
    page.send({ type: "segments.replaced", edits: { 0: "1", 1: "2" } });
    expect(page.get(selectUndo)).toMatchObject({ kind: "replacement", index: 0, count: 2 });
    page.send(undo);
    expect(texts(page)).toEqual(["one", "two"]);
  });

  test("undo restores a passage's speaker, or its lack of one", async () => {
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

  test("drops the redo when another edit is made", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    page.send(undo);
    page.send(edit(1, "TWO"));
    expect([page.get(selectRedo), page.get(selectUndo)?.index]).toEqual([null, 1]);
  });

  test("ignores an edit that changes nothing", async () => {
    const page = await opened();
    page.send(edit(0, "one"));
    page.send(edit(7, "there is none"));
    page.send({ type: "speaker.named", segments: [0], name: null });
    expect([page.get(selectUndo), page.save.asked.length]).toEqual([null, 0]);
  });

  test("emits the step that was undone or redone", async () => {
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

  test("undoes up to two hundred steps", async () => {
    const page = await opened();
    for (let i = 0; i < 210; i++) page.send(edit(0, `text ${i}`));
    for (let i = 0; i < 210; i++) page.send(undo);
    expect(texts(page)).toEqual(["text 9", "two"]);
  });

  test("the undo history ends when the transcript gets other segments", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    await page.save.last().resolve(transcription({ segments: transcription().segments.slice(1) }));
    expect(page.get(selectUndo)).toBeNull();
  });
});

describe("text that is being typed", () => {
  const type = (key: string, text: string | null) => ({ type: "typing.changed", key, text }) as const;

  test("stores typed text beside pending edits without sending it", async () => {
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

  test("does not store text that equals the original", async () => {
    const page = await opened();
    page.send(type("0", "one"));
    expect([page.get(selectTyping), page.get(selectDraft)]).toEqual([{ 0: "one" }, null]);
  });

  test("restores typed text after a reload", async () => {
    const page = await opened({ edits: {}, typing: { 1: "half a" } });
    expect([page.get(selectTyping), page.save.asked.length]).toEqual([{ 1: "half a" }, 0]);
  });

  test("updates an untouched field after a replacement, and keeps a touched one", async () => {
    const page = await opened();
    page.send(type("0", "one"));
    page.send(type("1", "two and more"));
    page.send({ type: "segments.replaced", edits: { 0: "1", 1: "2" } });
    expect(page.get(selectTyping)).toEqual({ 0: "1", 1: "two and more" });
    page.send({ type: "undo.requested" });
    expect(page.get(selectTyping)).toEqual({ 0: "one", 1: "two and more" });
  });

  test("stores the text typed for a whole transcript, too", async () => {
    const page = await opened(null, transcription({ segments: [], text: "all" }));
    page.send(type("text", "all of"));
    page.send({ type: "text.edited", text: "all of it" });
    expect([page.get(selectTyping), page.get(selectTranscription)?.text]).toEqual([{}, "all of it"]);
    page.send({ type: "undo.requested" });
    expect(page.get(selectTranscription)?.text).toBe("all");
  });
});

describe("refused edit", () => {
  const refused = async () => {
    const page = await opened();
    page.send(edit(0, "too much"));
    await page.save.last().reject("tooLarge");
    return page;
  };

  test.each(["badRequest", "tooLarge", "translationUnavailable"])(
    "stores and shows a refused edit (%s) without a retry",
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

  test("discards a refused edit on request", async () => {
    const page = await refused();
    page.send({ type: "discard.requested" });
    expect([page.changes(), texts(page), page.get(selectDraft), page.save.asked.length]).toEqual([
      "saved",
      ["one", "two"],
      null,
      1,
    ]);
  });

  test("retries a refused edit on request", async () => {
    const page = await refused();
    page.send({ type: "save.requested" });
    expect(page.save.asked).toHaveLength(2);
    await page.save.last().reject("tooLarge");
    expect(page.changes()).toBe("refused");
  });

  test.each([
    ["changed again", edit(0, "less"), { edits: { 0: "less" } }],
    ["edit.undone", { type: "undo.requested" }, { edits: { 0: "one" } }],
  ] as const)("an edit that the server refused is saved when it is %s", async (_, event, sent) => {
    const page = await refused();
    page.send(event);
    expect([page.changes(), page.sent().at(-1)]).toEqual(["saving", sent]);
  });
});
