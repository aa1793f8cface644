import { describe, expect, it } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  type PersistedTry,
  selectFailure,
  selectIsBusy,
  selectIsDisconnected,
  selectIsFinishing,
  selectIsIdle,
  selectIsRecording,
  selectLanguages,
  selectPersistedTry,
  type TryLanguages,
  type TryOutEvent,
  tryOutMachine,
} from "#machines/tryout/machine.ts";
import { answering, stopsAfterTest, talking, tick } from "#tests/machines/harness.ts";

const english: TryLanguages = { source: "en", target: "es" };
const german: TryLanguages = { source: "de-DE", target: "en" };

function begun({ mayRecognize = true } = {}) {
  const clock = new SimulatedClock();
  const find = answering<PersistedTry | null>();
  const openMicrophone = answering<void, TryLanguages>();
  const keep = answering<PersistedTry | null, { isRecognized: boolean }>();
  const adopt = answering<string, { ownerId: string }>();
  const discard = answering<void>();
  const capture = talking<TryOutEvent, TryOutEvent>();
  const connection = talking<TryOutEvent, TryOutEvent, TryLanguages>();
  const sound = talking<TryOutEvent, TryOutEvent>();
  const machine = tryOutMachine.provide({
    actors: {
      find: find.logic,
      openMicrophone: openMicrophone.logic,
      keep: keep.logic,
      adopt: adopt.logic,
      discard: discard.logic,
      capture: capture.logic,
      connection: connection.logic,
      sound: sound.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { mayRecognize } }));
  const adopted: string[] = [];
  actor.on("try.adopted", ({ id }) => adopted.push(id));
  actor.start();
  return { actor, clock, find, openMicrophone, keep, adopt, discard, capture, connection, sound, adopted };
}

async function recording() {
  const harness = begun();
  await harness.find.last().resolve(null);
  harness.actor.send({ type: "start.requested", languages: german });
  expect(harness.openMicrophone.inputs()).toEqual([german]);
  await harness.openMicrophone.last().resolve();
  return harness;
}

const nine = { seconds: 9, isRecognized: true, languages: english };

describe("trial recording", () => {
  it("ends after thirty seconds, and is stored when every word is there", async () => {
    const { actor, clock, keep, connection } = await recording();
    clock.increment(29_999);
    expect(actor.getSnapshot().matches({ recognizing: { work: "recording" } })).toBe(true);
    clock.increment(1);
    expect(actor.getSnapshot().matches({ recognizing: { work: "finishing" } })).toBe(true);
    connection.say({ type: "recording.done" });
    expect(keep.inputs()).toEqual([{ isRecognized: true }]);
    await keep.last().resolve(nine);
    expect(selectPersistedTry(actor.getSnapshot())).toEqual(nine);
  });

  it("a try-out reconnects after a lost connection, with growing intervals", async () => {
    const { actor, clock, connection } = await recording();
    connection.say({ type: "connection.lost", code: null });
    expect(selectIsDisconnected(actor.getSnapshot())).toBe(true);
    clock.increment(1_000);
    expect(selectIsDisconnected(actor.getSnapshot())).toBe(false);
    connection.say({ type: "connection.lost", code: "engineFailed" });
    clock.increment(1_000);
    expect(selectIsDisconnected(actor.getSnapshot())).toBe(true);
    clock.increment(1_000);
    expect(actor.getSnapshot().matches({ recognizing: { work: "recording", connection: "connected" } })).toBe(true);
  });

  it("the trial recording is recognized again from the beginning in newly chosen languages", async () => {
    const { actor, clock, keep, capture, connection, sound } = await recording();
    expect(connection.input()).toEqual(german);
    connection.say({ type: "connection.lost", code: null });
    clock.increment(500);
    actor.send({ type: "languages.chosen", languages: english });
    expect([connection.starts(), connection.input(), capture.starts(), capture.running()]).toEqual([2, english, 1, 1]);
    clock.increment(29_500);
    connection.say({ type: "recording.done" });
    await keep.last().resolve(nine);
    expect(sound.running()).toBe(1);
    actor.send({ type: "languages.chosen", languages: german });
    expect([selectIsFinishing(actor.getSnapshot()), selectLanguages(actor.getSnapshot())]).toEqual([true, german]);
    expect([connection.input(), capture.running(), sound.running()]).toEqual([german, 0, 0]);
    connection.say({ type: "connection.lost", code: "tooManyRequests" });
    expect(keep.inputs()).toEqual([{ isRecognized: true }, { isRecognized: false }]);
  });

  it("the trial recording becomes a recording of the new account before its last words are there", async () => {
    const { actor, adopt, connection } = await recording();
    actor.send({ type: "stop.requested" });
    actor.send({ type: "adoption.requested", ownerId: "ada" });
    expect([adopt.inputs(), connection.running()]).toEqual([[{ ownerId: "ada" }], 0]);
  });

  it("the trial recording is stored with the reason when the server has no capacity", async () => {
    const { actor, keep, connection } = await recording();
    connection.say({ type: "connection.lost", code: "tooManyAtOnce" });
    expect(keep.inputs()).toEqual([{ isRecognized: false }]);
    await keep.last().resolve({ seconds: 2, isRecognized: false, languages: english });
    expect([selectPersistedTry(actor.getSnapshot()), selectFailure(actor.getSnapshot())]).toEqual([
      { seconds: 2, isRecognized: false, languages: english },
      "tooManyAtOnce",
    ]);
  });

  it("the trial recording is stored without its last words after a minute", async () => {
    const { actor, clock, keep } = await recording();
    actor.send({ type: "stop.requested" });
    clock.increment(60_000);
    expect(keep.inputs()).toEqual([{ isRecognized: false }]);
  });

  it("a try-out shows a refused microphone, and can start again", async () => {
    const harness = begun();
    await harness.find.last().resolve(null);
    harness.actor.send({ type: "start.requested", languages: english });
    await harness.openMicrophone.last().reject("refused");
    expect(selectFailure(harness.actor.getSnapshot())).toBe("refused");
    harness.actor.send({ type: "start.requested", languages: english });
    expect(selectFailure(harness.actor.getSnapshot())).toBeNull();
  });
});

describe("trial recording of an earlier visit", () => {
  it("the trial recording of an earlier visit is recognized to its end by the visitors' server", async () => {
    const { actor, find, connection } = begun();
    await find.last().resolve({ seconds: 4, isRecognized: false, languages: english });
    expect(actor.getSnapshot().matches({ recognizing: { work: "finishing", connection: "connected" } })).toBe(true);
    expect(connection.running()).toBe(1);
  });

  it("the trial recording of an earlier visit is only offered to a signed-in person, and becomes their recording", async () => {
    const { actor, find, adopt, adopted } = begun({ mayRecognize: false });
    await find.last().resolve({ seconds: 4, isRecognized: false, languages: english });
    actor.send({ type: "adoption.requested", ownerId: "ada" });
    expect(adopt.inputs()).toEqual([{ ownerId: "ada" }]);
    await adopt.last().reject("storageFull");
    expect([selectFailure(actor.getSnapshot()), selectPersistedTry(actor.getSnapshot())?.seconds]).toEqual(["storageFull", 4]);
    actor.send({ type: "adoption.requested", ownerId: "ada" });
    await adopt.last().resolve("recording");
    expect([adopted, selectPersistedTry(actor.getSnapshot())]).toEqual([["recording"], null]);
  });

  it("the trial recording of an earlier visit is deleted when discarded", async () => {
    const { actor, find, discard } = begun();
    await find.last().resolve(nine);
    actor.send({ type: "discard.requested" });
    await discard.last().resolve();
    await tick();
    expect([actor.getSnapshot().value, actor.getSnapshot().context.persisted]).toEqual(["idle", null]);
  });
});

describe("visible state of a trial", () => {
  type Harness = ReturnType<typeof begun>;
  const seen = ({ actor }: Harness) => {
    const now = actor.getSnapshot();
    const all = {
      idle: selectIsIdle(now),
      recording: selectIsRecording(now),
      finishing: selectIsFinishing(now),
      disconnected: selectIsDisconnected(now),
      busy: selectIsBusy(now),
    };
    return Object.entries(all).flatMap(([name, is]) => (is ? [name] : []));
  };

  it("follows each step from the first look to the end", async () => {
    const harness = begun();
    expect(seen(harness)).toEqual(["busy"]);
    await harness.find.last().reject("blocked");
    expect(seen(harness)).toEqual(["idle"]);
    harness.actor.send({ type: "start.requested", languages: english });
    expect(seen(harness)).toEqual(["busy"]);
    await harness.openMicrophone.last().resolve();
    expect([seen(harness), harness.capture.running(), harness.connection.running()]).toEqual([["recording"], 1, 1]);
    harness.connection.say({ type: "connection.lost", code: null });
    expect([seen(harness), harness.connection.running()]).toEqual([["recording", "disconnected"], 0]);
    harness.actor.send({ type: "stop.requested" });
    expect([seen(harness), harness.capture.running()]).toEqual([["finishing", "disconnected"], 0]);
    harness.clock.increment(1_000);
    expect(seen(harness)).toEqual(["finishing"]);
    harness.connection.say({ type: "recording.over" });
    expect([seen(harness), harness.keep.inputs(), selectPersistedTry(harness.actor.getSnapshot())]).toEqual([
      ["busy"],
      [{ isRecognized: false }],
      null,
    ]);
    await harness.keep.last().resolve(nine);
    expect([seen(harness), selectPersistedTry(harness.actor.getSnapshot())]).toEqual([[], nine]);
    harness.actor.send({ type: "discard.requested" });
    expect([seen(harness), selectPersistedTry(harness.actor.getSnapshot())]).toEqual([["busy"], null]);
    await harness.discard.last().reject("blocked");
    expect(seen(harness)).toEqual(["idle"]);
  });

  it("the visible state of a trial is empty without sound, and shows why storing failed", async () => {
    const silent = await recording();
    silent.connection.say({ type: "recording.over" });
    await silent.keep.last().resolve(null);
    expect([seen(silent), selectPersistedTry(silent.actor.getSnapshot())]).toEqual([["idle"], null]);
    const failed = await recording();
    failed.connection.say({ type: "recording.done" });
    await failed.keep.last().reject("storageFull");
    expect([selectFailure(failed.actor.getSnapshot()), selectPersistedTry(failed.actor.getSnapshot())]).toEqual([
      "storageFull",
      null,
    ]);
    failed.actor.send({ type: "discard.requested" });
    await failed.discard.last().resolve();
    expect(selectFailure(failed.actor.getSnapshot())).toBeNull();
  });

  it.each(["microphone.unplugged", "limit.reached", "stop.requested"] as const)(
    "a try-out waits for the last words after %s",
    async (type) => {
      const harness = await recording();
      harness.actor.send({ type });
      expect(seen(harness)).toEqual(["finishing"]);
      harness.clock.increment(59_999);
      expect(harness.keep.asked).toEqual([]);
    },
  );

  it("the visible state of a trial is empty when canceled while the browser asks for the microphone", async () => {
    const harness = begun();
    await harness.find.last().resolve(null);
    harness.actor.send({ type: "start.requested", languages: english });
    harness.actor.send({ type: "stop.requested" });
    expect([seen(harness), harness.openMicrophone.last().signal.aborted]).toEqual([["idle"], true]);
  });
});

it("a try-out reconnects quickly again after a connection that worked", async () => {
  const { actor, clock, connection } = await recording();
  const back = (ms: number) => {
    connection.say({ type: "connection.lost", code: null });
    clock.increment(ms - 1);
    expect(selectIsDisconnected(actor.getSnapshot())).toBe(true);
    clock.increment(1);
    expect(selectIsDisconnected(actor.getSnapshot())).toBe(false);
  };
  back(1_000);
  for (const ms of [2_000, 4_000, 8_000, 8_000]) back(ms);
  connection.say({ type: "connection.opened" });
  back(1_000);
});

it("the try-out keeps text and recording unchanged for a signed-in user", async () => {
  const { actor, find } = begun();
  await find.last().resolve(nine);
  expect([selectPersistedTry(actor.getSnapshot()), actor.getSnapshot().context.isRecognized]).toEqual([nine, true]);
});
