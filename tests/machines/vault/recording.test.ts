import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  selectIsTroubled,
  selectLeftovers,
  selectMicrophoneWasLost,
  selectRecordingFailure,
  selectRecordingPhase,
  selectWasSilent,
  selectWordsFailure,
  type VaultLeftover,
  type VaultRecordingEvent,
  type VaultWords,
  vaultRecordingMachine,
} from "#machines/vault/recording.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const leftover: VaultLeftover = { id: "l1", startedAt: 1000, durationSeconds: 12 };

function setUp() {
  const calls = {
    findLeftovers: answering<readonly VaultLeftover[]>(),
    openMicrophone: answering<VaultWords>(),
    finish: answering<void>(),
    finishWords: answering<boolean>(),
    consign: answering<void, { words: VaultWords }>(),
    saveLeftover: answering<void, { id: string }>(),
    discardLeftover: answering<void, { id: string }>(),
  };
  const { findLeftovers, openMicrophone, finish, finishWords, consign, saveLeftover, discardLeftover } = calls;
  const capture = talking<VaultRecordingEvent, VaultRecordingEvent, { words: VaultWords }>();
  let hidden = 0;
  const clock = new SimulatedClock();
  const machine = vaultRecordingMachine.provide({
    actors: {
      findLeftovers: findLeftovers.logic,
      openMicrophone: openMicrophone.logic,
      finish: finish.logic,
      finishWords: finishWords.logic,
      consign: consign.logic,
      saveLeftover: saveLeftover.logic,
      discardLeftover: discardLeftover.logic,
      capture: capture.logic,
    },
    actions: {
      hideWords: () => {
        hidden += 1;
      },
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const phase = () => get(selectRecordingPhase);
  return { ...calls, capture, clock, get, send: actor.send.bind(actor), phase, hidden: () => hidden };
}

async function idle(leftovers: readonly VaultLeftover[] = [leftover]) {
  const harness = setUp();
  await harness.findLeftovers.last().resolve(leftovers);
  return harness;
}

async function recording(words: VaultWords = "none") {
  const harness = await idle();
  harness.send({ type: "start.requested" });
  await harness.openMicrophone.last().resolve(words);
  return harness;
}

/** The recording was stopped, and all of its audio is stored. */
async function stopped(words: VaultWords) {
  const harness = await recording(words);
  harness.send({ type: "stop.requested" });
  harness.clock.increment(300);
  await harness.finish.last().resolve();
  return harness;
}

describe("recording into the vault", () => {
  test("opens the microphone, continues for 300 ms after Stop, and becomes a transfer", async () => {
    const { phase, send, openMicrophone, capture, clock, finish, consign, findLeftovers } = await idle();
    send({ type: "start.requested" });
    expect([phase(), capture.running()]).toEqual(["opening", 0]);
    await openMicrophone.last().resolve("none");
    expect([phase(), capture.running()]).toEqual(["recording", 1]);
    send({ type: "stop.requested" });
    clock.increment(299);
    expect([phase(), capture.running()]).toEqual(["stopping", 1]);
    clock.increment(1);
    expect([phase(), capture.running(), finish.asked.length]).toEqual(["finishing", 0, 1]);
    await finish.last().resolve();
    expect([phase(), consign.inputs()]).toEqual(["finishing", [{ words: "none" }]]);
    await consign.last().resolve();
    expect([phase(), findLeftovers.asked.length]).toEqual(["idle", 2]);
  });

  test("recording into the vault can begin before the leftovers are known", () => {
    const { phase, send } = setUp();
    expect(phase()).toBe("idle");
    send({ type: "start.requested" });
    expect(phase()).toBe("opening");
  });

  test("the recording into the vault is canceled while the browser asks for the microphone", async () => {
    const { phase, send, openMicrophone, findLeftovers } = await idle();
    send({ type: "start.requested" });
    send({ type: "stop.requested" });
    expect([phase(), openMicrophone.last().signal.aborted, findLeftovers.asked.length]).toEqual(["idle", true, 2]);
  });

  test("shows why the microphone failed until the next try", async () => {
    const { phase, send, openMicrophone, get } = await idle();
    send({ type: "start.requested" });
    await openMicrophone.last().reject("refused");
    expect([phase(), get(selectRecordingFailure)]).toEqual(["idle", "refused"]);
    send({ type: "start.requested" });
    expect([phase(), get(selectRecordingFailure)]).toEqual(["opening", null]);
  });

  test("a vault recording ends with the microphone, and reports storage trouble until the next recording", async () => {
    const { phase, send, capture, finish, get } = await recording();
    capture.say({ type: "storage.troubled" });
    expect([phase(), get(selectIsTroubled), get(selectMicrophoneWasLost)]).toEqual(["recording", true, false]);
    capture.say({ type: "microphone.lost" });
    expect([phase(), get(selectMicrophoneWasLost)]).toEqual(["finishing", true]);
    await finish.last().reject("storageFull");
    expect([phase(), get(selectRecordingFailure), get(selectIsTroubled)]).toEqual(["idle", "storageFull", true]);
    send({ type: "start.requested" });
    expect([get(selectRecordingFailure), get(selectIsTroubled), get(selectMicrophoneWasLost)]).toEqual([null, false, false]);
  });
});

describe("words of a vault recording", () => {
  test("reports a recording without speech until the next one", async () => {
    const { send, get, finishWords, consign } = await stopped("live");
    await finishWords.last().resolve(false);
    await consign.last().resolve();
    expect(get(selectWasSilent)).toBe(true);
    send({ type: "start.requested" });
    expect(get(selectWasSilent)).toBe(false);
  });

  test("recognizes words afterwards when they fail or take over a minute", async () => {
    const failed = await stopped("live");
    await failed.finishWords.last().reject("workerLost");
    expect([failed.get(selectWordsFailure), failed.consign.inputs()]).toEqual(["workerLost", [{ words: "afterwards" }]]);
    const slow = await stopped("live");
    slow.clock.increment(59_999);
    expect(slow.phase()).toBe("understanding");
    slow.clock.increment(1);
    expect([slow.get(selectWordsFailure), slow.consign.inputs()]).toEqual(["tooSlow", [{ words: "afterwards" }]]);
  });

  test("stops waiting for words when the vault is locked after Stop", async () => {
    const { send, finishWords, consign, hidden } = await stopped("live");
    send({ type: "vault.locked" });
    expect([hidden(), finishWords.last().signal.aborted, consign.inputs()]).toEqual([1, true, [{ words: "cut" }]]);
  });

  test("still recognizes a recording's words afterwards when the vault is locked", async () => {
    const { send, clock, finish, consign } = await recording("afterwards");
    send({ type: "vault.locked" });
    clock.increment(300);
    await finish.last().resolve();
    expect(consign.inputs()).toEqual([{ words: "afterwards" }]);
  });
});

describe("leftover recordings of the vault", () => {
  test("shows leftovers while idle, and looks for them again after changes", async () => {
    const { send, get, findLeftovers } = await idle();
    expect(get(selectLeftovers)).toEqual([leftover]);
    send({ type: "leftovers.changed" });
    expect([get(selectLeftovers), findLeftovers.asked.length]).toEqual([[], 2]);
    await findLeftovers.last().reject("blocked");
    send({ type: "start.requested" });
    expect(get(selectLeftovers)).toEqual([]);
  });

  test.each([
    ["leftover.saveRequested", "saveLeftover"],
    ["leftover.discardRequested", "discardLeftover"],
  ] as const)("handles one leftover by %s, and shows why that failed", async (type, call) => {
    const harness = await idle();
    harness.send({ type, id: "l1" });
    expect([harness.phase(), harness[call].inputs(), harness.get(selectLeftovers)]).toEqual(["working", [{ id: "l1" }], []]);
    await harness[call].last().reject("locked");
    expect([harness.phase(), harness.get(selectRecordingFailure), harness.get(selectLeftovers)]).toEqual([
      "idle",
      "locked",
      [leftover],
    ]);
    harness.send({ type, id: "l1" });
    expect(harness.get(selectRecordingFailure)).toBeNull();
    await harness[call].last().resolve();
    expect([harness.phase(), harness.findLeftovers.asked.length]).toEqual(["idle", 2]);
  });
});
