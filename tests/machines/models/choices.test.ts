import { expect, it } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { ModelChoices } from "#contract/index.ts";
import {
  type ChoiceEdit,
  modelChoicesMachine,
  selectEdits,
  selectSaveError,
  selectSaveState,
  withEdits,
} from "#machines/models/choices.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const none: ModelChoices = { live: {}, files: {}, translation: {}, voices: {} };
const live = (value: string | null): ChoiceEdit => ({ of: "live", key: "de-DE", value });

function setUp() {
  const clock = new SimulatedClock();
  const save = answering<ModelChoices, { edits: readonly ChoiceEdit[] }>();
  const machine = modelChoicesMachine.provide({ actors: { save: save.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock }).start());
  const saved: ModelChoices[] = [];
  actor.on("choices.saved", ({ choices }) => saved.push(choices));
  const choose = (value: string | null) => actor.send({ type: "choice.changed", edit: live(value) });
  const get = <Value>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => Value) => select(actor.getSnapshot());
  return { actor, clock, save, saved, choose, get };
}

it('saves a choice at once and shows "saved" for a moment', async () => {
  const { clock, save, saved, choose, get } = setUp();
  choose("a");
  expect([get(selectSaveState), save.last().input]).toEqual(["saving", { edits: [live("a")] }]);
  await save.last().resolve(none);
  expect([get(selectSaveState), get(selectEdits), saved]).toEqual(["saved", [], [none]]);
  clock.increment(4_000);
  expect(get(selectSaveState)).toBe("resting");
});

it("saves choices that were made during a save afterwards", async () => {
  const { save, choose, get } = setUp();
  choose("a");
  choose("b");
  expect(save.asked).toHaveLength(1);
  await save.last().resolve(none);
  expect([get(selectSaveState), save.last().input]).toEqual(["saving", { edits: [live("b")] }]);
  await save.last().resolve(none);
  choose(null);
  expect(save.last().input).toEqual({ edits: [live(null)] });
});

it("keeps an unsaved choice until it can be saved or is reset", async () => {
  const { actor, save, choose, get } = setUp();
  choose("a");
  await save.last().reject("network");
  expect([get(selectSaveState), get(selectSaveError), get(selectEdits)]).toEqual(["failed", "network", [live("a")]]);
  actor.send({ type: "retry.requested" });
  await save.last().reject("badRequest");
  choose("b");
  expect(save.last().input).toEqual({ edits: [live("a"), live("b")] });
  await save.last().reject("badRequest");
  actor.send({ type: "choice.discarded" });
  expect([get(selectSaveState), get(selectSaveError), get(selectEdits)]).toEqual(["resting", null, []]);
});

it("changes, adds and resets single choices of models", () => {
  const before: ModelChoices = { ...none, live: { "de-DE": "a", "en-US": "b" }, translation: { "en>es": ["x"] } };
  const edits: ChoiceEdit[] = [
    live("c"),
    { of: "files", key: "de-DE", value: "d" },
    { of: "live", key: "en-US", value: null },
    { of: "translation", key: "en>es", value: ["y", "x"] },
    { of: "translation", key: "de>en", value: null },
    { of: "voices", key: "de", value: "espeak" },
  ];
  expect(withEdits(before, edits)).toEqual({
    live: { "de-DE": "c" },
    files: { "de-DE": "d" },
    translation: { "en>es": ["y", "x"] },
    voices: { de: "espeak" },
  });
});
