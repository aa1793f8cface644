import { describe, expect, test } from "vitest";
import type { RecorderLeftover } from "#machines/dictation/events.ts";
import { selectLeftovers } from "#machines/dictation/selectors.ts";
import { languages, leftover, start, toFinishing, toIdle, toRecording } from "./harness.ts";

const waits = { sourceLanguage: "en", targetLanguage: null } as const;
const first: RecorderLeftover = { ...leftover, id: "w1", waits };
const second: RecorderLeftover = { ...leftover, id: "w2", waits };

describe("dictation without a network", () => {
  test("sets a finished recording aside, so that the next one can begin", async () => {
    const { actor, clock, setAside, findLeftovers, phase, environment, get } = await toRecording();
    environment.isAway = true;
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    expect([phase(), setAside.asked.length]).toEqual(["saving", 1]);
    await setAside.last().resolve();
    await findLeftovers.last().resolve([first]);
    expect([phase(), selectLeftovers(get())]).toEqual(["idle", [first]]);
    expect(get().can(start)).toBe(true);
  });

  test("does not set aside a recording that is in memory alone", async () => {
    const { actor, capture, clock, connection, setAside, phase, environment } = await toRecording();
    environment.isAway = true;
    capture.say({ type: "storage.troubled" });
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    connection.say({ type: "connection.lost", code: null });
    expect([phase(), setAside.asked.length]).toEqual(["finishingOffline", 0]);
  });

  test("sets a recording aside when the network fails during its last words", async () => {
    const { connection, setAside, environment } = await toFinishing();
    environment.isAway = true;
    connection.say({ type: "connection.lost", code: null });
    expect(setAside.asked).toHaveLength(1);
  });
});

describe("return of the network", () => {
  // PROMISE offline: A dictation without a network waits in the browser, and is sent by itself
  test("finishes waiting recordings one after another, even without a word in them", async () => {
    const harness = await toIdle();
    harness.environment.isAway = true;
    harness.actor.send({ type: "reset.requested" });
    await harness.findLeftovers.last().resolve([first, second]);
    expect(harness.openLeftover.asked).toHaveLength(0);
    harness.environment.isAway = false;
    harness.wakeUps.say({ type: "page.resumed" });
    expect(harness.openLeftover.inputs()).toEqual([{ id: "w1" }]);
    await harness.openLeftover.last().resolve(languages);
    harness.connection.say({ type: "recording.done", hasWords: false });
    await harness.save.last().resolve("t1");
    await harness.findLeftovers.last().resolve([second]);
    expect(harness.openLeftover.inputs()).toEqual([{ id: "w1" }, { id: "w2" }]);
    await harness.openLeftover.last().resolve(languages);
    harness.environment.isOnPage = true;
    harness.connection.say({ type: "recording.done", hasWords: true });
    await harness.save.last().resolve("t2");
    // It was not stopped just now, so the page stays.
    expect([harness.phase(), harness.shown]).toEqual(["saved", []]);
  });

  test("tries a recording that can't be opened once, and again after the next network failure", async () => {
    const harness = await toIdle([first]);
    await harness.openLeftover.last().reject("internal");
    await harness.findLeftovers.last().resolve([first]);
    expect([harness.phase(), harness.openLeftover.asked.length]).toEqual(["idle", 1]);
    harness.wakeUps.say({ type: "page.resumed" });
    expect(harness.openLeftover.asked).toHaveLength(2);
  });

  test("leaves an otherwise interrupted recording to the person, and asks when nothing was recognized", async () => {
    const harness = await toIdle([leftover]);
    expect(harness.openLeftover.asked).toHaveLength(0);
    harness.actor.send({ type: "leftover.resumeRequested", id: leftover.id });
    await harness.openLeftover.last().resolve(languages);
    harness.connection.say({ type: "recording.done", hasWords: false });
    expect(harness.phase()).toBe("nothingHeard");
  });
});
