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

describe("notes of a transcript", () => {
  test("highlights the selection at once, and opens the form for a highlight that failed", async () => {
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

  test("writes a note in a form with a movable passage, and does not send a blank one", async () => {
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
  test("shows another device's version before overwriting it, and recreates a note deleted there", async () => {
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

  test("deletes a note, restores it on undo, and changes nothing after a failure", async () => {
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

  test("reloads notes when the page is seen or the network is back, and accepts a server without notes", async () => {
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

  test("restores the note that was being written when the page was left", async () => {
    const draft: WrittenNote = { ...passage, id: "one", revision: 0, colour: null, text: "half a" };
    const { actor, load, save, now } = start(draft);
    expect([selectIsWriting(now()), selectDraft(now())]).toEqual([false, draft]);
    await load.last().resolve({ items: [] });
    expect([selectIsWriting(now()), selectEdited(now())]).toEqual([true, null]);
    actor.send({ type: "save.requested" });
    expect(save.inputs()).toEqual([draft]);
  });
});

describe("edge of a note's passage", () => {
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
  ] as const)("moves the %s by %i word of %j to %j", (edge, step, before, after) => {
    expect(movedEdge(segments, before, edge, step)).toEqual(after);
  });

  test("ignores moves without words, and extends a word without length", () => {
    expect(movedEdge([], passage, "end", 1)).toBe(passage);
    expect(spanning({ start: 4, end: 4 }, { start: 4, end: 4 })).toEqual({ start: 4, end: 4.01 });
  });
});

describe("several notes", () => {
  test("sorts notes by beginning, end and id, and lists a changed note once", () => {
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

  test("saves changes of each note separately", async () => {
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

  test("offers to restore one deleted note until another tab has restored it", async () => {
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

test("the edge of a one-word highlight can move up to the last word", () => {
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
