import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { Note, Segment } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import {
  type LoadingEvent,
  selectFailure,
  selectHasFailed,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import { selectIsWriting, selectItems } from "#machines/collection/selectors.ts";
import { notesMachine } from "#machines/notes/machine.ts";
import { movedEdge, spanning, type WrittenNote, withNote } from "#machines/notes/rules.ts";
import { selectDraft, selectEdited, selectIsSaving, selectRemoved, selectSelected } from "#machines/notes/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const at = "2026-03-01T12:00:00.000Z";
const note = (id: string, parts: Partial<Note> = {}): Note => ({
  id,
  start: 1,
  end: 2,
  colour: "green",
  text: "",
  revision: 1,
  createdAt: at,
  changedAt: at,
  ...parts,
});
const passage = { start: 3, end: 5 };

function start(draft: WrittenNote | null = null) {
  const load = answering<Listed<Note>>();
  const save = answering<Note, WrittenNote>();
  const remove = answering<void, { id: string }>();
  const wakeUps = talking<LoadingEvent>();
  const machine = notesMachine.provide({
    actors: { load: load.logic, save: save.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { draft } }));
  let saved = 0;
  actor.on("note.saved", () => {
    saved += 1;
  });
  actor.start();
  const now = () => actor.getSnapshot();
  return { actor, load, save, remove, wakeUps, now, ids: () => selectItems(now()).map(({ id }) => id), saved: () => saved };
}

async function opened(...notes: Note[]) {
  const all = start();
  await all.load.last().resolve({ items: notes });
  return all;
}

describe("the notes of a transcript", () => {
  test("are highlights of what is selected, at once; one that fails opens its form, which can be sent again", async () => {
    const { actor, save, now, ids, saved } = await opened(note("late", { start: 9, end: 10 }));
    actor.send({ type: "highlight.requested", id: "none", colour: "blue" });
    expect(save.asked).toEqual([]);
    actor.send({ type: "passage.selected", passage });
    expect(selectSelected(now())).toEqual(passage);
    actor.send({ type: "highlight.requested", id: "one", colour: "blue" });
    expect([save.inputs(), selectIsWriting(now())]).toEqual([
      [{ ...passage, id: "one", colour: "blue", text: "", revision: 0 }],
      false,
    ]);
    await save.last().reject("network");
    expect([selectIsWriting(now()), selectFailure(now()), selectDraft(now())?.colour]).toEqual([true, "network", "blue"]);
    actor.send({ type: "save.requested" });
    expect(selectFailure(now())).toBeNull();
    await save.last().resolve(note("one", { ...passage, colour: "blue" }));
    expect([ids(), selectDraft(now()), selectSelected(now()), saved()]).toEqual([["one", "late"], null, null, 1]);
  });

  test("are written in a form, whose passage can be moved; what says nothing is not sent", async () => {
    const { actor, save, now } = await opened();
    actor.send({ type: "writing.requested", id: "one", passage });
    actor.send({ type: "draft.changed", change: { text: "  " } });
    actor.send({ type: "save.requested" });
    expect([selectFailure(now()), save.asked.length]).toEqual(["blank", 0]);
    actor.send({ type: "draft.changed", change: { text: "ask Anna" } });
    actor.send({ type: "draft.changed", change: { end: 6 } });
    actor.send({ type: "passage.selected", passage: { start: 0, end: 1 } });
    expect(selectSelected(now())).toBeNull();
    actor.send({ type: "save.requested" });
    expect(save.inputs()).toEqual([{ id: "one", revision: 0, start: 3, end: 6, colour: null, text: "ask Anna" }]);
    actor.send({ type: "draft.dismissed" });
    expect(selectIsWriting(now())).toBe(true);
    await save.last().resolve(note("one", { start: 3, end: 6, colour: null, text: "ask Anna" }));
    expect(selectItems(now()).map(({ text }) => text)).toEqual(["ask Anna"]);
    actor.send({ type: "editing.requested", id: "nobody's" });
    expect(selectIsWriting(now())).toBe(false);
    actor.send({ type: "editing.requested", id: "one" });
    expect([selectDraft(now()), selectEdited(now())?.id]).toEqual([
      { id: "one", revision: 1, start: 3, end: 6, colour: null, text: "ask Anna" },
      "one",
    ]);
    actor.send({ type: "draft.dismissed" });
    expect([selectDraft(now()), selectIsWriting(now())]).toEqual([null, false]);
  });

  // PROMISE notes: People highlight and note passages; exports contain the notes
  test("that were changed elsewhere are not written over before that was seen; one that was deleted there is a new one", async () => {
    const { actor, save, load, now } = await opened(note("one"));
    actor.send({ type: "editing.requested", id: "one" });
    actor.send({ type: "draft.changed", change: { text: "mine" } });
    actor.send({ type: "save.requested" });
    await save.last().reject("conflict");
    await load.last().reject("network");
    expect([selectFailure(now()), selectDraft(now())?.revision]).toEqual(["network", 1]);
    actor.send({ type: "save.requested" });
    await save.last().reject("conflict");
    await load.last().resolve({ items: [note("one", { text: "theirs", revision: 4 })] });
    expect([selectFailure(now()), selectDraft(now())?.text, selectEdited(now())?.text]).toEqual(["conflict", "mine", "theirs"]);
    actor.send({ type: "save.requested" });
    expect(save.inputs().at(-1)).toMatchObject({ revision: 4, text: "mine" });
    await save.last().reject("conflict");
    await load.last().resolve({ items: [] });
    actor.send({ type: "save.requested" });
    expect(save.inputs().at(-1)).toMatchObject({ revision: 0, text: "mine" });
  });

  test("are deleted, and there again when that is undone; what fails leaves them as they were", async () => {
    const { actor, save, remove, now, ids } = await opened(
      note("one"),
      note("two", { start: 5, end: 6, revision: 3, text: "keep" }),
    );
    actor.send({ type: "undo.requested" });
    actor.send({ type: "removal.requested", id: "two" });
    expect([remove.inputs(), selectRemoved(now()), ids()]).toEqual([[{ id: "two" }], null, ["one", "two"]]);
    await remove.last().reject("network");
    expect([ids(), selectFailure(now()), selectRemoved(now())]).toEqual([["one", "two"], "network", null]);
    actor.send({ type: "removal.requested", id: "two" });
    await remove.last().resolve();
    expect([ids(), selectFailure(now()), selectRemoved(now())?.id]).toEqual([["one"], null, "two"]);
    actor.send({ type: "undo.requested" });
    expect(save.inputs()).toEqual([{ id: "two", start: 5, end: 6, colour: "green", text: "keep", revision: 0 }]);
    await save.last().reject("network");
    expect([ids(), selectRemoved(now())?.id]).toEqual([["one"], "two"]);
    actor.send({ type: "undo.requested" });
    await save.last().resolve(note("two", { start: 5, end: 6, text: "keep" }));
    expect([ids(), selectRemoved(now())]).toEqual([["one", "two"], null]);
  });

  test("are looked at again when the page is seen again, and loaded when the network is back; a server may have none", async () => {
    const { wakeUps, load, ids, now } = start();
    await load.last().reject("network");
    expect([selectHasFailed(now()), selectIsOpen(now())]).toEqual([true, false]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [note("one")] });
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    expect(ids()).toEqual(["one"]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [] });
    expect(ids()).toEqual([]);
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
  });

  test("that were being written when the page was left are in their form again", async () => {
    const draft: WrittenNote = { ...passage, id: "one", revision: 0, colour: null, text: "half a" };
    const { actor, load, save, now } = start(draft);
    expect([selectIsWriting(now()), selectDraft(now())]).toEqual([false, draft]);
    await load.last().resolve({ items: [] });
    expect([selectIsWriting(now()), selectEdited(now())]).toEqual([true, null]);
    actor.send({ type: "save.requested" });
    expect(save.inputs()).toEqual([draft]);
  });
});

describe("an end of a passage", () => {
  const segments: Segment[] = [
    {
      start: 0,
      end: 2,
      text: "a b",
      words: [
        { text: "a", start: 0, end: 1 },
        { text: "b", start: 1, end: 2 },
      ],
    },
    { start: 2, end: 4, text: "no times", words: [] },
    { start: 4, end: 5, text: "c", words: [{ text: "c", start: 4, end: 4 }] },
  ];

  test.each([
    ["end", 1, { start: 0, end: 2 }, { start: 0, end: 4 }],
    ["end", 1, { start: 0, end: 4 }, { start: 0, end: 4.01 }],
    ["end", 1, { start: 0, end: 4.01 }, { start: 0, end: 4.01 }],
    ["end", -1, { start: 0, end: 4 }, { start: 0, end: 2 }],
    ["end", -1, { start: 0, end: 1 }, { start: 0, end: 1 }],
    ["start", 1, { start: 0, end: 2 }, { start: 1, end: 2 }],
    ["start", 1, { start: 1, end: 2 }, { start: 1, end: 2 }],
    ["start", -1, { start: 2.5, end: 3 }, { start: 1, end: 4 }],
    ["start", -1, { start: 0, end: 1 }, { start: 0, end: 1 }],
  ] as const)("the %s, moved by %i word of %j, gives %j", (edge, step, before, after) => {
    expect(movedEdge(segments, before, edge, step)).toEqual(after);
  });

  test("of nothing, and of a word without a length", () => {
    expect(movedEdge([], passage, "end", 1)).toBe(passage);
    expect(spanning({ start: 4, end: 4 }, { start: 4, end: 4 })).toEqual({ start: 4, end: 4.01 });
  });
});

describe("several notes", () => {
  test("are in the order of where they begin, then end, then of their ids; a changed one is there once", () => {
    const notes = [note("b"), note("a"), note("c", { end: 1.5 }), note("d", { start: 0.5, end: 9 })];
    const listed = notes.reduce<readonly Note[]>(withNote, []);
    expect(listed.map(({ id }) => id)).toEqual(["d", "c", "a", "b"]);
    expect(withNote(listed, note("d", { start: 8, end: 9, text: "x" })).map(({ id, text }) => id + text)).toEqual([
      "c",
      "a",
      "b",
      "dx",
    ]);
  });

  test("are changed, and written over, each by itself", async () => {
    const { actor, now, save, load } = await opened(
      note("one", { revision: 3 }),
      note("two", { start: 4, end: 5, revision: 7, text: "2" }),
    );
    actor.send({ type: "editing.requested", id: "none" });
    expect([selectIsWriting(now()), selectEdited(now())]).toEqual([false, null]);
    actor.send({ type: "editing.requested", id: "two" });
    expect([selectDraft(now())?.text, selectEdited(now())?.revision]).toEqual(["2", 7]);
    actor.send({ type: "save.requested" });
    await save.last().reject("conflict");
    await load.last().resolve({ items: [note("one", { revision: 3 }), note("two", { start: 4, end: 5, revision: 9 })] });
    expect([selectDraft(now())?.revision, selectFailure(now()), selectIsSaving(now())]).toEqual([9, "conflict", false]);
    actor.send({ type: "save.requested" });
    await save.last().reject("tooLarge");
    expect([load.asked.length, selectFailure(now())]).toEqual([2, "tooLarge"]);
  });

  test("of which one was deleted offer it until another tab has brought it back", async () => {
    const { actor, now, remove, wakeUps, load, ids } = await opened(note("one"), note("two"), note("three"));
    actor.send({ type: "removal.requested", id: "none" });
    expect(remove.asked).toEqual([]);
    actor.send({ type: "removal.requested", id: "two" });
    await remove.last().resolve();
    expect([ids(), selectRemoved(now())?.id]).toEqual([["one", "three"], "two"]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [note("one"), note("three")] });
    expect(selectRemoved(now())?.id).toBe("two");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [note("one"), note("two"), note("three")] });
    expect([selectRemoved(now()), ids()]).toEqual([null, ["one", "two", "three"]]);
    actor.send({ type: "undo.requested" });
    expect(selectIsSaving(now())).toBe(false);
  });
});

test("the beginning of a passage that is a word's own moves from there, and no further than the words go", () => {
  const words = [0, 1, 2].map((start) => ({ text: "w", start, end: start + 1 }));
  const segments: Segment[] = [{ start: 0, end: 3, text: "w w w", words }];
  const moved = (edge: "start" | "end", step: 1 | -1, passage = { start: 1, end: 2 }) => movedEdge(segments, passage, edge, step);
  expect([moved("start", -1), moved("start", 1), moved("end", 1), moved("end", -1)]).toEqual([
    { start: 0, end: 2 },
    { start: 1, end: 2 },
    { start: 1, end: 3 },
    { start: 1, end: 2 },
  ]);
  expect([moved("start", -1, { start: 0, end: 2 }), moved("end", 1, { start: 0, end: 3 })]).toEqual([
    { start: 0, end: 2 },
    { start: 0, end: 3 },
  ]);
});
