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

describe("leaving the page", () => {
  test.each([false, true])(
    "is asked about until it is saved; when nothing is done any more, only if memory alone holds it (%s)",
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

describe("saving", () => {
  test("follows when every word is final", async () => {
    const { phase, save, findLeftovers, get } = await toSaving();
    expect(phase()).toBe("saving");
    expect(selectCanStart(get())).toBe(false);
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
    expect(selectSavedId(get())).toBe("t1");
    await findLeftovers.last().resolve([leftover]);
    expect(selectLeftovers(get())).toEqual([leftover]);
  });

  test("that fails is shown, and tried again", async () => {
    const { actor, phase, save, get } = await toSaving();
    await save.last().reject("storageFull");
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe("storageFull");
    actor.send({ type: "retry.requested" });
    expect(phase()).toBe("saving");
    expect(save.asked).toHaveLength(2);
  });

  test("that found no server is tried again by itself when the device is back", async () => {
    const { phase, save, wakeUps } = await toSaving();
    await save.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    expect(phase()).toBe("saving");
    await save.last().reject("internal");
    wakeUps.say({ type: "page.resumed" });
    expect(phase()).toBe("failed");
  });

  test("an error without a code is an internal one", async () => {
    const { save, get } = await toSaving();
    await save.last().rejectWith("?");
    expect(selectFailure(get())).toBe("internal");
  });

  test("is not needed when the server has made a transcription by itself", async () => {
    const { phase, connection, save, get } = await toFinishing();
    connection.say({ type: "recording.over" });
    expect(phase()).toBe("saved");
    expect(selectSavedId(get())).toBeNull();
    expect(save.asked).toHaveLength(0);
  });

  test("another recording may follow", async () => {
    const { actor, phase, save, openMicrophone, get } = await toSaving();
    await save.last().resolve("t1");
    actor.send({ type: "start.requested", sourceLanguage: "da", targetLanguage: null });
    expect(phase()).toBe("requestingMicrophone");
    expect(selectSavedId(get())).toBeNull();
    expect(openMicrophone.last().input).toEqual({ sourceLanguage: "da", targetLanguage: null, source: "microphone" });
  });
});

describe("the page becomes the transcript", () => {
  const toPage = async (arrange: () => Promise<Fixture>) => {
    const fixture = await arrange();
    fixture.environment.isOnPage = true;
    return fixture;
  };

  test("after Stop, and is ready for another recording when the person comes back", async () => {
    const { save, shown, actor, phase, findLeftovers, emitted } = await toPage(toSaving);
    await save.last().resolve("t1");
    expect([shown, phase()]).toEqual([["t1"], "checking"]);
    await findLeftovers.last().resolve([]);
    expect([phase(), emitted.at(-1)?.type]).toEqual(["idle", "recorder.ready"]);
    actor.send(start);
    expect([phase(), shown]).toEqual(["requestingMicrophone", ["t1"]]);
  });

  test("and no press begins another recording before that", async () => {
    const { actor, phase, save, openMicrophone } = await toOnline().then((fixture) => {
      fixture.actor.send({ type: "stop.requested" });
      return fixture;
    });
    for (let press = 0; press < 3; press += 1) actor.send(start);
    expect([phase(), openMicrophone.asked.length, save.asked.length]).toEqual(["stopping", 1, 0]);
  });

  test("also when the person has finished what was not, or tries again to save it", async () => {
    const { actor, openLeftover, connection, save, shown } = await toPage(() => toIdle([leftover]));
    actor.send({ type: "leftover.resumeRequested", id: "l1" });
    await openLeftover.last().resolve({ sourceLanguage: "en", targetLanguage: null });
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().reject("internal");
    actor.send({ type: "retry.requested" });
    await save.last().resolve("t1");
    expect(shown).toEqual(["t1"]);
  });

  test("but not of what nobody waits for: without words, or sent by itself when the network is back", async () => {
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

describe("nothing heard", () => {
  const toNothing = async () => {
    const fixture = await toFinishing();
    fixture.connection.say({ type: "recording.done", hasWords: false });
    return fixture;
  };

  test("is kept when the person wants it", async () => {
    const { actor, phase, save } = await toNothing();
    expect(phase()).toBe("nothingHeard");
    expect(save.asked).toHaveLength(0);
    actor.send({ type: "keep.requested" });
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
  });

  test.each([true, false])("is thrown away when the person wants it (the server knows: %s)", async (known) => {
    const { actor, phase, discard, findLeftovers } = await toNothing();
    actor.send({ type: "discard.requested" });
    if (known) await discard.last().resolve();
    else await discard.last().reject("network");
    expect(phase()).toBe("checking");
    await findLeftovers.last().resolve([]);
    expect(phase()).toBe("idle");
  });
});

describe("what was not finished", () => {
  test("is finished and saved, in its own languages", async () => {
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

  test("that another tab has opened meanwhile is looked for again", async () => {
    const { actor, phase, openLeftover } = await toIdle([leftover]);
    actor.send({ type: "leftover.resumeRequested", id: "l1" });
    await openLeftover.last().rejectWith(new Error("open elsewhere"));
    expect(phase()).toBe("checking");
  });

  test.each([true, false])("is thrown away (the server knows: %s)", async (known) => {
    const { actor, phase, discardLeftover, findLeftovers } = await toIdle([leftover]);
    actor.send({ type: "leftover.discardRequested", id: "l1" });
    expect(discardLeftover.last().input).toEqual({ id: "l1" });
    if (known) await discardLeftover.last().resolve();
    else await discardLeftover.last().reject("network");
    expect(phase()).toBe("checking");
    expect(findLeftovers.asked).toHaveLength(2);
  });

  test("after a failure the person may leave it for later", async () => {
    const { actor, phase, connection, findLeftovers, get } = await toFinishing();
    connection.say({ type: "connection.lost", code: "forbidden" });
    actor.send({ type: "reset.requested" });
    expect(phase()).toBe("checking");
    await findLeftovers.last().resolve([leftover]);
    expect(selectLeftovers(get())).toEqual([leftover]);
    expect(selectFailure(get())).toBeNull();
  });
});

describe("texts that wait in this browser", () => {
  test("are saved when the person wants it", async () => {
    const { actor, phase, saveUnsaved } = await toIdle();
    actor.send({ type: "unsaved.saveRequested" });
    expect(phase()).toBe("saving");
    await saveUnsaved.last().resolve();
    expect(phase()).toBe("checking");
  });

  test("stay when that fails", async () => {
    const { actor, phase, saveUnsaved, get } = await toIdle();
    actor.send({ type: "unsaved.saveRequested" });
    await saveUnsaved.last().reject("network");
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe("network");
    actor.send({ type: "retry.requested" });
    expect(phase()).toBe("saving");
  });
});

describe("the rest of the page hears", () => {
  const types = ({ emitted }: { emitted: readonly RecorderEmitted[] }) => emitted.map(({ type }) => type);

  test("when something is recorded, once, and when it is saved", async () => {
    const fixture = await toSaving();
    expect(types(fixture)).toEqual(["recorder.ready", "recording.started"]);
    await fixture.save.last().resolve("t1");
    expect(types(fixture).slice(2)).toEqual(["recording.saved"]);
    fixture.actor.send({ type: "reset.requested" });
    await fixture.findLeftovers.last().resolve([]);
    expect(types(fixture).slice(3)).toEqual(["recorder.ready"]);
  });

  test("why it failed, and that it goes on", async () => {
    const fixture = await toSaving();
    await fixture.save.last().rejectWith("?");
    expect(fixture.emitted.at(-1)).toEqual({ type: "recording.failed", failure: "internal" });
    fixture.actor.send({ type: "retry.requested" });
    expect(types(fixture).at(-1)).toBe("recording.started");
  });

  test("that a lost connection has ended it, with the reason", async () => {
    const fixture = await toOnline();
    fixture.connection.say({ type: "connection.lost", code: "badRequest" });
    expect(fixture.emitted.at(-1)).toEqual({ type: "recording.failed", failure: "badRequest" });
  });

  test("that no speech was recognised", async () => {
    const fixture = await toFinishing();
    fixture.connection.say({ type: "recording.done", hasWords: false });
    expect(types(fixture).at(-1)).toBe("speech.missed");
    fixture.actor.send({ type: "keep.requested" });
    expect(types(fixture).at(-1)).toBe("recording.started");
  });

  test("that a recording was cancelled before it began", async () => {
    const fixture = await toIdle();
    fixture.actor.send(start);
    fixture.actor.send({ type: "stop.requested" });
    await fixture.findLeftovers.last().resolve([]);
    expect(types(fixture)).toEqual(["recorder.ready", "recording.started", "recorder.ready"]);
  });
});
