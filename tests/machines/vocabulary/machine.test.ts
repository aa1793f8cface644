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

describe("a vocabulary", () => {
  test("is saved a second after the last letter, with the revision that was loaded", async () => {
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

  test("that is typed on while it is saved is saved again, on top of what was", async () => {
    const { type, actor, clock, save } = await opened();
    type("A");
    actor.send({ type: "save.requested" });
    type("Ada");
    await save.last().resolve({ text: "A", revision: 2 });
    clock.increment(autosavePauseMs);
    expect(save.last().input).toEqual({ text: "Ada", revision: 2 });
  });

  test("typed back to what is saved needs no saving", async () => {
    const { type, clock, save, now } = await opened("Ada");
    type("Ad");
    type("Ada");
    clock.increment(autosavePauseMs);
    expect([save.asked.length, selectIsSaved(now())]).toEqual([0, true]);
  });

  test("beyond the limits is not sent, says why, and is sent when it fits again", async () => {
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

  test("that was changed elsewhere keeps the lines of both", async () => {
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

  test("that can't be saved is tried again; the failure is emitted once", async () => {
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

  test("that the server refuses waits for another text", async () => {
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

  test("gets the lines of a file, and says how many are new, or why there are none", async () => {
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

  test("that can't be loaded is loaded when the network is back; a server without it shows nothing", async () => {
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
])("to %j lines are added", (text, added, expected, count) => {
  expect(withLines(text, added)).toEqual({ text: expected, count });
});

test.each([
  ["a\nb", "a\nb", "a\nb", "a\nb"],
  ["a\nb", "a\nb\nc", "a\nb\nd", "a\nb\nc\nd"],
  ["a\nb", "a\nb\nc", "b", "b\nc"],
  ["a\nb", "b", "a\nb\nd", "b\nd"],
  ["", "a", "a", "a"],
])("from %j, %j and %j become %j", (base, theirs, mine, expected) => {
  expect(merged(base, theirs, mine)).toBe(expected);
});
