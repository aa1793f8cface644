import { createActor } from "xstate";
import { type EventStreamEvent, eventStreamMachine, exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const stream = stubs.asking<void>();
  const wakeUps = stubs.callback<EventStreamEvent>();
  const machine = eventStreamMachine.provide({ actors: { stream: stream.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), stream, wakeUps });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const isWaiting = ({ actor }: Harness) => actor.getSnapshot().matches("waiting");
const isOver = ({ actor }: Harness) => actor.getSnapshot().matches("over");
const attempt = ({ actor }: Harness) => actor.getSnapshot().context.attempt;

walkTests<Harness>({
  machine: eventStreamMachine,
  prepare,
  moves: [
    sent({ type: "stream.opened" }),
    answered(
      "the stream ends",
      ({ stream }: Harness) => stream,
      () => undefined,
    ),
    refused("the stream can't be had", ({ stream }: Harness) => stream, failure("network")),
    refused("the followed resource is gone", ({ stream }: Harness) => stream, failure("notFound")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    untilNextTimer,
  ],
  situation: (harness) => Math.min(attempt(harness), 7),
  rules: {
    "one stream at a time": ({ stream }) => stream.open().length <= 1,
    "it streams, or waits to": (harness) => isOver(harness) || (harness.stream.open().length === 0) === isWaiting(harness),
    "it never waits for longer than 30 s": (harness, clock) => !isWaiting(harness) || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "it waits for longer after each failure": (harness, clock) =>
      !isWaiting(harness) || clock.untilNext() === exponentialBackOff(attempt(harness)),
    "it hears that the device woke": (harness) => harness.wakeUps.running() === (isOver(harness) ? 0 : 1),
    "when it is over nothing is asked any more": (harness) => !isOver(harness) || harness.stream.open().length === 0,
  },
});
