import { describe, expect, test } from "vitest";
import type { RecorderEvent, RecorderLanguages, RecorderLeftover } from "#machines/dictation/events.ts";
import { selectFillsPage, selectIsDiscardAsked, selectLeftovers, selectStaysHere } from "#machines/dictation/selectors.ts";
import { type Fixture, leftover, toIdle } from "./harness.ts";

const here: RecorderLanguages = { sourceLanguage: "en", targetLanguage: null, heardBy: "device", staysHere: true };
const onDevice: RecorderLeftover = { ...leftover, staysHere: true };

async function toFinishing(): Promise<Fixture> {
  const fixture = await toIdle();
  fixture.actor.send({ type: "start.requested", ...here });
  await fixture.openMicrophone.last().resolve();
  fixture.actor.send({ type: "stop.requested" });
  fixture.clock.increment(300);
  return fixture;
}

async function toKept(): Promise<Fixture> {
  const fixture = await toFinishing();
  fixture.recognition.say({ type: "recognition.finished", hasWords: true });
  return fixture;
}

const send = ({ actor }: Fixture, type: "save.requested" | "discard.requested" | "discard.confirmed" | "discard.dismissed") =>
  actor.send({ type } satisfies RecorderEvent);

describe("recording that stays on this device", () => {
  test("recognizes the recording without any connection until its words are shown", async () => {
    const fixture = await toFinishing();
    expect([fixture.recognition.input(), fixture.connection.starts(), fixture.phase()]).toEqual([
      { by: "device" },
      0,
      "finishing",
    ]);
    fixture.wakeUps.say({ type: "page.resumed" });
    fixture.clock.increment(600_000);
    expect([fixture.connection.starts(), fixture.setAside.asked.length]).toEqual([0, 0]);
    fixture.recognition.say({ type: "recognition.finished", hasWords: true });
    expect([fixture.phase(), fixture.connection.starts(), fixture.allowed]).toEqual(["kept", 0, []]);
    expect([selectFillsPage(fixture.get()), fixture.get().can({ type: "start.requested", ...here })]).toEqual([true, false]);
  });

  test("waits for the words of an offline recording instead of setting it aside", async () => {
    const fixture = await toIdle();
    fixture.environment.isAway = true;
    fixture.actor.send({ type: "start.requested", ...here });
    await fixture.openMicrophone.last().resolve();
    fixture.actor.send({ type: "stop.requested" });
    fixture.clock.increment(300);
    expect([fixture.phase(), fixture.setAside.asked.length]).toEqual(["finishing", 0]);
    fixture.recognition.say({ type: "recognition.finished", hasWords: true });
    expect(fixture.phase()).toBe("kept");
    // Saved without a network, it waits for one like every other.
    send(fixture, "save.requested");
    fixture.recognition.say({ type: "recognition.finished", hasWords: true });
    expect(fixture.setAside.asked).toHaveLength(1);
  });

  test("sends the recording when the person saves it, and makes a transcript", async () => {
    const fixture = await toKept();
    fixture.environment.isOnPage = true;
    send(fixture, "save.requested");
    expect([fixture.allowed, fixture.connection.starts(), fixture.phase()]).toEqual([["allowed"], 1, "finishing"]);
    expect(selectStaysHere(fixture.get())).toBe(false);
    // The device reports at once that it has all words: they are already saved, and the person is not asked again.
    fixture.recognition.say({ type: "recognition.finished", hasWords: true });
    expect(fixture.phase()).toBe("finishing");
    fixture.connection.say({ type: "connection.opened" });
    fixture.connection.say({ type: "recording.done", hasWords: true });
    await fixture.save.last().resolve("t1");
    expect(fixture.shown).toEqual(["t1"]);
  });

  test("shows a refusal over the limit like any failure, and allows a retry", async () => {
    const fixture = await toKept();
    send(fixture, "save.requested");
    fixture.connection.say({ type: "connection.lost", code: "limitReached" });
    expect([fixture.phase(), fixture.get().context.failure]).toEqual(["failed", "limitReached"]);
    fixture.actor.send({ type: "retry.requested" });
    expect([fixture.phase(), fixture.connection.starts()]).toEqual(["finishing", 2]);
  });

  test("discards the recording on confirmation, without a connection", async () => {
    const fixture = await toKept();
    send(fixture, "discard.requested");
    expect([selectIsDiscardAsked(fixture.get()), fixture.phase()]).toEqual([true, "kept"]);
    send(fixture, "discard.dismissed");
    expect([selectIsDiscardAsked(fixture.get()), fixture.phase()]).toEqual([false, "kept"]);
    send(fixture, "discard.requested");
    send(fixture, "discard.confirmed");
    await fixture.discard.last().resolve();
    expect([fixture.phase(), fixture.connection.starts()]).toEqual(["checking", 0]);
  });

  test("holds the page while the recording is spoken and recognized, and later only if it is in memory alone", async () => {
    const finishing = await toFinishing();
    expect(finishing.leaving.input()).toEqual({ isAtRisk: true });
    finishing.recognition.say({ type: "recognition.finished", hasWords: true });
    expect(finishing.leaving.input()).toEqual({ isAtRisk: false });
    const troubled = await toFinishing();
    troubled.actor.send({ type: "storage.troubled" });
    troubled.recognition.say({ type: "recognition.finished", hasWords: true });
    expect(troubled.leaving.input()).toEqual({ isAtRisk: true });
  });

  test("asks what to do when nothing was recognized, and sends the recording only if the person saves it", async () => {
    const fixture = await toFinishing();
    fixture.recognition.say({ type: "recognition.finished", hasWords: false });
    expect([fixture.phase(), fixture.connection.starts()]).toEqual(["nothingHeard", 0]);
    fixture.actor.send({ type: "keep.requested" });
    expect([fixture.phase(), fixture.connection.starts(), fixture.allowed]).toEqual(["finishing", 1, ["allowed"]]);
    fixture.connection.say({ type: "recording.done", hasWords: false });
    await fixture.save.last().resolve("t1");
    expect(fixture.phase()).toBe("saved");
  });

  test("does not send a stored recording after a reload until the person opens it", async () => {
    const fixture = await toIdle([onDevice]);
    fixture.wakeUps.say({ type: "page.resumed" });
    expect([fixture.openLeftover.asked.length, selectLeftovers(fixture.get())]).toEqual([0, [onDevice]]);
    fixture.actor.send({ type: "leftover.resumeRequested", id: onDevice.id });
    await fixture.openLeftover.last().resolve(here);
    expect([fixture.recognition.input(), fixture.connection.starts(), fixture.phase()]).toEqual([
      { by: "device" },
      0,
      "finishing",
    ]);
    fixture.recognition.say({ type: "recognition.finished", hasWords: true });
    expect([fixture.phase(), fixture.connection.starts()]).toEqual(["kept", 0]);
  });

  test("lists the recording as unfinished when the recorder starts again", async () => {
    const fixture = await toKept();
    fixture.actor.send({ type: "reset.requested" });
    await fixture.findLeftovers.last().resolve([onDevice]);
    expect([fixture.phase(), selectLeftovers(fixture.get())]).toEqual(["idle", [onDevice]]);
  });
});
