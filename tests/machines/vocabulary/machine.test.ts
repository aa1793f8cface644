import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type VocabularyAnswer, vocabularyLimits } from "#contract/index.ts";
import type { VocabularyEmitted, VocabularyEvent } from "#machines/vocabulary/events.ts";
import {
  autosavePauseMs,
  selectIsSaved,
  selectIsUnavailable,
  selectLoadError,
  selectProblem,
  selectSaveError,
  selectText,
  vocabularyMachine,
} from "#machines/vocabulary/machine.ts";
import { merged, withLines } from "#machines/vocabulary/rules.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function start() {
  const clock = new SimulatedClock();
  const load = answering<VocabularyAnswer>();
  const save = answering<VocabularyAnswer, VocabularyAnswer>();
  const readLines = answering<string, { file: Blob & { name: string } }>();
  const wakeUps = talking<VocabularyEvent, VocabularyEvent>();
  const machine = vocabularyMachine.provide({
    actors: { load: load.logic, save: save.logic, readLines: readLines.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: VocabularyEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  const type = (text: string) => actor.send({ type: "text.changed", text });
  return { actor, clock, load, save, readLines, wakeUps, emitted, type, now: () => actor.getSnapshot() };
}

async function opened(text = "") {
  const all = start();
  await all.load.last().resolve({ text, revision: 1 });
  return all;
}

describe("custom vocabulary", () => {
  test("the custom vocabulary is saved a second after the last letter, with the loaded revision", async () => {
    const { type, clock, save, now } = await opened("Ada");
    expect(selectIsSaved(now())).toBe(true);
    for (const text of ["Ada\nG", "Ada\nGr", "Ada\nGrace"]) {
      type(text);
      clock.increment(autosavePauseMs - 1);
    }
    expect(save.asked).toHaveLength(0);
    clock.increment(1);
    expect(save.inputs()).toEqual([{ text: "Ada\nGrace", revision: 1 }]);
    await save.last().resolve({ text: "Ada\nGrace", revision: 2 });
    expect(selectIsSaved(now())).toBe(true);
  });

  test("the custom vocabulary is saved again when it changes during a save", async () => {
    const { type, actor, clock, save } = await opened();
    type("A");
    actor.send({ type: "save.requested" });
    type("Ada");
    await save.last().resolve({ text: "A", revision: 2 });
    clock.increment(autosavePauseMs);
    expect(save.last().input).toEqual({ text: "Ada", revision: 2 });
  });

  test("a vocabulary that is changed back needs no save", async () => {
    const { type, clock, save, now } = await opened("Ada");
    type("Ad");
    type("Ada");
    clock.increment(autosavePauseMs);
    expect([save.asked.length, selectIsSaved(now())]).toEqual([0, true]);
  });

  test("the custom vocabulary is not sent beyond the limits, shows why, and is sent when it fits", async () => {
    const { type, actor, clock, save, now } = await opened();
    type("Ada\n".repeat(10_000));
    clock.increment(60_000);
    actor.send({ type: "save.requested" });
    expect(selectProblem(now())).toEqual({ kind: "lines", count: 10_001, max: vocabularyLimits.lines });
    expect([save.asked.length, selectIsSaved(now())]).toEqual([0, false]);
    type("Ada");
    expect(selectProblem(now())).toBeNull();
    clock.increment(autosavePauseMs);
    expect(save.last().input.text).toBe("Ada");
  });

  test("keeps the lines of both versions when changed elsewhere", async () => {
    const { type, actor, clock, load, save, emitted, now } = await opened("Ada\nAlan");
    type("Ada\nGrace");
    actor.send({ type: "save.requested" });
    await save.last().reject("conflict");
    await load.last().resolve({ text: "Ada\nAlan\nEdsger", revision: 5 });
    expect(selectText(now())).toBe("Ada\nEdsger\nGrace");
    expect(emitted).toEqual([{ type: "vocabulary.merged" }]);
    clock.increment(autosavePauseMs);
    expect(save.last().input).toEqual({ text: "Ada\nEdsger\nGrace", revision: 5 });
  });

  test("retries a failed save, and emits the failure once", async () => {
    const { type, actor, clock, save, wakeUps, emitted, now } = await opened();
    type("Ada");
    actor.send({ type: "save.requested" });
    await save.last().reject("network");
    expect(selectSaveError(now())).toBe("network");
    clock.increment(15_000);
    await save.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    await save.last().resolve({ text: "Ada", revision: 2 });
    expect([selectSaveError(now()), selectIsSaved(now())]).toEqual([null, true]);
    expect(emitted).toEqual([{ type: "save.failed", code: "network" }]);
  });

  test("the vocabulary is saved again only with another text after a refusal", async () => {
    const { type, actor, clock, save, now } = await opened();
    type("Ada");
    actor.send({ type: "save.requested" });
    await save.last().reject("badRequest");
    clock.increment(60_000);
    expect([save.asked.length, selectSaveError(now())]).toEqual([1, "badRequest"]);
    type("Grace");
    clock.increment(autosavePauseMs);
    expect(save.asked).toHaveLength(2);
  });

  test("imports the lines of a file, and reports the number or the reason for none", async () => {
    const { actor, readLines, emitted, now } = await opened("Ada");
    const file = Object.assign(new Blob([]), { name: "words.csv" });
    actor.send({ type: "file.chosen", file });
    actor.send({ type: "file.chosen", file });
    expect(readLines.inputs()).toEqual([{ file }]);
    await readLines.last().resolve("Ada\nGrace\n\nGrace");
    expect(selectText(now())).toBe("Ada\nGrace");
    actor.send({ type: "file.chosen", file });
    await readLines.last().reject("tooLarge");
    expect(emitted).toEqual([
      { type: "lines.imported", count: 1 },
      { type: "import.failed", code: "tooLarge" },
    ]);
  });

  test("the custom vocabulary is loaded when the network is back, and hidden if the server lacks it", async () => {
    const { load, wakeUps, now } = start();
    await load.last().reject("network");
    expect(selectLoadError(now())).toBe("network");
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("notOffered");
    expect(selectIsUnavailable(now())).toBe(true);
  });
});

test.each([
  ["", "Ada", "Ada", 1],
  ["Ada\n", "Grace\r\nAda\rAlan", "Ada\nGrace\nAlan", 2],
  ["Ada", "", "Ada", 0],
])("adds imported lines to the vocabulary %j", (text, added, expected, count) => {
  expect(withLines(text, added)).toEqual({ text: expected, count });
});

test.each([
  ["a\nb", "a\nb", "a\nb", "a\nb"],
  ["a\nb", "a\nb\nc", "a\nb\nd", "a\nb\nc\nd"],
  ["a\nb", "a\nb\nc", "b", "b\nc"],
  ["a\nb", "b", "a\nb\nd", "b\nd"],
  ["", "a", "a", "a"],
])("merges from %j the versions %j and %j to %j", (base, theirs, mine, expected) => {
  expect(merged(base, theirs, mine)).toBe(expected);
});
