import { expect, test } from "vitest";
import { createActor } from "xstate";
import { type ExportOptionsEmitted, exportsMachine, selectChoice, selectIsFlawed } from "#machines/exports/machine.ts";
import { columnsIn, lookOf, usualChoice } from "#machines/exports/rules.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

function setUp() {
  const actor = stopsAfterTest(createActor(exportsMachine, { input: { choice: usualChoice } }));
  const wanted: ExportOptionsEmitted["wanted"][] = [];
  actor.on("file.wanted", (event) => wanted.push(event.wanted));
  actor.start();
  return {
    wanted,
    send: actor.send.bind(actor),
    choice: () => selectChoice(actor.getSnapshot()),
    isFlawed: () => selectIsFlawed(actor.getSnapshot()),
  };
}

test("exports a file with the chosen options, and remembers times for each format", () => {
  const { wanted, send } = setUp();
  send({ type: "times.toggled" });
  send({ type: "file.requested" });
  send({ type: "format.chosen", format: "txt" });
  send({ type: "times.toggled" });
  send({ type: "speakers.toggled" });
  send({ type: "content.chosen", content: "translation" });
  send({ type: "file.requested" });
  send({ type: "format.chosen", format: "srt" });
  send({ type: "columns.typed", text: " 32 " });
  send({ type: "lines.chosen", lines: 1 });
  send({ type: "file.requested" });
  expect(wanted).toEqual([
    { format: "pdf", content: "both", look: { speakers: true, times: false, lineLength: 42, lines: 2 } },
    { format: "txt", content: "translation", look: { speakers: false, times: true, lineLength: 42, lines: 2 } },
    { format: "srt", content: "translation", look: { speakers: false, lineLength: 32, lines: 1 } },
  ]);
});

test.each(["", "19", "81", "4e1", "-30", "thirty"])(
  "refuses the line length “%s” for subtitles until it is typed again",
  (text) => {
    const { wanted, send, isFlawed, choice } = setUp();
    send({ type: "format.chosen", format: "vtt" });
    send({ type: "columns.typed", text });
    expect(isFlawed()).toBe(false);
    send({ type: "file.requested" });
    expect([wanted, isFlawed()]).toEqual([[], true]);
    send({ type: "columns.typed", text: "20" });
    expect(isFlawed()).toBe(false);
    send({ type: "columns.typed", text });
    send({ type: "file.requested" });
    send({ type: "format.chosen", format: "pdf" });
    expect(isFlawed()).toBe(false);
    send({ type: "file.requested" });
    expect(wanted.length).toBe(1);
    send({ type: "dialog.closed" });
    expect(choice().columns).toBe("42");
  },
);

test("replaces an invalid stored line length by the usual one", () => {
  expect([columnsIn("80"), columnsIn("20"), columnsIn("1000")]).toEqual([80, 20, null]);
  expect(lookOf({ ...usualChoice, columns: "900" }, "srt").lineLength).toBe(42);
  expect(lookOf(usualChoice, "json")).toEqual({ speakers: true, lineLength: 42, lines: 2 });
});
