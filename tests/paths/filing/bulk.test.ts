import { createActor } from "xstate";
import {
  type ArchiveOrder,
  bulkMachine,
  type PlacingOrder,
  type PlacingOutcome,
  selectIsArchiving,
} from "#machines/filing/bulk.ts";
import type { BulkEvent } from "#machines/filing/events.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const place = stage.asking<PlacingOutcome, PlacingOrder>();
  const archive = stage.asking<void, ArchiveOrder>();
  const machine = bulkMachine.provide({ actors: { place: place.logic, archive: archive.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), place, archive });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const placing = ({ place }: Rig) => place;
const archiving = ({ archive }: Rig) => archive;
const waiting = ({ actor }: Rig) => actor.getSnapshot().context.placings.length;
const requested = sent<BulkEvent>({ type: "placing.requested", ids: ["a", "b"], placing: { favourite: true } });
/** Somebody may ask for any number of them: three show what a fourth would. */
const asked: Move<Rig> = { ...requested, may: (rig, clock) => waiting(rig) < 3 && requested.may(rig, clock) };

walkTests<Rig>({
  machine: bulkMachine,
  prepare,
  moves: [
    asked,
    sent<BulkEvent>({ type: "archive.requested", ids: ["a"], format: "txt" }),
    answered("all are placed", placing, () => ({ done: ["a", "b"], failed: 0, code: null })),
    answered("one is not", placing, () => ({ done: ["a"], failed: 1, code: "notFound" })),
    refused("none is placed", placing, failure("network")),
    answered("the archive is saved", archiving, () => undefined),
    refused("the archive can't be had", archiving, failure("network")),
  ],
  situation: waiting,
  rules: {
    "one request after the other": ({ place }) => place.open().length <= 1,
    "what waits is asked for": (rig) => waiting(rig) > 0 === rig.place.open().length > 0,
    "one archive at a time, and it is said": (rig) =>
      selectIsArchiving(rig.actor.getSnapshot()) === (rig.archive.open().length === 1),
  },
});
