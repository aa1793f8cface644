import { createActor } from "xstate";
import { type EventStreamEvent, eventStreamMachine, exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const stream = stage.asking<void>();
  const wakeUps = stage.callback<EventStreamEvent>();
  const machine = eventStreamMachine.provide({ actors: { stream: stream.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), stream, wakeUps });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const isWaiting = ({ actor }: Rig) => actor.getSnapshot().matches("waiting");
const isOver = ({ actor }: Rig) => actor.getSnapshot().matches("over");
const attempt = ({ actor }: Rig) => actor.getSnapshot().context.attempt;

walkTests<Rig>({
  machine: eventStreamMachine,
  prepare,
  moves: [
    sent({ type: "stream.opened" }),
    answered(
      "the stream ends",
      ({ stream }: Rig) => stream,
      () => undefined,
    ),
    refused("the stream can't be had", ({ stream }: Rig) => stream, failure("network")),
    refused("the followed resource is gone", ({ stream }: Rig) => stream, failure("notFound")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    untilNextTimer,
  ],
  situation: (rig) => Math.min(attempt(rig), 7),
  rules: {
    "one stream at a time": ({ stream }) => stream.open().length <= 1,
    "it streams, or waits to": (rig) => isOver(rig) || (rig.stream.open().length === 0) === isWaiting(rig),
    "it never waits for longer than 30 s": (rig, clock) => !isWaiting(rig) || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "it waits for longer after each failure": (rig, clock) =>
      !isWaiting(rig) || clock.untilNext() === exponentialBackOff(attempt(rig)),
    "it hears that the device woke": (rig) => rig.wakeUps.running() === (isOver(rig) ? 0 : 1),
    "when it is over nothing is asked any more": (rig) => !isOver(rig) || rig.stream.open().length === 0,
  },
});
