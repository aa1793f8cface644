import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { getShortestPaths } from "xstate/graph";
import {
  type DeletionEmitted,
  deletionMachine,
  type Removed,
  type Restored,
  selectDeleted,
} from "#machines/transcriptions/deletion.ts";
import { answering, row, stopsAfterTest } from "#tests/machines/harness.ts";

const transcription = row(7, { title: "tea" });
const [one, other, third] = [row(1), row(2), row(3)];
const back = (...restored: Restored["restored"]): Restored => ({ restored, left: [], code: null });

function setUp(transcriptions = [transcription]) {
  const remove = answering<Removed, { ids: readonly string[] }>();
  const restore = answering<Restored, Pick<ReturnType<typeof deletionMachine.getInitialSnapshot>["context"], "transcriptions">>();
  const machine = deletionMachine.provide({ actors: { remove: remove.logic, restore: restore.logic } });
  const actor = stopsAfterTest(createActor(machine, { input: { transcriptions } }));
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
    remove,
    restore,
    emitted,
    send: actor.send.bind(actor),
    left: () => selectDeleted(actor.getSnapshot()),
    state: () => actor.getSnapshot().value,
    isOver: () => actor.getSnapshot().status === "done",
    deletes: (failed: readonly string[] = [], code: string | null = null) =>
      remove.last().resolve({ canUndo: true, failed, code }),
  };
}

async function deleted() {
  const deletion = setUp();
  await deletion.deletes();
  return deletion;
}

describe("deletion of transcriptions", () => {
  test("deletes transcriptions at once if Undo is not offered", () => {
    const deletion = setUp();
    expect([deletion.state(), deletion.remove.inputs()]).toEqual(["deleting", [{ ids: ["t7"] }]]);
    expect(deletion.left()).toEqual([transcription]);
  });

  test("a deletion offers Undo after the server's answer", async () => {
    const deletion = await deleted();
    expect([deletion.state(), deletion.emitted]).toEqual([
      "deleted",
      [{ type: "transcriptions.deleted", transcriptions: [transcription], canUndo: true }],
    ]);
  });

  test("ends at once when the server has no trash", async () => {
    const deletion = setUp();
    await deletion.remove.last().resolve({ canUndo: false, failed: [], code: null });
    expect([deletion.state(), deletion.isOver(), deletion.emitted]).toEqual([
      "over",
      true,
      [
        { type: "transcriptions.deleted", transcriptions: [transcription], canUndo: false },
        { type: "deletion.over", ids: ["t7"] },
      ],
    ]);
  });

  test("a row returns to the history when its deletion fails", async () => {
    const deletion = setUp();
    await deletion.remove.last().reject("network");
    expect([deletion.state(), deletion.isOver()]).toEqual(["failed", true]);
    expect(deletion.emitted).toEqual([{ type: "deletion.failed", transcriptions: [transcription], code: "network" }]);
  });

  test.each(["notFound", "gone"])("accepts that the server no longer has it (%s)", async (code) => {
    const deletion = setUp();
    await deletion.remove.last().reject(code);
    expect([deletion.state(), deletion.isOver(), deletion.emitted]).toEqual([
      "over",
      true,
      [{ type: "deletion.over", ids: ["t7"] }],
    ]);
  });

  test("the deletion of transcriptions can't be undone before the server's answer", async () => {
    const deletion = setUp();
    deletion.send({ type: "undo.requested" });
    await deletion.deletes();
    expect([deletion.state(), deletion.restore.asked.length]).toEqual(["deleted", 0]);
  });
});

test("a deletion can't be undone after its offer is closed", async () => {
  const deletion = await deleted();
  deletion.send({ type: "offer.closed" });
  expect([deletion.state(), deletion.isOver(), deletion.restore.asked.length]).toEqual(["over", true, 0]);
  expect(deletion.emitted.at(-1)).toEqual({ type: "deletion.over", ids: ["t7"] });
});

describe("undo of a deletion", () => {
  test("restores a deleted transcription in the server's version, once", async () => {
    const deletion = await deleted();
    deletion.send({ type: "undo.requested" });
    deletion.send({ type: "undo.requested" });
    // The toast closes with its button.
    deletion.send({ type: "offer.closed" });
    expect(deletion.state()).toBe("restoring");
    expect(deletion.restore.inputs()).toEqual([{ transcriptions: [transcription] }]);
    const fresh = row(7, { title: "tea, as the server has it" });
    await deletion.restore.last().resolve(back(fresh));
    expect([deletion.state(), deletion.isOver()]).toEqual(["restored", true]);
    expect(deletion.emitted.at(-1)).toEqual({ type: "transcriptions.restored", transcriptions: [fresh] });
  });

  test("a failed undo of a deletion is offered again", async () => {
    const deletion = await deleted();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().reject("network");
    expect(deletion.emitted.slice(-2)).toEqual([
      { type: "restoring.failed", code: "network" },
      { type: "transcriptions.deleted", transcriptions: [transcription], canUndo: true },
    ]);
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve(back(transcription));
    expect(deletion.state()).toBe("restored");
  });

  test.each(["gone", "notFound"])("emits an undo that comes too late (%s), and offers no other", async (code) => {
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

describe("deletion of many transcriptions", () => {
  const three = [one, other, third];

  test("deletes and restores many transcriptions together", async () => {
    const deletion = setUp(three);
    expect(deletion.remove.inputs()).toEqual([{ ids: ["t1", "t2", "t3"] }]);
    await deletion.deletes();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve(back(...three));
    expect(deletion.emitted).toEqual([
      { type: "transcriptions.deleted", transcriptions: three, canUndo: true },
      { type: "transcriptions.restored", transcriptions: three },
    ]);
    expect(deletion.state()).toBe("restored");
  });

  test("returns those that can't be deleted, and offers to undo the others", async () => {
    const deletion = setUp(three);
    await deletion.deletes(["t2"], "internal");
    expect(deletion.emitted).toEqual([
      { type: "deletion.failed", transcriptions: [other], code: "internal" },
      { type: "transcriptions.deleted", transcriptions: [one, third], canUndo: true },
    ]);
    expect([deletion.state(), deletion.left()]).toEqual(["deleted", [one, third]]);
  });

  test("all rows return to the history when none can be deleted", async () => {
    const deletion = setUp(three);
    await deletion.deletes(["t1", "t2", "t3"], "network");
    expect([deletion.state(), deletion.emitted]).toEqual([
      "failed",
      [{ type: "deletion.failed", transcriptions: three, code: "network" }],
    ]);
  });

  test("offers to undo again when some could not be restored", async () => {
    const deletion = setUp(three);
    await deletion.deletes();
    deletion.send({ type: "undo.requested" });
    await deletion.restore.last().resolve({ restored: [one], left: ["t2", "t3"], code: "network" });
    expect([deletion.state(), deletion.left()]).toEqual(["deleted", [other, third]]);
    expect(deletion.emitted.slice(-3)).toEqual([
      { type: "transcriptions.restored", transcriptions: [one] },
      { type: "restoring.failed", code: "network" },
      { type: "transcriptions.deleted", transcriptions: [other, third], canUndo: true },
    ]);
  });

  test("Undo restores the other transcriptions when some are already erased", async () => {
    const deletion = setUp(three);
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

/** External events, as the graph names them and as the test performs them. */
const happenings: Record<string, (deletion: ReturnType<typeof setUp>) => void | Promise<void>> = {
  "xstate.done.actor.0.deletion.deleting": (deletion) => deletion.deletes(),
  "xstate.error.actor.0.deletion.deleting": (deletion) => deletion.remove.last().reject("network"),
  "xstate.done.actor.0.deletion.restoring": (deletion) => deletion.restore.last().resolve(back(transcription)),
  "xstate.error.actor.0.deletion.restoring": (deletion) => deletion.restore.last().reject("network"),
  "offer.closed": ({ send }) => send({ type: "offer.closed" }),
  "undo.requested": ({ send }) => send({ type: "undo.requested" }),
};

describe("shortest paths through the deletion machine", () => {
  const paths = getShortestPaths(deletionMachine, {
    input: { transcriptions: [transcription] },
    // The graph's own events (an actor is done) are in no union.
    events: Object.keys(happenings).map((type) =>
      Object.assign({ type: "undo.requested" as const }, { type, output: { canUndo: true, failed: [], left: [], code: null } }),
    ),
    filterEvents: (snapshot, event) => snapshot.can(event),
    serializeState: ({ value }) => JSON.stringify(value),
    limit: 100,
  });

  test("shortest paths through the deletion machine reach every state", () => {
    const reached = new Set(paths.map(({ state }) => state.value));
    expect(reached).toEqual(new Set(["deleting", "deleted", "restoring", "failed", "restored", "over"]));
  });

  test.each(paths.map((path) => [path.steps.map(({ event }) => event.type).join(", "), path] as const))(
    "shortest paths through the deletion machine follow the path: %s",
    async (_, path) => {
      const deletion = setUp();
      for (const { event, state } of path.steps) {
        await happenings[event.type]?.(deletion);
        expect(deletion.state()).toEqual(state.value);
      }
      expect(deletion.isOver()).toBe(path.state.status === "done");
    },
  );
});
