import { describe, expect, test } from "vitest";
import {
  selectDraft,
  selectIsMissing,
  selectIsSaving,
  selectLoadError,
  selectSaveError,
  selectTranscription,
  selectTranslatingTo,
} from "#machines/transcription/selectors.ts";
import { row, transcription } from "#tests/machines/harness.ts";
import { opened, setUp } from "./harness.ts";

const texts = (page: ReturnType<typeof setUp>) => page.get(selectTranscription)?.segments.map(({ text }) => text);
const edit = (index: number, text: string) => ({ type: "segment.edited", index, text }) as const;

describe("opening of a transcript", () => {
  test("loads the transcript, then follows its updates", async () => {
    const page = setUp();
    expect([page.state(), page.load.inputs(), page.updates.running(), page.get(selectTranscription)]).toEqual([
      "loading",
      [{ id: "t" }],
      0,
      null,
    ]);
    await page.load.last().resolve(transcription());
    expect(page.get(selectTranscription)).toEqual(transcription());
    expect([page.changes(), page.updates.running(), page.save.asked.length]).toEqual(["saved", 1, 0]);
  });

  test.each(["notFound", "gone"])("reports a missing transcript (%s) until it is requested again", async (code) => {
    const page = setUp();
    await page.load.last().reject(code);
    expect([page.get(selectIsMissing), page.get(selectLoadError)]).toEqual([true, null]);
    page.send({ type: "reload.requested" });
    expect(page.state()).toBe("loading");
  });

  test("shows why loading failed, and retries on request or when the network is back", async () => {
    const page = setUp();
    await page.load.last().reject("network");
    expect([page.get(selectLoadError), page.get(selectIsMissing)]).toEqual(["network", false]);
    page.wakeUps.say({ type: "page.resumed" });
    expect([page.state(), page.get(selectLoadError)]).toEqual(["loading", null]);
    await page.load.last().reject("internal");
    page.send({ type: "reload.requested" });
    await page.load.last().resolve(transcription());
    expect(page.changes()).toBe("saved");
  });

  test("a closed transcript stops all its actors", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    page.stop();
    expect([page.updates.running(), page.wakeUps.running(), page.save.last().signal.aborted]).toEqual([0, 0, true]);
  });
});

describe("updates of a transcript", () => {
  test("updates of a transcript update the summary, and the segments only if they differ", async () => {
    const page = await opened();
    page.updates.say({ type: "transcription.updated", transcription: { ...row(1), id: "t", title: "renamed" } });
    expect([page.get(selectTranscription)?.title, texts(page)]).toEqual(["renamed", ["one", "two"]]);
    const segments = [{ start: 0, end: 1, text: "three", words: [] }];
    page.updates.say({ type: "transcription.updated", transcription: { ...row(1), id: "t" }, segments });
    expect(texts(page)).toEqual(["three"]);
    expect(page.get(selectTranscription)).toMatchObject({ fileName: null, engine: null });
  });

  test("updates of a transcript do not overwrite typed text", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    page.send({ type: "title.edited", title: "mine" });
    page.updates.say({ type: "transcription.updated", transcription: { ...row(1), id: "t", title: "theirs" } });
    expect([page.get(selectTranscription)?.title, texts(page)]).toEqual(["mine", ["ONE", "two"]]);
  });
});

test("reports a transcript that is no longer shared, and keeps what was typed", async () => {
  const page = await opened();
  page.send(edit(0, "ONE"));
  page.send({ type: "typing.changed", key: "1", text: "tw" });
  page.updates.say({ type: "access.withdrawn" });
  expect([page.get(selectIsMissing), page.updates.running(), page.save.last().signal.aborted]).toEqual([true, 0, true]);
  expect(page.get(selectDraft)).toMatchObject({ edits: { 0: "ONE" }, typing: { 1: "tw" } });
  page.send({ type: "reload.requested" });
  await page.load.last().resolve(transcription());
  expect(page.sent()).toEqual([{ edits: { 0: "ONE" } }, { edits: { 0: "ONE" } }]);
});

describe("correction of a transcript", () => {
  test("shows and sends a correction at once, and takes the server's answer", async () => {
    const page = await opened();
    page.send(edit(1, "TWO"));
    expect(texts(page)).toEqual(["one", "TWO"]);
    expect(page.get(selectTranscription)?.segments.map(({ words }) => words.length)).toEqual([1, 0]);
    expect(page.get(selectTranscription)?.text).toBe("one TWO");
    expect(page.get(selectIsSaving)).toBe(true);
    expect(page.save.inputs()).toEqual([
      {
        id: "t",
        changes: { edits: { 1: "TWO" } },
        // The base version is included, because another user may change it, too.
        based: { edits: { 1: "TWO" }, bases: { 1: "two" } },
        spans: { 1: [1, 2] },
      },
    ]);
    const saved = transcription({ text: "one TWO, as the server has it" });
    await page.save.last().resolve(saved);
    expect(page.get(selectTranscription)).toBe(saved);
    expect([page.changes(), page.get(selectDraft), page.emitted]).toEqual([
      "saved",
      null,
      [{ type: "transcription.changed", transcription: saved }],
    ]);
  });

  test("sends corrections made during a save together afterwards", async () => {
    const page = await opened();
    page.send(edit(0, "first"));
    page.send(edit(0, "second"));
    page.send(edit(1, "other"));
    page.send({ type: "title.edited", title: "new title" });
    expect(page.sent()).toHaveLength(1);
    await page.save.last().resolve(transcription({ title: "talk", segments: [] }));
    await page.save.last().resolve(transcription());
    const later = { title: "new title", edits: { 0: "second", 1: "other" }, bases: { 0: "first", 1: "two" } };
    expect(page.sent()).toEqual([{ edits: { 0: "first" } }, later]);
    expect([page.changes(), page.save.asked.length]).toEqual(["saved", 2]);
  });

  test("keeps text that was typed before the answer", async () => {
    const page = await opened();
    page.send(edit(0, "first"));
    page.send(edit(1, "later"));
    await page.save.last().resolve(transcription());
    expect(texts(page)).toEqual(["one", "later"]);
  });

  test("saves the whole text of a transcript without segments", async () => {
    const page = await opened(null, transcription({ segments: [] }));
    page.send({ type: "text.edited", text: "all new" });
    expect(page.get(selectTranscription)?.text).toBe("all new");
    expect(page.sent()).toEqual([{ text: "all new", edits: {} }]);
  });
});

describe("failed save of a transcript", () => {
  test("keeps the corrections, reports the failure once, and retries after 15 s", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    await page.save.last().reject("network");
    expect([page.changes(), texts(page), page.get(selectSaveError)]).toEqual(["unsaved", ["ONE", "two"], "network"]);
    page.clock.increment(14_999);
    expect(page.save.asked).toHaveLength(1);
    page.clock.increment(1);
    expect([page.sent().at(-1), page.get(selectSaveError)]).toEqual([{ edits: { 0: "ONE" } }, null]);
    await page.save.last().reject("internal");
    expect([page.get(selectSaveError), page.emitted]).toEqual(["internal", [{ type: "save.failed", code: "network" }]]);
    page.clock.increment(15_000);
    await page.save.last().resolve(transcription());
    page.send(edit(0, "once more"));
    await page.save.last().reject("network");
    expect(page.emitted.filter(({ type }) => type === "save.failed")).toHaveLength(2);
  });

  test.each(["save.requested", "page.resumed"] as const)(
    "retries a failed save at once on %s, with later corrections",
    async (type) => {
      const page = await opened();
      page.send(edit(0, "ONE"));
      page.send(edit(0, "during"));
      await page.save.last().reject("network");
      page.send(edit(1, "after"));
      expect([texts(page), page.get(selectDraft)]).toEqual([
        ["during", "after"],
        { edits: { 0: "during", 1: "after" }, spans: { 0: [0, 1], 1: [1, 2] } },
      ]);
      if (type === "page.resumed") page.wakeUps.say({ type });
      else page.send({ type });
      expect(page.sent().at(-1)).toEqual({ edits: { 0: "during", 1: "after" } });
      page.clock.increment(15_000);
      expect(page.save.asked).toHaveLength(2);
    },
  );

  test("reports a deleted transcript, and sends the corrections if it returns", async () => {
    const page = await opened();
    page.send(edit(0, "ONE"));
    await page.save.last().reject("notFound");
    expect([page.get(selectIsMissing), page.updates.running()]).toEqual([true, 0]);
    expect(page.get(selectDraft)).toEqual({ edits: { 0: "ONE" }, spans: { 0: [0, 1] } });
    page.send({ type: "reload.requested" });
    await page.load.last().resolve(transcription());
    expect(page.sent().at(-1)).toEqual({ edits: { 0: "ONE" } });
    expect(page.save.asked).toHaveLength(2);
  });
});

describe("translation of a transcript", () => {
  const ask = (targetLanguage: string | null) => ({ type: "translation.requested", targetLanguage }) as const;

  test.each(["es", null])("requests a translation to %s and shows it as pending", async (language) => {
    const page = await opened();
    expect(page.get(selectTranslatingTo)).toBeUndefined();
    page.send(ask(language));
    expect([page.get(selectTranslatingTo), page.sent()]).toEqual([language, [{ targetLanguage: language, edits: {} }]]);
    expect(page.get(selectDraft)).toBeNull();
    await page.save.last().resolve(transcription({ targetLanguage: language }));
    expect(page.get(selectTranslatingTo)).toBeUndefined();
  });

  test("emits a failed request, and sends later corrections without it", async () => {
    const page = await opened();
    page.send({ type: "title.edited", title: "first" });
    page.send(ask("es"));
    page.send(edit(0, "ONE"));
    await page.save.last().resolve(transcription());
    expect(page.sent().at(-1)).toEqual({ targetLanguage: "es", edits: { 0: "ONE" } });
    await page.save.last().reject("translationFailed");
    expect(page.emitted.at(-1)).toEqual({ type: "translation.failed", code: "translationFailed" });
    expect([page.sent().at(-1), texts(page)]).toEqual([{ edits: { 0: "ONE" } }, ["ONE", "two"]]);
    expect([page.get(selectTranslatingTo), page.get(selectSaveError)]).toEqual([undefined, null]);
    await page.save.last().resolve(transcription());
    expect([page.changes(), page.save.asked.length]).toEqual(["saved", 3]);
  });

  test("leaves nothing unsaved when only the request failed", async () => {
    const page = await opened();
    page.send(ask("es"));
    await page.save.last().reject("translationUnavailable");
    expect([page.changes(), page.save.asked.length, page.get(selectDraft)]).toEqual(["saved", 1, null]);
  });

  test("requests another translation language that was chosen during a request", async () => {
    const page = await opened();
    page.send(ask("es"));
    page.send(ask("fr"));
    await page.save.last().reject("translationFailed");
    expect(page.sent().at(-1)).toEqual({ targetLanguage: "fr", edits: {} });
  });

  test("does not hide a later failed save", async () => {
    const page = await opened();
    page.send(ask("es"));
    await page.save.last().reject("translationFailed");
    page.send(edit(0, "ONE"));
    await page.save.last().reject("network");
    expect([page.changes(), page.emitted.at(-1)]).toEqual(["unsaved", { type: "save.failed", code: "network" }]);
  });
});

describe("retry of the server's work", () => {
  test("asks the server to retry a failed transcription", async () => {
    const page = await opened(null, transcription({ status: "failed" }));
    page.send({ type: "retry.requested" });
    expect(page.sent()).toEqual([{ retry: true, edits: {} }]);
    await page.save.last().resolve(transcription({ status: "processing" }));
    expect([page.get(selectTranscription)?.status, page.changes()]).toEqual(["processing", "saved"]);
  });

  test.each(["retry", "recognition"] as const)(
    "emits a retry that is not possible, and does not repeat it (%s)",
    async (work) => {
      const page = await opened();
      page.send({ type: `${work}.requested` });
      await page.save.last().reject("network");
      expect([page.emitted, page.changes()]).toEqual([[{ type: `${work}.failed`, code: "network" }], "saved"]);
      page.clock.increment(60_000);
      expect(page.save.asked).toHaveLength(1);
    },
  );
});

describe("drafts of a transcript", () => {
  test("shows and sends stored drafts when the transcript opens", async () => {
    const page = await opened({ title: "kept", edits: { 1: "TWO" } });
    expect([page.get(selectTranscription)?.title, texts(page)]).toEqual(["kept", ["one", "TWO"]]);
    expect(page.sent()).toEqual([{ title: "kept", edits: { 1: "TWO" } }]);
    await page.save.last().resolve(transcription());
    expect(page.get(selectDraft)).toBeNull();
  });

  test("keeps drafts as long as they can't be sent", async () => {
    const page = setUp({ edits: { 0: "ONE" } });
    expect(page.get(selectDraft)).toEqual({ edits: { 0: "ONE" } });
    await page.load.last().reject("network");
    expect(page.get(selectDraft)).toEqual({ edits: { 0: "ONE" } });
  });

  test("contains sent and pending edits, but no repeatable requests", async () => {
    const page = await opened();
    page.send({ type: "title.edited", title: "mine" });
    page.send(edit(0, "ONE"));
    page.send({ type: "translation.requested", targetLanguage: "es" });
    page.send({ type: "retry.requested" });
    expect(page.get(selectDraft)).toEqual({ title: "mine", edits: { 0: "ONE" }, spans: { 0: [0, 1] } });
  });
});
