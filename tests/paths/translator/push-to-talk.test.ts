import { createActor } from "xstate";
import { type PushToTalkEvent, pushToTalkMachine } from "#machines/translator/push-to-talk.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import type { Move } from "#tests/paths/harness-run.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare() {
  let environment = { isRecorded: false, isPlayed: false, isOpen: true, begun: 0 };
  const machine = pushToTalkMachine.provide({
    actions: {
      begin: () => {
        environment.isRecorded = true;
        environment.begun += 1;
      },
      stop: () => {
        environment.isRecorded = false;
        environment.isPlayed = false;
      },
      closeFaceToFace: () => {
        environment.isOpen = false;
      },
    },
    guards: { isUnderWay: () => environment.isRecorded, isBusy: () => environment.isRecorded || environment.isPlayed },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    environment = { isRecorded: false, isPlayed: start === "something is played", isOpen: true, begun: 0 };
    return { actor: createActor(machine, { clock, inspect }), environment };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const isPressed = ({ actor }: Harness) => actor.getSnapshot().matches("pressed");

function pressed(name: string, may: (harness: Harness) => boolean): Move<Harness> {
  return { ...sent<PushToTalkEvent>({ type: "space.pressed", side: 1, at: 1_000 }, name), may };
}

walkTests<Harness>({
  machine: pushToTalkMachine,
  prepare,
  starts: ["nothing is played", "something is played"],
  moves: [
    pressed("the space bar is pressed", (harness) => !isPressed(harness)),
    pressed("it is pressed again, as its release was not heard", isPressed),
    sent<PushToTalkEvent>({ type: "space.released", at: 1_399 }, "it is released at once"),
    sent<PushToTalkEvent>({ type: "space.released", at: 1_400 }, "it is released after a while"),
    sent<PushToTalkEvent>({ type: "escape.pressed" }),
    sent<PushToTalkEvent>({ type: "focus.lost" }),
    {
      name: "the recording ends by itself",
      may: ({ environment }) => environment.isRecorded,
      happen: ({ environment }) => {
        environment.isRecorded = false;
      },
    },
  ],
  situation: ({ environment }) => [environment.isRecorded, environment.isPlayed, environment.isOpen],
  rules: {
    "nothing is recorded that nobody began": ({ environment }) => !environment.isRecorded || environment.begun > 0,
    "what is played ends before the view face to face": ({ environment }) => environment.isOpen || !environment.isPlayed,
  },
  isLocal: "the keys are the page's",
  simple: true,
});
