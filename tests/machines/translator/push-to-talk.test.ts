import { expect, it } from "vitest";
import { createActor } from "xstate";
import { pushToTalkMachine } from "#machines/translator/push-to-talk.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

function setUp() {
  const done: string[] = [];
  let isRecorded = false;
  const record = (step: string, recorded: boolean) => {
    isRecorded = recorded;
    done.push(step);
  };
  const machine = pushToTalkMachine.provide({
    actions: {
      begin: (_, { side }) => record(`begin ${side}`, true),
      stop: () => record("stop", false),
      closeFaceToFace: () => void done.push("close"),
    },
    guards: { isUnderWay: () => isRecorded, isBusy: () => isRecorded },
  });
  return { actor: stopsAfterTest(createActor(machine)).start(), done };
}

it("records while the space bar is held", () => {
  const { actor, done } = setUp();
  actor.send({ type: "space.pressed", side: 1, at: 1_000 });
  actor.send({ type: "space.released", at: 1_400 });
  expect(done).toEqual(["begin 1", "stop"]);
});

it("begins and ends a recording with short presses", () => {
  const { actor, done } = setUp();
  for (const at of [1_000, 2_000]) {
    actor.send({ type: "space.pressed", side: 0, at });
    actor.send({ type: "space.released", at: at + 399 });
  }
  expect(done).toEqual(["begin 0", "stop"]);
});

it("ends a held recording when the window loses the focus, but not after a short press", () => {
  const { actor, done } = setUp();
  actor.send({ type: "space.pressed", side: 0, at: 0 });
  actor.send({ type: "focus.lost" });
  actor.send({ type: "space.pressed", side: 0, at: 1_000 });
  actor.send({ type: "space.released", at: 1_010 });
  actor.send({ type: "focus.lost" });
  expect(done).toEqual(["begin 0", "stop", "begin 0"]);
});

it("ends the recording with Escape, then closes the face-to-face view", () => {
  const { actor, done } = setUp();
  actor.send({ type: "space.pressed", side: 0, at: 0 });
  actor.send({ type: "escape.pressed" });
  actor.send({ type: "space.released", at: 1_000 });
  actor.send({ type: "escape.pressed" });
  expect(done).toEqual(["begin 0", "stop", "close"]);
});
