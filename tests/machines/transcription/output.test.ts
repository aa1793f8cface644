import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { type Exporting, type OutputEmitted, outputMachine, selectIsExporting } from "#machines/transcription/output.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp() {
  const exportFile = answering<void, Exporting>();
  const copyText = answering<void, { text: string }>();
  const downloadAudio = answering<void>();
  const machine = outputMachine.provide({
    actors: { exportFile: exportFile.logic, copyText: copyText.logic, downloadAudio: downloadAudio.logic },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: OutputEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  return {
    exportFile,
    copyText,
    downloadAudio,
    emitted,
    send: actor.send.bind(actor),
    isExporting: () => selectIsExporting(actor.getSnapshot()),
  };
}

describe("export of a transcript", () => {
  test("runs one export at a time and emits a failure", async () => {
    const page = setUp();
    page.send({ type: "export.requested", format: "docx", content: "both" });
    page.send({ type: "export.requested", format: "vtt", content: "both" });
    expect([page.exportFile.inputs(), page.isExporting()]).toEqual([[{ format: "docx", content: "both" }], true]);
    await page.exportFile.last().reject("network");
    expect([page.emitted, page.isExporting()]).toEqual([[{ type: "export.failed", code: "network" }], false]);
    page.send({ type: "export.requested", format: "json", content: "both" });
    await page.exportFile.last().resolve();
    expect([page.exportFile.last().input, page.isExporting(), page.emitted.length]).toEqual([
      { format: "json", content: "both" },
      false,
      1,
    ]);
  });

  test("copies the given text and emits success or failure", async () => {
    const page = setUp();
    page.send({ type: "copy.requested", text: "ONE two" });
    page.send({ type: "copy.requested", text: "again" });
    expect(page.copyText.inputs()).toEqual([{ text: "ONE two" }]);
    await page.copyText.last().resolve();
    page.send({ type: "copy.requested", text: "more" });
    await page.copyText.last().reject("NotAllowedError");
    expect(page.emitted).toEqual([{ type: "text.copied" }, { type: "copy.failed", code: "NotAllowedError" }]);
  });

  test("downloads the audio once at a time, and emits that it is gone", async () => {
    const page = setUp();
    page.send({ type: "audio.requested" });
    page.send({ type: "audio.requested" });
    expect([page.downloadAudio.asked.length, page.isExporting()]).toEqual([1, true]);
    await page.downloadAudio.last().resolve();
    page.send({ type: "audio.requested" });
    await page.downloadAudio.last().reject("notFound");
    expect([page.emitted, page.isExporting()]).toEqual([[{ type: "audio.failed", code: "notFound" }], false]);
  });
});
