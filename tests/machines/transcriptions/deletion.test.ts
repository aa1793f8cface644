import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { getShortestPaths } from "xstate/graph";
import {
  type DeletionEmitted,
  deletionMachine,
  type Removed,
  type Restored,
  selectCanUndo,
  selectDeleted,
  selectIsRestoring,
  selectUndoUntil,
} from "#machines/transcriptions/deletion.ts";
import { answering, row, stopsAfterTest } from "#tests/machines/harness.ts";

const minute = 60_000;
const tenMinutes = 10 * minute;
const transcription = row(7, { title: "tea" });
const [one, other, third] = [row(1), row(2), row(3)];
const back = (...restored: Restored["restored"]): Restored => ({ restored, left: [], code: null });

function setUp(undoUntil: number | null = null, transcriptions = [transcription]) {
  const clock = new SimulatedClock();
  const remove = answering<Removed, { ids: readonly string[] }>();
  const restore = answering<Restored, Pick<ReturnType<typeof deletionMachine.getInitialSnapshot>["context"], "transcriptions">>();
  const machine = deletionMachine.provide({ actors: { remove: remove.logic, restore: restore.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { transcriptions, undoUntil, now: () => clock.now() } }));
  const emitted: DeletionEmitted[] = [];
  for (const type of [
    "transcriptions.deleted",
    "deletion.failed",
    "transcriptions.restored",
    "restoring.failed",
    "deletion.over",
  ] as const)
    actor.on(type, (event) => emitted.push(event));
  actor.start();
  return {
    clock,
    remove,
    restore,
    emitted,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
    state: () => actor.getSnapshot().value,
    isOver: () => actor.getSnapshot().status === "done",
    /** The server deletes it now: ten minutes from then on. */
    deletes: (failed: readonly string[] = [], code: string | null = null) =>
      remove.last().resolve({ undoMs: tenMinutes, failed, code }),
  };
}

async function deleted() {
  const deletion = setUp();
  await deletion.deletes();
  return deletion;
}

describe("deleting", () => {
  test("is done at once", () => {
    const deletion = setUp();
    expect([deletion.state(), deletion.remove.inputs()]).toEqual(["deleting", [{ ids: ["t7"] }]]);
    expect([deletion.get(selectCanUndo), deletion.get(selectUndoUntil), deletion.get(selectDeleted)]).toEqual([
      false,
      null,
      [transcription],
    ]);
  });

  test("can be undone from the server's answer on", async () => {
    const deletion = await deleted();
    expect([deletion.state(), deletion.get(selectCanUndo), deletion.get(selectUndoUntil)]).toEqual(["deleted", true, tenMinutes]);
    expect(deletion.emitted).toEqual([{ type: "transcriptions.deleted", transcriptions: [transcription] }]);
  });

  test("that fails gives the row back and is over", async () => {
    const deletion = setUp();
    await deletion.remove.last().reject("network");
    expect([deletion.state(), deletion.isOver()]).toEqual(["failed", true]);
    expect(deletion.emitted).toEqual([{ type: "deletion.failed", transcriptions: [transcription], code: "network" }]);
  });

  test.each(["notFound", "gone"])("of what the server has no more (%s) is what was wanted", async (code) => {
    const deletion = setUp();
    await deletion.remove.last().reject(code);
    expect([deletion.state(), deletion.isOver(), deletion.emitted]).toEqual([
      "over",
      true,
      [{ type: "deletion.over", ids: ["t7"] }],
    ]);
  });

  test("can't be undone before the server has done it", async () => {
    const deletion = setUp();
    deletion.send({ type: "undo.requested" });
    await deletion.deletes();
    expect([deletion.state(), deletion.restore.asked.length]).toEqual(["deleted", 0]);
  });
});

describe("the ten minutes", () => {
  test("are over to the millisecond, and then only the trash has it", async () => {
    const deletion = await deleted();
    deletion.clock.increment(tenMinutes - 1);
    expect([deletion.state(), deletion.get(selectCanUndo)]).toEqual(["deleted", true]);
    deletion.clock.increment(1);
    expect([deletion.state(), deletion.get(selectCanUndo), deletion.isOver()]).toEqual(["over", false, true]);
    expect(deletion.emitted.at(-1)).toEqual({ type: "deletion.over", ids: ["t7"] });
  });

  test("a deletion stands, and can't be undone any more, when its notice is closed", async () => {
    const deletion = await deleted();
    deletion.send({ type: "notice.dismissed" });
    expect([deletion.state(), deletion.isOver(), deletion.restore.asked.length]).toEqual(["over", true, 0]);
    expect(deletion.emitted.at(-1)).toEqual({ type: "deletion.over", ids: ["t7"] });
  });

  test("go on after a reload where they were, without deleting again", () => {
    const deletion = setUp(3 * minute);
    expect([deletion.state(), deletion.get(selectCanUndo), deletion.remove.asked.length]).toEqual(["deleted", true, 0]);
    deletion.clock.increment(3 * minute);
    expect(deletion.state()).toBe("over");
  });

  test("do not begin anew with an undo that failed", async () => {
    const deletion = await deleted();
    deletion.clock.increment(9 * minute);
    deletion.send({ type: "undo.requested" });
    deletion.clock.increment(minute / 2);
    await deletion.restore.last().reject("network");
    expect(deletion.state()).toBe("deleted");
    deletion.clock.increment(minute / 2);
    expect(deletion.state()).toBe("over");
  });

  test("that end while it is brought back do not stop that", async () => {
    const deletion = await deleted();
    deletion.clock.increment(9 * minute);
    deletion.send({ type: "undo.requested" });
    deletion.clock.increment(2 * minute);
    expect(deletion.state()).toBe("restoring");
    await deletion.restore.last().resolve(back(transcription));
    expect(deletion.state()).toBe("restored");
  });
});

describe("undo", () => {
  test("brings it back as the server has it, once", async () => {
    const deletion = await deleted();
    deletion.send({ type: "undo.requested" });
    deletion.send({ type: "undo.requested" });
    expect([deletion.get(selectIsRestoring), deletion.get(selectCanUndo)]).toEqual([true, false]);
    expect(deletion.restore.inputs()).toEqual([{ transcriptions: [transcription] }]);
    const fresh = row(7, { title: "tea, as the server has it" });
    await deletion.restore.last().resolve(back(fresh));
    expect([deletion.state(), deletion.isOver()]).toEqual(["restored", true]);
    expect(deletion.emitted.at(-1)).toEqual({ type: "transcriptions.restored", transcriptions: [fresh] });
  });

  test("that fails is emitted and can be tried again", async () => {
    const deletion = await deleted();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().reject("network");
    expect(deletion.emitted.at(-1)).toEqual({ type: "restoring.failed", code: "network" });
    expect(deletion.get(selectCanUndo)).toBe(true);
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve(back(transcription));
    expect(deletion.state()).toBe("restored");
  });

  test.each(["gone", "notFound"])("that comes too late (%s) is emitted, and there is no other", async (code) => {
    const deletion = await deleted();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().reject(code);
    expect([deletion.state(), deletion.isOver()]).toEqual(["over", true]);
    expect(deletion.emitted.slice(-2)).toEqual([
      { type: "restoring.failed", code },
      { type: "deletion.over", ids: ["t7"] },
    ]);
  });
});

describe("many at once", () => {
  const three = [one, other, third];

  test("are one deletion: deleted together, brought back together", async () => {
    const deletion = setUp(null, three);
    expect(deletion.remove.inputs()).toEqual([{ ids: ["t1", "t2", "t3"] }]);
    await deletion.deletes();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve(back(...three));
    expect(deletion.emitted).toEqual([
      { type: "transcriptions.deleted", transcriptions: three },
      { type: "transcriptions.restored", transcriptions: three },
    ]);
    expect(deletion.state()).toBe("restored");
  });

  test("of which some can't be deleted: those come back, the others can be undone", async () => {
    const deletion = setUp(null, three);
    await deletion.deletes(["t2"], "internal");
    expect(deletion.emitted).toEqual([
      { type: "deletion.failed", transcriptions: [other], code: "internal" },
      { type: "transcriptions.deleted", transcriptions: [one, third] },
    ]);
    expect([deletion.state(), deletion.get(selectDeleted)]).toEqual(["deleted", [one, third]]);
  });

  test("of which none can be deleted all come back", async () => {
    const deletion = setUp(null, three);
    await deletion.deletes(["t1", "t2", "t3"], "network");
    expect([deletion.state(), deletion.emitted]).toEqual([
      "failed",
      [{ type: "deletion.failed", transcriptions: three, code: "network" }],
    ]);
  });

  test("of which some could not be brought back can be undone again", async () => {
    const deletion = setUp(null, three);
    await deletion.deletes();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve({ restored: [one], left: ["t2", "t3"], code: "network" });
    expect([deletion.state(), deletion.get(selectDeleted)]).toEqual(["deleted", [other, third]]);
    expect(deletion.emitted.slice(-2)).toEqual([
      { type: "transcriptions.restored", transcriptions: [one] },
      { type: "restoring.failed", code: "network" },
    ]);
  });

  test("of which some are erased already are brought back without them", async () => {
    const deletion = setUp(null, three);
    await deletion.deletes();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve({ restored: [one, third], left: [], code: "gone" });
    expect([deletion.state(), deletion.isOver()]).toEqual(["over", true]);
    expect(deletion.emitted.slice(-3)).toEqual([
      { type: "transcriptions.restored", transcriptions: [one, third] },
      { type: "restoring.failed", code: "gone" },
      { type: "deletion.over", ids: [] },
    ]);
  });
});

/** What can happen from outside, as the graph writes it and as the test does it. */
const happenings: Record<string, (deletion: ReturnType<typeof setUp>) => void | Promise<void>> = {
  "xstate.done.actor.0.deletion.deleting": (deletion) => deletion.deletes(),
  "xstate.error.actor.0.deletion.deleting": (deletion) => deletion.remove.last().reject("network"),
  "xstate.done.actor.0.deletion.restoring": (deletion) => deletion.restore.last().resolve(back(transcription)),
  "xstate.error.actor.0.deletion.restoring": (deletion) => deletion.restore.last().reject("network"),
  "xstate.after.untilOver.deletion.deleted": ({ clock }) => clock.increment(tenMinutes),
  "undo.requested": ({ send }) => send({ type: "undo.requested" }),
};

describe("every state on its shortest path", () => {
  const paths = getShortestPaths(deletionMachine.provide({ delays: { untilOver: tenMinutes } }), {
    input: { transcriptions: [transcription], undoUntil: null, now: () => 0 },
    // The graph's own events (an actor is done, a time is over) are in no union.
    events: Object.keys(happenings).map((type) =>
      Object.assign(
        { type: "undo.requested" as const },
        { type, output: { undoMs: tenMinutes, failed: [], left: [], code: null } },
      ),
    ),
    filterEvents: (snapshot, event) => snapshot.can(event),
    serializeState: ({ value }) => JSON.stringify(value),
    limit: 100,
  });

  test("all of them are reached", () => {
    const reached = new Set(paths.map(({ state }) => state.value));
    expect(reached).toEqual(new Set(["deleting", "deleted", "restoring", "failed", "restored", "over"]));
  });

  test.each(paths.map((path) => [path.steps.map(({ event }) => event.type).join(", "), path] as const))("%s", async (_, path) => {
    const deletion = setUp();
    for (const { event, state } of path.steps) {
      await happenings[event.type]?.(deletion);
      expect(deletion.state()).toEqual(state.value);
    }
    expect(deletion.isOver()).toBe(path.state.status === "done");
  });
});
