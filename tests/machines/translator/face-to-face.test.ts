import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  type FaceToFaceEvent,
  faceToFaceMachine,
  selectIsFaceToFace,
  selectTextsOpposite,
} from "#machines/translator/face-to-face.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp(isOpen = true) {
  const clock = new SimulatedClock();
  const texts = answering<void, { texts: string }>();
  const wakeUps = talking<FaceToFaceEvent, FaceToFaceEvent>();
  const chosen: boolean[] = [];
  const machine = faceToFaceMachine.provide({
    actors: { loadTexts: texts.logic, wakeUps: wakeUps.logic },
    actions: { rememberChoice: (_, choice) => void chosen.push(choice.isOpen) },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { isOpen, texts: "es" } })).start();
  const shown = () => [selectIsFaceToFace(actor.getSnapshot()), selectTextsOpposite(actor.getSnapshot())];
  return { actor, clock, texts, wakeUps, chosen, shown };
}

test("opens by itself on a phone, and loads the other language's texts", async () => {
  const { texts, shown, chosen } = setUp();
  expect(shown()).toEqual([true, null]);
  await texts.last().resolve();
  expect(shown()).toEqual([true, "es"]);
  expect(chosen).toEqual([]);
});

test("remembers being opened and closed, and loads nothing while closed", () => {
  const { actor, texts, shown, chosen } = setUp(false);
  expect(shown()).toEqual([false, null]);
  actor.send({ type: "language.changed", texts: "fr" });
  expect(texts.asked).toHaveLength(0);
  actor.send({ type: "open.requested" });
  expect(texts.inputs()).toEqual([{ texts: "fr" }]);
  actor.send({ type: "close.requested" });
  expect(shown()).toEqual([false, null]);
  expect(texts.last().signal.aborted).toBe(true);
  expect(chosen).toEqual([true, false]);
});

test("loads the texts of another language, but not the same ones again", async () => {
  const { actor, texts, shown } = setUp();
  await texts.last().resolve();
  actor.send({ type: "language.changed", texts: "es" });
  expect(shown()).toEqual([true, "es"]);
  actor.send({ type: "language.changed", texts: "de" });
  expect(shown()).toEqual([true, null]);
  actor.send({ type: "language.changed", texts: "fr" });
  expect(texts.inputs()).toEqual([{ texts: "es" }, { texts: "de" }, { texts: "fr" }]);
  await texts.last().resolve();
  expect(shown()).toEqual([true, "fr"]);
});

test("retries the texts after five seconds or when the network is back", async () => {
  const { clock, texts, wakeUps, shown } = setUp();
  await texts.last().reject("network");
  expect(shown()).toEqual([true, null]);
  clock.increment(5_000);
  expect(texts.asked).toHaveLength(2);
  await texts.last().reject("network");
  wakeUps.say({ type: "page.resumed" });
  await texts.last().resolve();
  expect(shown()).toEqual([true, "es"]);
});
