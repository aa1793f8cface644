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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const place = stubs.asking<PlacingOutcome, PlacingOrder>();
  const archive = stubs.asking<void, ArchiveOrder>();
  const machine = bulkMachine.provide({ actors: { place: place.logic, archive: archive.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), place, archive });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const placing = ({ place }: Harness) => place;
const archiving = ({ archive }: Harness) => archive;
const waiting = ({ actor }: Harness) => actor.getSnapshot().context.placings.length;
const requested = sent<BulkEvent>({ type: "placing.requested", ids: ["a", "b"], placing: { favourite: true } });
/** Somebody may ask for any number of them: three show what a fourth would. */
const asked: Move<Harness> = { ...requested, may: (harness, clock) => waiting(harness) < 3 && requested.may(harness, clock) };

walkTests<Harness>({
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
    "what waits is asked for": (harness) => waiting(harness) > 0 === harness.place.open().length > 0,
    "one archive at a time, and it is said": (harness) =>
      selectIsArchiving(harness.actor.getSnapshot()) === (harness.archive.open().length === 1),
  },
});
