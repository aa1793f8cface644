import { createActor } from "xstate";
import { deletionMachine, type Removed, type Restored } from "#machines/transcriptions/deletion.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const transcriptions = [row(1), row(2)];
const [first, second] = ["t1", "t2"];

function prepare(stage: Stage) {
  const remove = stage.asking<Removed, { ids: readonly string[] }>();
  const restore = stage.asking<Restored, { transcriptions: Restored["restored"] }>();
  return ({ clock, inspect }: RunOptions) => {
    const machine = deletionMachine.provide({ actors: { remove: remove.logic, restore: restore.logic } });
    const actor = createActor(machine, { clock, inspect, input: { transcriptions } });
    const emitted: string[] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    return { actor, remove, restore, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const state = ({ actor }: Rig) => actor.getSnapshot().value;
const left = ({ actor }: Rig) => actor.getSnapshot().context.transcriptions;

walkTests<Rig>({
  machine: deletionMachine,
  prepare,
  simple: true,
  moves: [
    answered(
      "the server deletes them",
      ({ remove }: Rig) => remove,
      () => ({ canUndo: true, failed: [], code: null }),
    ),
    answered(
      "a server without a trash deletes them",
      ({ remove }: Rig) => remove,
      () => ({ canUndo: false, failed: [], code: null }),
    ),
    answered(
      "the server deletes one of them",
      ({ remove }: Rig) => remove,
      () => ({ canUndo: true, failed: [first], code: "internal" }),
    ),
    answered(
      "the server deletes none of them",
      ({ remove }: Rig) => remove,
      () => ({ canUndo: true, failed: [first, second], code: "internal" }),
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
    sent({ type: "offer.closed" }),
  ],
  outage: {
    "the server deletes them": "what could not be deleted is back in the list, where it can be deleted anew",
    "a server without a trash deletes them": "what could not be deleted is back in the list, where it can be deleted anew",
    "the server deletes one of them": "what could not be deleted is back in the list, where it can be deleted anew",
  },
  situation: (rig) => [left(rig).length, rig.remove.open().length, rig.restore.open().length],
  rules: {
    "it is deleted once": ({ remove }) => remove.times() <= 1,
    "one call at a time": ({ remove, restore }) => remove.open().length + restore.open().length <= 1,
    "it is offered to undo it whenever it is deleted": (rig) =>
      state(rig) !== "deleted" || rig.emitted.at(-1) === "transcriptions.deleted",
    "what came back is not offered again": (rig) => state(rig) !== "restored" || rig.emitted.at(-1) === "transcriptions.restored",
    "what is not all back, and not offered any more, is told": (rig) =>
      state(rig) !== "over" || rig.emitted.at(-1) === "deletion.over",
    "what could not be deleted comes back": (rig) => state(rig) !== "failed" || rig.emitted.includes("deletion.failed"),
    "what is still deleted is among what was": (rig) => left(rig).every(({ id }) => transcriptions.some((row) => row.id === id)),
  },
});
