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

describe("a link", () => {
  test("a link without a passphrase is shown at once", async () => {
    const { open, now } = start();
    expect([selectIsOpening(now()), open.inputs()]).toEqual([true, [{}]]);
    await open.last().resolve({ locked: false });
    expect([selectIsShown(now()), selectIsOpening(now())]).toEqual([true, false]);
  });

  test.each(["notFound", "gone", "notOffered"])("that is answered with %s is gone, whatever the reason was", async (code) => {
    const { actor, open, now } = start();
    await open.last().reject(code);
    expect([selectIsGone(now()), selectLoadFailure(now())]).toEqual([true, null]);
    actor.send({ type: "retry.requested" });
    expect(open.asked).toHaveLength(1);
  });

  test("a link that can't be loaded says why, and is loaded when the network is back or somebody asks", async () => {
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

  test.each(["noKey", "wrongPassphrase", "tampered"])("whose key opens nothing is said to be broken: %s", async (code) => {
    const { actor, open, now } = start();
    await open.last().reject(code);
    expect(selectIsBroken(now())).toBe(true);
    actor.send({ type: "retry.requested" });
    expect(open.asked).toHaveLength(1);
  });
});

describe("a passphrase", () => {
  test("a link's passphrase is asked for, tried, and kept nowhere", async () => {
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

  test("the passphrase of a link that ends meanwhile opens nothing, and one that was changed meanwhile is asked for", async () => {
    const ended = await locked();
    ended.actor.send({ type: "passphrase.entered", passphrase });
    await ended.open.last().reject("notFound");
    expect(selectIsGone(ended.now())).toBe(true);
    const other = await locked();
    other.actor.send({ type: "passphrase.entered", passphrase });
    await other.open.last().resolve({ locked: true });
    expect([selectIsLocked(other.now()), selectIsUnlocking(other.now())]).toEqual([true, false]);
  });

  test("a passphrase that does not decrypt is asked for again, and a tampered link is broken", async () => {
    const { actor, open, now } = await locked();
    actor.send({ type: "passphrase.entered", passphrase });
    await open.last().reject("wrongPassphrase");
    expect(selectRefusal(now())).toBe("wrongPassphrase");
    actor.send({ type: "passphrase.entered", passphrase });
    await open.last().reject("tampered");
    expect(selectIsBroken(now())).toBe(true);
  });
});

describe("the sound of a recording", () => {
  test("a recording's sound is fetched when it is wanted, and no longer once it is cancelled", async () => {
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

  test("fetching the sound of a revoked link takes away what is shown", async () => {
    const { actor, fetchSound, forgotten, now } = await shown();
    actor.send({ type: "sound.requested" });
    await fetchSound.last().reject("notFound");
    expect([selectIsGone(now()), forgotten]).toEqual([true, ["all"]]);
  });
});

describe("what plays no more", () => {
  async function refused() {
    const all = await shown();
    all.actor.send({ type: "access.lapsed" });
    return all;
  }

  test("because the link was revoked takes the text away", async () => {
    const { open, forgotten, now } = await refused();
    expect([selectIsShown(now()), forgotten]).toEqual([true, []]);
    await open.last().reject("notFound");
    expect([selectIsGone(now()), forgotten]).toEqual([true, ["all"]]);
  });

  test("because its time is over asks for the passphrase again", async () => {
    const { open, forgotten, now } = await refused();
    await open.last().resolve({ locked: true });
    expect([selectIsLocked(now()), forgotten]).toEqual([true, ["all"]]);
  });

  test("because the sound is shared no more leaves the text; and so does no answer", async () => {
    const { actor, open, forgotten, now } = await refused();
    await open.last().resolve({ locked: false });
    actor.send({ type: "access.lapsed" });
    await open.last().reject("network");
    expect([selectIsShown(now()), forgotten]).toEqual([true, []]);
  });
});
