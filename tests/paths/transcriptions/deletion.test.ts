import { createActor } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { deletionMachine, selectCanUndo } from "#machines/transcriptions/deletion.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** SPEC.md: what was deleted can be brought back for ten minutes. */
const undoMs = 600_000;
const transcription = row(1);

function prepare(stage: Stage) {
  const remove = stage.asking<number, { id: string }>();
  const restore = stage.asking<TranscriptionSummary, { id: string }>();
  return ({ start, clock, inspect }: RunOptions) => {
    const machine = deletionMachine.provide({ actors: { remove: remove.logic, restore: restore.logic } });
    const purgeAt = start === "deleted before a reload" ? undoMs / 2 : null;
    const actor = createActor(machine, { clock, inspect, input: { transcription, purgeAt, now: () => clock.now() } });
    const emitted: string[] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    return { actor, remove, restore, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const state = ({ actor }: Rig) => actor.getSnapshot().value;
const purgeAt = ({ actor }: Rig) => actor.getSnapshot().context.purgeAt;

walkTests<Rig>({
  machine: deletionMachine,
  prepare,
  starts: ["asked for now", "deleted before a reload"],
  simple: true,
  moves: [
    answered(
      "the server deletes it",
      ({ remove }: Rig) => remove,
      () => undoMs,
    ),
    refused("another tab was faster", ({ remove }: Rig) => remove, failure("gone")),
    refused("deleting fails", ({ remove }: Rig) => remove, failure("network")),
    answered(
      "the server restores it",
      ({ restore }: Rig) => restore,
      () => transcription,
    ),
    refused("it is gone for good", ({ restore }: Rig) => restore, failure("gone")),
    refused("restoring fails", ({ restore }: Rig) => restore, failure("network")),
    sent({ type: "undo.requested" }),
    untilNextTimer,
    { name: "ten minutes pass", may: () => true, happen: (_, clock) => clock.increment(undoMs) },
  ],
  situation: (rig) => [purgeAt(rig) !== null, rig.remove.open().length, rig.restore.open().length],
  rules: {
    "it is deleted once": ({ remove }) => remove.times() <= 1,
    "one call at a time": ({ remove, restore }) => remove.open().length + restore.open().length <= 1,
    "it can be undone only once it is deleted": (rig) => !selectCanUndo(rig.actor.getSnapshot()) || state(rig) === "deleted",
    "it can be undone only before its time is over": (rig, clock) =>
      !selectCanUndo(rig.actor.getSnapshot()) || clock.now() < (purgeAt(rig) ?? 0),
    "what is restored is emitted once": ({ emitted }) => emitted.filter((type) => type === "transcription.restored").length <= 1,
    "what went for good is never restored": (rig) => state(rig) !== "purged" || !rig.emitted.includes("transcription.restored"),
    "what could not be deleted comes back": (rig) => (state(rig) === "failed") === rig.emitted.includes("deletion.failed"),
  },
});
