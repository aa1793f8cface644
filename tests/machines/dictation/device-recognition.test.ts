import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type DeviceRecognitionEmitted,
  type DeviceRecognitionEvent,
  deviceRecognitionMachine,
} from "#machines/dictation/device-recognition/machine.ts";
import type { ListenCommand } from "#machines/dictation/recognition/machine.ts";
import { selectRecognitionProblem, selectRecognizedBy } from "#machines/dictation/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { leftover, toIdle } from "./harness.ts";

const english = { type: "start.requested", sourceLanguage: "en", targetLanguage: null, heardBy: "device" } as const;
const later = { type: "recognition.troubled", problem: "deviceLater" } as const;
const failed = { type: "recognition.troubled", problem: "deviceFailed" } as const;

function setUp(isEnded = false) {
  const listen = talking<DeviceRecognitionEvent, ListenCommand>();
  const rest = answering<void>();
  const machine = deviceRecognitionMachine.provide({ actors: { listen: listen.logic, recognizeRest: rest.logic } });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: DeviceRecognitionEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  if (!isEnded) actor.send({ type: "capture.began" });
  return { listen, rest, emitted, stop: () => actor.send({ type: "finish.requested" }) };
}

describe("model on this device", () => {
  test("the device recognizes live, and finishes with the last words", () => {
    const { listen, rest, emitted, stop } = setUp();
    stop();
    expect([listen.heard, emitted]).toEqual([[{ type: "stop.requested" }], []]);
    listen.say({ type: "listening.ended" });
    expect([listen.isRunning(), rest.asked.length, emitted]).toEqual([false, 0, [{ type: "recognition.finished" }]]);
  });

  test("the device recognizes the rest afterwards when live recognition fails", async () => {
    const { listen, rest, emitted, stop } = setUp();
    listen.say({ type: "listening.failed", code: "tooSlow" });
    expect([listen.isRunning(), rest.asked.length, emitted]).toEqual([false, 0, [later]]);
    stop();
    await rest.last().resolve();
    expect(emitted).toEqual([later, { type: "recognition.finished" }]);
  });

  test("recognizes the last words from the stored audio when they fail live", async () => {
    const { listen, rest, emitted, stop } = setUp();
    stop();
    listen.say({ type: "listening.failed", code: "workerLost" });
    await rest.last().resolve();
    expect(emitted).toEqual([{ type: "recognition.finished" }]);
  });

  test("recognizes an unfinished recording from the stored audio only", () => {
    const { listen, rest, stop } = setUp(true);
    stop();
    expect([listen.starts(), rest.asked.length]).toEqual([0, 1]);
  });

  test("retries when the browser ends its worker, and gives up the second time", async () => {
    const { rest, emitted, stop } = setUp(true);
    stop();
    await rest.last().reject("workerLost");
    expect([rest.asked.length, emitted]).toEqual([2, []]);
    await rest.last().reject("workerLost");
    expect([rest.asked.length, emitted]).toEqual([2, [failed, { type: "recognition.failed" }]]);
    const live = setUp();
    live.listen.say({ type: "listening.failed", code: "workerLost" });
    live.stop();
    await live.rest.last().reject("workerLost");
    expect(live.rest.asked.length).toBe(1);
  });

  test("gives up at once when the model is gone", async () => {
    const { rest, emitted, stop } = setUp(true);
    stop();
    await rest.last().reject("absent");
    expect(emitted).toEqual([failed, { type: "recognition.failed" }]);
  });
});

describe("recorder with the model on this device", () => {
  async function toStopped() {
    const fixture = await toIdle();
    fixture.actor.send(english);
    await fixture.openMicrophone.last().resolve();
    fixture.actor.send({ type: "stop.requested" });
    fixture.clock.increment(300);
    return fixture;
  }

  test("recognizes on this device if chosen, also for an unfinished recording and its retry", async () => {
    const { recognition, connection, actor, phase } = await toStopped();
    expect(recognition.input()).toEqual({ by: "device" });
    connection.say({ type: "connection.lost", code: "forbidden" });
    expect(phase()).toBe("failed");
    actor.send({ type: "retry.requested" });
    expect(recognition.input()).toEqual({ by: "device" });
    const other = await toIdle([leftover]);
    other.actor.send({ type: "leftover.resumeRequested", id: leftover.id });
    await other.openLeftover.last().resolve({ sourceLanguage: "en", targetLanguage: null, heardBy: "device" });
    expect(other.recognition.input()).toEqual({ by: "device" });
  });

  test("sets aside an offline recording once its words are there", async () => {
    const { environment, recognition, connection, setAside, phase } = await toStopped();
    environment.isAway = true;
    connection.say({ type: "connection.lost", code: null });
    expect([phase(), setAside.asked.length]).toEqual(["finishingOffline", 0]);
    recognition.say({ type: "recognition.finished", hasWords: true });
    expect(setAside.asked.length).toBe(1);
  });

  test("leaves a recording that this device can't recognize to the server, and says so", async () => {
    const { recognition, connection, actor, get } = await toStopped();
    recognition.say({ type: "recognition.troubled", problem: "deviceFailed" });
    recognition.say({ type: "recognition.failed" });
    expect([selectRecognizedBy(get()), selectRecognitionProblem(get())]).toEqual([null, "deviceFailed"]);
    connection.say({ type: "connection.lost", code: "forbidden" });
    actor.send({ type: "retry.requested" });
    expect(recognition.input()).toEqual({ by: null });
  });
});
