import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { SharedAnswer, SharedTranscript } from "#contract/index.ts";
import {
  type Opening,
  selectIsGone,
  selectIsLocked,
  selectIsOpening,
  selectIsUnlocking,
  selectLoadFailure,
  selectRefusal,
  selectShown,
  visitMachine,
} from "#machines/sharing/visit.ts";
import type { VisitEvent } from "#machines/sharing/visit-events.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const transcript: SharedTranscript = {
  title: "The harbour",
  date: "2026-03-01T10:00:00.000Z",
  sharedBy: "Anna",
  sourceLanguage: "en",
  targetLanguage: null,
  durationSeconds: 2,
  hasAudio: true,
  download: true,
  expiresAt: null,
  text: "",
  translatedText: "",
  segments: [],
};
const shown: SharedAnswer = { locked: false, transcript };
const passphrase = "seventeen green boats";

function start() {
  const open = answering<SharedAnswer, Opening>();
  const wakeUps = talking<VisitEvent, VisitEvent>();
  const machine = visitMachine.provide({ actors: { open: open.logic, wakeUps: wakeUps.logic } });
  const actor = stopsAfterTest(createActor(machine));
  actor.start();
  return { actor, open, wakeUps, now: () => actor.getSnapshot() };
}

async function locked() {
  const all = start();
  await all.open.last().resolve({ locked: true });
  return all;
}

describe("a link", () => {
  test("without a passphrase shows its transcript at once", async () => {
    const { open, now } = start();
    expect([selectIsOpening(now()), open.inputs()]).toEqual([true, [{}]]);
    await open.last().resolve(shown);
    expect([selectShown(now()), selectIsOpening(now())]).toEqual([transcript, false]);
  });

  test.each(["notFound", "gone", "notOffered"])("that is answered with %s is gone, whatever the reason was", async (code) => {
    const { actor, open, now } = start();
    await open.last().reject(code);
    expect([selectIsGone(now()), selectLoadFailure(now())]).toEqual([true, null]);
    actor.send({ type: "retry.requested" });
    expect(open.asked).toHaveLength(1);
  });

  test("that can't be loaded says why, and is when the network is back or somebody asks", async () => {
    const { actor, open, wakeUps, now } = start();
    await open.last().reject("network");
    expect(selectLoadFailure(now())).toBe("network");
    wakeUps.say({ type: "page.resumed" });
    await open.last().reject("tooManyRequests");
    expect(selectLoadFailure(now())).toBe("tooManyRequests");
    actor.send({ type: "retry.requested" });
    expect(selectLoadFailure(now())).toBeNull();
    await open.last().resolve(shown);
    expect(selectShown(now())).toBe(transcript);
  });
});

describe("a passphrase", () => {
  test("is asked for, tried, and kept nowhere", async () => {
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
    await open.last().resolve(shown);
    expect([selectShown(now()), selectIsLocked(now())]).toEqual([transcript, false]);
  });

  test("of a link that ends meanwhile opens nothing; one that is another one by then is asked for", async () => {
    const ended = await locked();
    ended.actor.send({ type: "passphrase.entered", passphrase });
    await ended.open.last().reject("notFound");
    expect(selectIsGone(ended.now())).toBe(true);
    const other = await locked();
    other.actor.send({ type: "passphrase.entered", passphrase });
    await other.open.last().resolve({ locked: true });
    expect([selectIsLocked(other.now()), selectIsUnlocking(other.now())]).toEqual([true, false]);
  });
});

describe("what plays no more", () => {
  async function refused() {
    const all = start();
    await all.open.last().resolve(shown);
    all.actor.send({ type: "access.lapsed" });
    return all;
  }

  test("because the link was revoked takes the text away", async () => {
    const { open, now } = await refused();
    expect(selectShown(now())).toBe(transcript);
    await open.last().reject("notFound");
    expect([selectIsGone(now()), now().context.transcript]).toEqual([true, null]);
  });

  test("because its time is over asks for the passphrase again", async () => {
    const { open, now } = await refused();
    await open.last().resolve({ locked: true });
    expect([selectIsLocked(now()), selectShown(now()), now().context.transcript]).toEqual([true, null, null]);
  });

  test("because the sound is shared no more leaves the text; and so does no answer", async () => {
    const { actor, open, now } = await refused();
    await open.last().resolve({ locked: false, transcript: { ...transcript, hasAudio: false } });
    expect(selectShown(now())?.hasAudio).toBe(false);
    actor.send({ type: "access.lapsed" });
    await open.last().reject("network");
    expect(selectShown(now())?.title).toBe("The harbour");
  });
});
