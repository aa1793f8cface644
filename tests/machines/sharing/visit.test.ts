import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type Opening,
  selectIsBroken,
  selectIsGone,
  selectIsLocked,
  selectIsOpening,
  selectIsShown,
  selectIsSoundFetched,
  selectIsUnlocking,
  selectLoadFailure,
  selectRefusal,
  selectSoundFailure,
  type VisitEvent,
  visitMachine,
} from "#machines/sharing/visit.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const passphrase = "seventeen green boats";

function start() {
  const open = answering<{ locked: boolean }, Opening>();
  const fetchSound = answering<void>();
  const wakeUps = talking<VisitEvent, VisitEvent>();
  const forgotten: string[] = [];
  const machine = visitMachine.provide({
    actors: { open: open.logic, fetchSound: fetchSound.logic, wakeUps: wakeUps.logic },
    actions: { forget: () => void forgotten.push("all") },
  });
  const actor = stopsAfterTest(createActor(machine));
  actor.start();
  return { actor, open, fetchSound, wakeUps, forgotten, now: () => actor.getSnapshot() };
}

async function shown() {
  const all = start();
  await all.open.last().resolve({ locked: false });
  return all;
}

async function locked() {
  const all = start();
  await all.open.last().resolve({ locked: true });
  return all;
}

describe("visit to a link", () => {
  test("shows a link without a passphrase at once", async () => {
    const { open, now } = start();
    expect([selectIsOpening(now()), open.inputs()]).toEqual([true, [{}]]);
    await open.last().resolve({ locked: false });
    expect([selectIsShown(now()), selectIsOpening(now())]).toEqual([true, false]);
  });

  test.each(["notFound", "gone", "notOffered"])("reports a link as gone when the answer is %s", async (code) => {
    const { actor, open, now } = start();
    await open.last().reject(code);
    expect([selectIsGone(now()), selectLoadFailure(now())]).toEqual([true, null]);
    actor.send({ type: "retry.requested" });
    expect(open.asked).toHaveLength(1);
  });

  test("shows why a link can't be loaded, and loads it when the network is back or on request", async () => {
    const { actor, open, wakeUps, now } = start();
    await open.last().reject("network");
    expect(selectLoadFailure(now())).toBe("network");
    wakeUps.say({ type: "page.resumed" });
    await open.last().reject("tooManyRequests");
    expect(selectLoadFailure(now())).toBe("tooManyRequests");
    actor.send({ type: "retry.requested" });
    expect(selectLoadFailure(now())).toBeNull();
    await open.last().resolve({ locked: false });
    expect(selectIsShown(now())).toBe(true);
  });

  test.each(["noKey", "wrongPassphrase", "tampered"])("reports a link whose key opens nothing as broken: %s", async (code) => {
    const { actor, open, now } = start();
    await open.last().reject(code);
    expect(selectIsBroken(now())).toBe(true);
    actor.send({ type: "retry.requested" });
    expect(open.asked).toHaveLength(1);
  });
});

describe("passphrase of a link", () => {
  test("asks for a link's passphrase, tries it, and stores it nowhere", async () => {
    const { actor, open, now } = await locked();
    expect([selectIsLocked(now()), selectRefusal(now())]).toEqual([true, null]);
    actor.send({ type: "passphrase.entered", passphrase: "" });
    expect([selectRefusal(now()), open.asked.length]).toEqual(["noPassphrase", 1]);
    actor.send({ type: "passphrase.entered", passphrase: "wrong" });
    expect([selectIsUnlocking(now()), selectRefusal(now())]).toEqual([true, null]);
    // A second press while the first is tried does nothing.
    actor.send({ type: "passphrase.entered", passphrase });
    await open.last().reject("wrongPassword");
    expect([selectIsLocked(now()), selectRefusal(now())]).toEqual([true, "wrongPassword"]);
    actor.send({ type: "passphrase.entered", passphrase });
    expect(JSON.stringify(now().context)).not.toContain(passphrase);
    expect(open.inputs()).toEqual([{}, { passphrase: "wrong" }, { passphrase }]);
    await open.last().resolve({ locked: false });
    expect([selectIsShown(now()), selectIsLocked(now())]).toEqual([true, false]);
  });

  test("refuses the passphrase of a link that ended, and asks again when it was changed", async () => {
    const ended = await locked();
    ended.actor.send({ type: "passphrase.entered", passphrase });
    await ended.open.last().reject("notFound");
    expect(selectIsGone(ended.now())).toBe(true);
    const other = await locked();
    other.actor.send({ type: "passphrase.entered", passphrase });
    await other.open.last().resolve({ locked: true });
    expect([selectIsLocked(other.now()), selectIsUnlocking(other.now())]).toEqual([true, false]);
  });

  test("asks again for a passphrase that does not decrypt, and reports a tampered link as broken", async () => {
    const { actor, open, now } = await locked();
    actor.send({ type: "passphrase.entered", passphrase });
    await open.last().reject("wrongPassphrase");
    expect(selectRefusal(now())).toBe("wrongPassphrase");
    actor.send({ type: "passphrase.entered", passphrase });
    await open.last().reject("tampered");
    expect(selectIsBroken(now())).toBe(true);
  });
});

describe("audio of a shared recording", () => {
  test("downloads a recording's audio on request, and stops when canceled", async () => {
    const { actor, fetchSound, now } = await shown();
    expect(fetchSound.asked).toHaveLength(0);
    actor.send({ type: "sound.requested" });
    expect(selectIsSoundFetched(now())).toBe(true);
    actor.send({ type: "cancel.requested" });
    expect([selectIsSoundFetched(now()), fetchSound.last().signal.aborted]).toEqual([false, true]);
    actor.send({ type: "sound.requested" });
    await fetchSound.last().reject("tampered");
    expect(selectSoundFailure(now())).toBe("tampered");
    actor.send({ type: "sound.requested" });
    expect(selectSoundFailure(now())).toBeNull();
    await fetchSound.last().resolve();
    expect([selectIsShown(now()), selectIsSoundFetched(now())]).toEqual([true, false]);
  });

  test("removes what is shown when the audio's link was revoked", async () => {
    const { actor, fetchSound, forgotten, now } = await shown();
    actor.send({ type: "sound.requested" });
    await fetchSound.last().reject("notFound");
    expect([selectIsGone(now()), forgotten]).toEqual([true, ["all"]]);
  });
});

describe("audio that no longer plays", () => {
  async function refused() {
    const all = await shown();
    all.actor.send({ type: "access.lapsed" });
    return all;
  }

  test("removes the text when the link was revoked", async () => {
    const { open, forgotten, now } = await refused();
    expect([selectIsShown(now()), forgotten]).toEqual([true, []]);
    await open.last().reject("notFound");
    expect([selectIsGone(now()), forgotten]).toEqual([true, ["all"]]);
  });

  test("asks for the passphrase again when its time is over", async () => {
    const { open, forgotten, now } = await refused();
    await open.last().resolve({ locked: true });
    expect([selectIsLocked(now()), forgotten]).toEqual([true, ["all"]]);
  });

  test("keeps the text when only the audio is no longer shared, or without an answer", async () => {
    const { actor, open, forgotten, now } = await refused();
    await open.last().resolve({ locked: false });
    actor.send({ type: "access.lapsed" });
    await open.last().reject("network");
    expect([selectIsShown(now()), forgotten]).toEqual([true, []]);
  });
});
