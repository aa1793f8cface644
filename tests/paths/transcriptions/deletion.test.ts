import { createActor } from "xstate";
import { deletionMachine, type Removed, type Restored } from "#machines/transcriptions/deletion.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const transcriptions = [row(1), row(2)];
const [first, second] = ["t1", "t2"];

function prepare(stubs: Stubs) {
  const remove = stubs.asking<Removed, { ids: readonly string[] }>();
  const restore = stubs.asking<Restored, { transcriptions: Restored["restored"] }>();
  return ({ clock, inspect }: RunOptions) => {
    const machine = deletionMachine.provide({ actors: { remove: remove.logic, restore: restore.logic } });
    const actor = createActor(machine, { clock, inspect, input: { transcriptions } });
    const emitted: string[] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    return { actor, remove, restore, emitted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const state = ({ actor }: Harness) => actor.getSnapshot().value;
const left = ({ actor }: Harness) => actor.getSnapshot().context.transcriptions;

walkTests<Harness>({
  machine: deletionMachine,
  prepare,
  simple: true,
  moves: [
    answered(
      "the server deletes them",
      ({ remove }: Harness) => remove,
      () => ({ canUndo: true, failed: [], code: null }),
    ),
    answered(
      "a server without a trash deletes them",
      ({ remove }: Harness) => remove,
      () => ({ canUndo: false, failed: [], code: null }),
    ),
    answered(
      "the server deletes one of them",
      ({ remove }: Harness) => remove,
      () => ({ canUndo: true, failed: [first], code: "internal" }),
    ),
    answered(
      "the server deletes none of them",
      ({ remove }: Harness) => remove,
      () => ({ canUndo: true, failed: [first, second], code: "internal" }),
    ),
    refused("another tab was faster", ({ remove }: Harness) => remove, failure("gone")),
    refused("deleting fails", ({ remove }: Harness) => remove, failure("network")),
    answered(
      "the server restores them",
      ({ restore }: Harness) => restore,
      (harness) => ({ restored: left(harness), left: [], code: null }),
    ),
    answered(
      "the server restores one of them",
      ({ restore }: Harness) => restore,
      (harness) => ({
        restored: left(harness).slice(0, -1),
        left: left(harness)
          .slice(-1)
          .map(({ id }) => id),
        code: "internal",
      }),
    ),
    answered(
      "another tab has erased one of them",
      ({ restore }: Harness) => restore,
      (harness) => ({ restored: left(harness).slice(0, -1), left: [], code: "gone" }),
    ),
    refused("it is gone for good", ({ restore }: Harness) => restore, failure("gone")),
    refused("restoring fails", ({ restore }: Harness) => restore, failure("network")),
    sent({ type: "undo.requested" }),
    sent({ type: "offer.closed" }),
  ],
  outage: {
    "the server deletes them": "what could not be deleted is back in the list, where it can be deleted anew",
    "a server without a trash deletes them": "what could not be deleted is back in the list, where it can be deleted anew",
    "the server deletes one of them": "what could not be deleted is back in the list, where it can be deleted anew",
  },
  situation: (harness) => [left(harness).length, harness.remove.open().length, harness.restore.open().length],
  rules: {
    "it is deleted once": ({ remove }) => remove.times() <= 1,
    "one call at a time": ({ remove, restore }) => remove.open().length + restore.open().length <= 1,
    "it is offered to undo it whenever it is deleted": (harness) =>
      state(harness) !== "deleted" || harness.emitted.at(-1) === "transcriptions.deleted",
    "what came back is not offered again": (harness) =>
      state(harness) !== "restored" || harness.emitted.at(-1) === "transcriptions.restored",
    "what is not all back, and not offered any more, is told": (harness) =>
      state(harness) !== "over" || harness.emitted.at(-1) === "deletion.over",
    "what could not be deleted comes back": (harness) =>
      state(harness) !== "failed" || harness.emitted.includes("deletion.failed"),
    "what is still deleted is among what was": (harness) =>
      left(harness).every(({ id }) => transcriptions.some((row) => row.id === id)),
  },
});
