import { createActor } from "xstate";
import { type DeviceRecognitionEvent, deviceRecognitionMachine } from "#machines/dictation/device-recognition/machine.ts";
import type { ListenCommand } from "#machines/dictation/recognition/machine.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const listen = stubs.callback<DeviceRecognitionEvent, ListenCommand>();
  const rest = stubs.asking<void>();
  const machine = deviceRecognitionMachine.provide({ actors: { listen: listen.logic, recognizeRest: rest.logic } });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    listen,
    rest,
    counts: { begun: 0 },
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const began = sent<DeviceRecognitionEvent>({ type: "capture.began" });
const listener = ({ listen }: Harness) => listen;
const rest = (harness: Harness) => harness.rest;

walkTests<Harness>({
  machine: deviceRecognitionMachine,
  prepare,
  isLocal: "this device alone is asked",
  moves: [
    {
      ...began,
      may: (harness) => harness.counts.begun === 0 && snapshot(harness).matches("waiting"),
      happen: (harness, clock) => {
        harness.counts.begun += 1;
        began.happen(harness, clock);
      },
    },
    sent({ type: "pause.requested" }),
    sent({ type: "finish.requested" }),
    said({ type: "listening.failed", code: "tooSlow" }, listener, "it is too slow"),
    said({ type: "listening.failed", code: "workerLost" }, listener, "its worker is lost"),
    said({ type: "listening.ended" }, listener),
    answered("the rest is recognized", rest, () => undefined),
    refused("the worker is lost with the rest", rest, failure("workerLost")),
    refused("the model is gone", rest, failure("absent")),
  ],
  situation: (harness) => [snapshot(harness).context.losses, harness.counts.begun],
  rules: {
    "it listens exactly while it says so": (harness) =>
      harness.listen.running() === (snapshot(harness).matches("listening") ? 1 : 0),
    "the rest is recognized only when there is all of it, and once at a time": (harness) =>
      harness.rest.open().length === (snapshot(harness).matches("rest") ? 1 : 0),
    "a worker is lost twice at most": (harness) => snapshot(harness).context.losses <= 2,
  },
});
