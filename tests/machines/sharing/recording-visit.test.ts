import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type RecordingVisitEvent,
  recordingVisitMachine,
  selectIsRecordingBroken,
  selectIsRecordingGone,
  selectIsRecordingLocked,
  selectIsRecordingOpening,
  selectIsRecordingShown,
  selectIsRecordingUnlocking,
  selectIsSoundFetched,
  selectRecordingFailure,
  selectRecordingRefusal,
  selectSoundFailure,
} from "#machines/sharing/recording-visit.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp() {
  const fetch = answering<{ locked: boolean }>();
  const unseal = answering<void, { passphrase: string | null }>();
  const fetchSound = answering<void>();
  const wakeUps = talking<RecordingVisitEvent, RecordingVisitEvent>();
  const forgotten: string[] = [];
  const machine = recordingVisitMachine.provide({
    actors: { fetch: fetch.logic, unseal: unseal.logic, fetchSound: fetchSound.logic, wakeUps: wakeUps.logic },
    actions: { forget: () => void forgotten.push("all") },
  });
  const actor = stopsAfterTest(createActor(machine)).start();
  return { actor, fetch, unseal, fetchSound, wakeUps, forgotten, get: () => actor.getSnapshot() };
}

async function toShown() {
  const harness = setUp();
  await harness.fetch.last().resolve({ locked: false });
  await harness.unseal.last().resolve();
  return harness;
}

describe("the page of a link to a recording in a vault", () => {
  test("opens with the key in its address, and fetches the sound when it is wanted", async () => {
    const { actor, fetchSound, unseal, get } = await toShown();
    expect([selectIsRecordingShown(get()), unseal.last().input]).toEqual([true, { passphrase: null }]);
    expect(fetchSound.asked).toHaveLength(0);
    actor.send({ type: "sound.requested" });
    expect(selectIsSoundFetched(get())).toBe(true);
    actor.send({ type: "cancel.requested" });
    expect([selectIsSoundFetched(get()), fetchSound.last().signal.aborted]).toEqual([false, true]);
    actor.send({ type: "sound.requested" });
    await fetchSound.last().reject("tampered");
    expect(selectSoundFailure(get())).toBe("tampered");
    actor.send({ type: "sound.requested" });
    expect(selectSoundFailure(get())).toBeNull();
    await fetchSound.last().resolve();
    expect([selectIsRecordingShown(get()), selectIsSoundFetched(get())]).toEqual([true, false]);
  });

  test("that is revoked while it is open: what was decrypted is discarded", async () => {
    const { actor, fetchSound, forgotten, get } = await toShown();
    actor.send({ type: "sound.requested" });
    await fetchSound.last().reject("notFound");
    expect([selectIsRecordingGone(get()), forgotten]).toEqual([true, ["all"]]);
  });

  test("asks for its passphrase until one opens it", async () => {
    const { actor, fetch, unseal, get } = setUp();
    await fetch.last().resolve({ locked: true });
    expect([selectIsRecordingLocked(get()), selectRecordingRefusal(get())]).toEqual([true, null]);
    actor.send({ type: "passphrase.entered", passphrase: "" });
    expect([selectRecordingRefusal(get()), unseal.asked.length]).toEqual(["noPassphrase", 0]);
    actor.send({ type: "passphrase.entered", passphrase: "green boats" });
    expect([selectIsRecordingUnlocking(get()), unseal.last().input]).toEqual([true, { passphrase: "green boats" }]);
    await unseal.last().reject("wrongPassphrase");
    expect(selectRecordingRefusal(get())).toBe("wrongPassphrase");
    actor.send({ type: "passphrase.entered", passphrase: "seventeen green boats" });
    await unseal.last().resolve();
    expect(selectIsRecordingShown(get())).toBe(true);
    expect(JSON.stringify(get().context)).not.toContain("boats");
  });

  test.each(["wrongPassphrase", "tampered"])("whose key opens nothing is said to be broken: %s", async (code) => {
    const { fetch, unseal, get } = setUp();
    await fetch.last().resolve({ locked: false });
    await unseal.last().reject(code);
    expect(selectIsRecordingBroken(get())).toBe(true);
  });

  test("whose address is cut off asks the server for nothing more; one that is gone is gone", async () => {
    const cut = setUp();
    await cut.fetch.last().reject("noKey");
    expect([selectIsRecordingBroken(cut.get()), cut.unseal.asked.length]).toEqual([true, 0]);
    const gone = setUp();
    await gone.fetch.last().reject("notFound");
    expect(selectIsRecordingGone(gone.get())).toBe(true);
  });

  test("is tried again when the network is back", async () => {
    const { fetch, wakeUps, get } = setUp();
    await fetch.last().reject("network");
    expect(selectRecordingFailure(get())).toBe("network");
    wakeUps.say({ type: "page.resumed" });
    expect(selectIsRecordingOpening(get())).toBe(true);
  });
});
