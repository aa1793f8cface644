import { createActor } from "xstate";
import { deletionMachine, type Removed, type Restored, selectCanUndo } from "#machines/transcriptions/deletion.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** Undoing is offered for ten minutes. */
const undoMs = 600_000;
const transcriptions = [row(1), row(2)];
const [first, second] = ["t1", "t2"];

function prepare(stage: Stage) {
  const remove = stage.asking<Removed, { ids: readonly string[] }>();
  const restore = stage.asking<Restored, { transcriptions: Restored["restored"] }>();
  return ({ start, clock, inspect }: RunOptions) => {
    const machine = deletionMachine.provide({ actors: { remove: remove.logic, restore: restore.logic } });
    const undoUntil = start === "deleted before a reload" ? undoMs / 2 : null;
    const actor = createActor(machine, { clock, inspect, input: { transcriptions, undoUntil, now: () => clock.now() } });
    const emitted: string[] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    return { actor, remove, restore, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const state = ({ actor }: Rig) => actor.getSnapshot().value;
const undoUntil = ({ actor }: Rig) => actor.getSnapshot().context.undoUntil;
const left = ({ actor }: Rig) => actor.getSnapshot().context.transcriptions;

walkTests<Rig>({
  machine: deletionMachine,
  prepare,
  starts: ["asked for now", "deleted before a reload"],
  simple: true,
  moves: [
    answered(
      "the server deletes them",
      ({ remove }: Rig) => remove,
      () => ({ undoMs, failed: [], code: null }),
    ),
    answered(
      "the server deletes one of them",
      ({ remove }: Rig) => remove,
      () => ({ undoMs, failed: [first], code: "internal" }),
    ),
    answered(
      "the server deletes none of them",
      ({ remove }: Rig) => remove,
      () => ({ undoMs, failed: [first, second], code: "internal" }),
    ),
    refused("another tab was faster", ({ remove }: Rig) => remove, failure("gone")),
    refused("deleting fails", ({ remove }: Rig) => remove, failure("network")),
    answered(
      "the server restores them",
      ({ restore }: Rig) => restore,
      (rig) => ({ restored: left(rig), left: [], code: null }),
    ),
    answered(
      "the server restores one of them",
      ({ restore }: Rig) => restore,
      (rig) => ({
        restored: left(rig).slice(0, -1),
        left: left(rig)
          .slice(-1)
          .map(({ id }) => id),
        code: "internal",
      }),
    ),
    answered(
      "another tab has erased one of them",
      ({ restore }: Rig) => restore,
      (rig) => ({ restored: left(rig).slice(0, -1), left: [], code: "gone" }),
    ),
    refused("it is gone for good", ({ restore }: Rig) => restore, failure("gone")),
    refused("restoring fails", ({ restore }: Rig) => restore, failure("network")),
    sent({ type: "undo.requested" }),
    sent({ type: "notice.dismissed" }),
    untilNextTimer,
    { name: "ten minutes pass", may: () => true, happen: (_, clock) => clock.increment(undoMs) },
  ],
  outage: {
    "the server deletes them": "what could not be deleted is back in the list, where it can be deleted anew",
    "the server deletes one of them": "what could not be deleted is back in the list, where it can be deleted anew",
  },
  situation: (rig) => [undoUntil(rig) !== null, left(rig).length, rig.remove.open().length, rig.restore.open().length],
  rules: {
    "it is deleted once": ({ remove }) => remove.times() <= 1,
    "one call at a time": ({ remove, restore }) => remove.open().length + restore.open().length <= 1,
    "it can be undone only once it is deleted": (rig) => !selectCanUndo(rig.actor.getSnapshot()) || state(rig) === "deleted",
    // A failed attempt that took longer comes back for no time at all: then its end is due at once.
    "it can be undone only before its time is over": (rig, clock) =>
      !selectCanUndo(rig.actor.getSnapshot()) || clock.now() < (undoUntil(rig) ?? 0) || clock.untilNext() === 0,
    "what came back is not offered again": (rig) => state(rig) !== "restored" || rig.emitted.at(-1) === "transcriptions.restored",
    "what is not all back, and not offered any more, is told": (rig) =>
      state(rig) !== "over" || rig.emitted.at(-1) === "deletion.over",
    "what could not be deleted comes back": (rig) => state(rig) !== "failed" || rig.emitted.includes("deletion.failed"),
    "what is still deleted is among what was": (rig) => left(rig).every(({ id }) => transcriptions.some((row) => row.id === id)),
  },
});
