import { describe, expect, test } from "vitest";
import type { RecorderEmitted } from "#machines/dictation/events.ts";
import {
  selectCanStart,
  selectFailure,
  selectLeftovers,
  selectSavedId,
  selectSourceLanguage,
} from "#machines/dictation/selectors.ts";
import { type Fixture, leftover, start, toFinishing, toIdle, toOnline, toSaving } from "./harness.ts";

describe("leaving the page during a dictation", () => {
  test.each([false, true])(
    "warns until the dictation is saved, and afterwards only if audio is in memory alone (%s)",
    async (isTroubled) => {
      const { actor, capture, connection, leaving, phase, save } = await toOnline();
      const isHeld = () => leaving.input()?.isAtRisk ?? false;
      if (isTroubled) capture.say({ type: "storage.troubled" });
      expect(isHeld()).toBe(true);
      connection.say({ type: "connection.lost", code: "badRequest" });
      expect([phase(), isHeld()]).toEqual(["failed", isTroubled]);
      actor.send({ type: "retry.requested" });
      expect(isHeld()).toBe(true);
      connection.say({ type: "connection.opened" });
      connection.say({ type: "recording.done", hasWords: false });
      expect([phase(), isHeld()]).toEqual(["nothingHeard", isTroubled]);
      actor.send({ type: "keep.requested" });
      expect([phase(), isHeld()]).toEqual(["saving", true]);
      await save.last().reject("internal");
      expect([phase(), isHeld()]).toEqual(["failed", isTroubled]);
      actor.send({ type: "reset.requested" });
      expect(isHeld()).toBe(false);
    },
  );
});

describe("saving of a dictation", () => {
  test("saves a dictation as soon as every word is final", async () => {
    const { phase, save, findLeftovers, get } = await toSaving();
    expect(phase()).toBe("saving");
    expect(selectCanStart(get())).toBe(false);
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
    expect(selectSavedId(get())).toBe("t1");
    await findLeftovers.last().resolve([leftover]);
    expect(selectLeftovers(get())).toEqual([leftover]);
  });

  test("shows a failed save and retries it on request", async () => {
    const { actor, phase, save, get } = await toSaving();
    await save.last().reject("storageFull");
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe("storageFull");
    actor.send({ type: "retry.requested" });
    expect(phase()).toBe("saving");
    expect(save.asked).toHaveLength(2);
  });

  test("retries a save by itself when the device is back online", async () => {
    const { phase, save, wakeUps } = await toSaving();
    await save.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    expect(phase()).toBe("saving");
    await save.last().reject("internal");
    wakeUps.say({ type: "page.resumed" });
    expect(phase()).toBe("failed");
  });

  test("treats an error without a code as internal", async () => {
    const { save, get } = await toSaving();
    await save.last().rejectWith("?");
    expect(selectFailure(get())).toBe("internal");
  });

  test("saves nothing when the server has already made a transcription", async () => {
    const { phase, connection, save, get } = await toFinishing();
    connection.say({ type: "recording.over" });
    expect(phase()).toBe("saved");
    expect(selectSavedId(get())).toBeNull();
    expect(save.asked).toHaveLength(0);
  });

  test("lets another recording follow a saved one", async () => {
    const { actor, phase, save, openMicrophone, get } = await toSaving();
    await save.last().resolve("t1");
    actor.send({ type: "start.requested", sourceLanguage: "da", targetLanguage: null });
    expect(phase()).toBe("requestingMicrophone");
    expect(selectSavedId(get())).toBeNull();
    expect(openMicrophone.last().input).toEqual({ sourceLanguage: "da", targetLanguage: null, source: "microphone" });
  });
});

describe("navigation to the saved transcript", () => {
  const toPage = async (arrange: () => Promise<Fixture>) => {
    const fixture = await arrange();
    fixture.environment.isOnPage = true;
    return fixture;
  };

  test("opens the transcript after Stop, and is ready for another recording afterwards", async () => {
    const { save, shown, actor, phase, findLeftovers, emitted } = await toPage(toSaving);
    await save.last().resolve("t1");
    expect([shown, phase()]).toEqual([["t1"], "checking"]);
    await findLeftovers.last().resolve([]);
    expect([phase(), emitted.at(-1)?.type]).toEqual(["idle", "recorder.ready"]);
    actor.send(start);
    expect([phase(), shown]).toEqual(["requestingMicrophone", ["t1"]]);
  });

  test("begins no other recording before the transcript opens", async () => {
    const { actor, phase, save, openMicrophone } = await toOnline().then((fixture) => {
      fixture.actor.send({ type: "stop.requested" });
      return fixture;
    });
    for (let press = 0; press < 3; press += 1) actor.send(start);
    expect([phase(), openMicrophone.asked.length, save.asked.length]).toEqual(["stopping", 1, 0]);
  });

  test("opens the transcript of a finished leftover and of a retried save, too", async () => {
    const { actor, openLeftover, connection, save, shown } = await toPage(() => toIdle([leftover]));
    actor.send({ type: "leftover.resumeRequested", id: "l1" });
    await openLeftover.last().resolve({ sourceLanguage: "en", targetLanguage: null });
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().reject("internal");
    actor.send({ type: "retry.requested" });
    await save.last().resolve("t1");
    expect(shown).toEqual(["t1"]);
  });

  test("opens no transcript without words, or one that was sent by itself when the network returned", async () => {
    const silent = await toPage(toFinishing);
    silent.connection.say({ type: "recording.done", hasWords: false });
    silent.actor.send({ type: "keep.requested" });
    await silent.save.last().resolve("t1");
    const late = await toPage(toSaving);
    await late.save.last().reject("network");
    late.wakeUps.say({ type: "page.resumed" });
    await late.save.last().resolve("t2");
    expect([silent.phase(), silent.shown, late.phase(), late.shown]).toEqual(["saved", [], "saved", []]);
  });
});

describe("recording without speech", () => {
  const toNothing = async () => {
    const fixture = await toFinishing();
    fixture.connection.say({ type: "recording.done", hasWords: false });
    return fixture;
  };

  test("saves a recording without speech on request", async () => {
    const { actor, phase, save } = await toNothing();
    expect(phase()).toBe("nothingHeard");
    expect(save.asked).toHaveLength(0);
    actor.send({ type: "keep.requested" });
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
  });

  test.each([true, false])("discards a recording without speech on request (the server knows it: %s)", async (known) => {
    const { actor, phase, discard, findLeftovers } = await toNothing();
    actor.send({ type: "discard.requested" });
    if (known) await discard.last().resolve();
    else await discard.last().reject("network");
    expect(phase()).toBe("checking");
    await findLeftovers.last().resolve([]);
    expect(phase()).toBe("idle");
  });
});

describe("unfinished recording", () => {
  test("finishes and saves an unfinished recording in its own languages", async () => {
    const { actor, phase, openLeftover, connection, capture, save, get } = await toIdle([leftover]);
    actor.send({ type: "leftover.resumeRequested", id: "l1" });
    expect(openLeftover.last().input).toEqual({ id: "l1" });
    await openLeftover.last().resolve({ sourceLanguage: "fr-FR", targetLanguage: null });
    expect(phase()).toBe("finishing");
    expect(capture.starts()).toBe(0);
    expect(selectSourceLanguage(get())).toBe("fr-FR");
    connection.say({ type: "connection.opened" });
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
    expect(selectLeftovers(get())).toEqual([]);
  });

  test("looks for unfinished recordings again when another tab has opened one", async () => {
    const { actor, phase, openLeftover } = await toIdle([leftover]);
    actor.send({ type: "leftover.resumeRequested", id: "l1" });
    await openLeftover.last().rejectWith(new Error("open elsewhere"));
    expect(phase()).toBe("checking");
  });

  test.each([true, false])("discards an unfinished recording (the server knows it: %s)", async (known) => {
    const { actor, phase, discardLeftover, findLeftovers } = await toIdle([leftover]);
    actor.send({ type: "leftover.discardRequested", id: "l1" });
    expect(discardLeftover.last().input).toEqual({ id: "l1" });
    if (known) await discardLeftover.last().resolve();
    else await discardLeftover.last().reject("network");
    expect(phase()).toBe("checking");
    expect(findLeftovers.asked).toHaveLength(2);
  });

  test("lets the person postpone an unfinished recording after a failure", async () => {
    const { actor, phase, connection, findLeftovers, get } = await toFinishing();
    connection.say({ type: "connection.lost", code: "forbidden" });
    actor.send({ type: "reset.requested" });
    expect(phase()).toBe("checking");
    await findLeftovers.last().resolve([leftover]);
    expect(selectLeftovers(get())).toEqual([leftover]);
    expect(selectFailure(get())).toBeNull();
  });
});

describe("pending texts in this browser", () => {
  test("saves pending texts on request", async () => {
    const { actor, phase, saveUnsaved } = await toIdle();
    actor.send({ type: "unsaved.saveRequested" });
    expect(phase()).toBe("saving");
    await saveUnsaved.last().resolve();
    expect(phase()).toBe("checking");
  });

  test("keeps pending texts when saving fails", async () => {
    const { actor, phase, saveUnsaved, get } = await toIdle();
    actor.send({ type: "unsaved.saveRequested" });
    await saveUnsaved.last().reject("network");
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe("network");
    actor.send({ type: "retry.requested" });
    expect(phase()).toBe("saving");
  });
});

describe("recorder's events for the page", () => {
  const types = ({ emitted }: { emitted: readonly RecorderEmitted[] }) => emitted.map(({ type }) => type);

  test("emits the start of a recording once, and its end when it is saved", async () => {
    const fixture = await toSaving();
    expect(types(fixture)).toEqual(["recorder.ready", "recording.started"]);
    await fixture.save.last().resolve("t1");
    expect(types(fixture).slice(2)).toEqual(["recording.saved"]);
    fixture.actor.send({ type: "reset.requested" });
    await fixture.findLeftovers.last().resolve([]);
    expect(types(fixture).slice(3)).toEqual(["recorder.ready"]);
  });

  test("emits why a save failed, and that it is retried", async () => {
    const fixture = await toSaving();
    await fixture.save.last().rejectWith("?");
    expect(fixture.emitted.at(-1)).toEqual({ type: "recording.failed", failure: "internal" });
    fixture.actor.send({ type: "retry.requested" });
    expect(types(fixture).at(-1)).toBe("recording.started");
  });

  test("emits the reason when a lost connection ended the recording", async () => {
    const fixture = await toOnline();
    fixture.connection.say({ type: "connection.lost", code: "badRequest" });
    expect(fixture.emitted.at(-1)).toEqual({ type: "recording.failed", failure: "badRequest" });
  });

  test("emits that no speech was recognized", async () => {
    const fixture = await toFinishing();
    fixture.connection.say({ type: "recording.done", hasWords: false });
    expect(types(fixture).at(-1)).toBe("speech.missed");
    fixture.actor.send({ type: "keep.requested" });
    expect(types(fixture).at(-1)).toBe("recording.started");
  });

  test("emits that a recording was canceled before it began", async () => {
    const fixture = await toIdle();
    fixture.actor.send(start);
    fixture.actor.send({ type: "stop.requested" });
    await fixture.findLeftovers.last().resolve([]);
    expect(types(fixture)).toEqual(["recorder.ready", "recording.started", "recorder.ready"]);
  });
});
