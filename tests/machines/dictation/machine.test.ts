import { describe, expect, test } from "vitest";
import {
  selectCanStart,
  selectCanStop,
  selectChosenSource,
  selectEndedAtLimit,
  selectEndedInSilence,
  selectFailure,
  selectHasDisplayEnded,
  selectIsCapturing,
  selectIsSilent,
  selectLeftovers,
  selectSource,
  selectSourceLanguage,
  selectStorageTrouble,
  selectTargetLanguage,
  selectWasUnplugged,
} from "#machines/dictation/selectors.ts";
import { languages, leftover, setUp, start, toIdle, toOnline, toRecording } from "./harness.ts";

describe("beginning of the recorder", () => {
  test("looks for unfinished recordings at the start", async () => {
    const { phase, findLeftovers, get } = setUp();
    expect(phase()).toBe("checking");
    expect(selectLeftovers(get())).toEqual([]);
    await findLeftovers.last().resolve([leftover]);
    expect(phase()).toBe("idle");
    expect(selectLeftovers(get())).toEqual([leftover]);
    expect(selectCanStart(get())).toBe(true);
  });

  test("dictation works without unfinished recordings when the browser forbids storage", async () => {
    const { phase, findLeftovers } = setUp();
    await findLeftovers.last().rejectWith(new Error("IndexedDB is switched off"));
    expect(phase()).toBe("idle");
  });
});

describe("microphone of a dictation", () => {
  test("requests the microphone with the chosen languages", async () => {
    const { actor, phase, openMicrophone, get } = await toIdle();
    actor.send(start);
    expect(phase()).toBe("requestingMicrophone");
    expect(openMicrophone.last().input).toEqual({ ...languages, source: "microphone" });
    expect(selectSourceLanguage(get())).toBe("en");
    expect(selectTargetLanguage(get())).toBe("es");
    expect(selectCanStop(get())).toBe(true);
  });

  test.each(["refused", "missing", "unsupported"])("shows why the microphone failed and allows a retry: %s", async (code) => {
    const { actor, phase, openMicrophone, get } = await toIdle([leftover]);
    actor.send(start);
    await openMicrophone.last().reject(code);
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe(code);
    expect(selectLeftovers(get())).toEqual([leftover]);
    actor.send({ type: "retry.requested" });
    expect(phase()).toBe("requestingMicrophone");
    expect(selectFailure(get())).toBeNull();
    await openMicrophone.last().resolve();
    expect(phase()).toBe("recording");
  });

  test("cancels a recording while the browser still asks for the microphone", async () => {
    const { actor, phase, openMicrophone } = await toIdle();
    actor.send(start);
    actor.send({ type: "stop.requested" });
    expect(phase()).toBe("checking");
    expect(openMicrophone.last().signal.aborted).toBe(true);
  });
});

describe("shared sound of a tab", () => {
  test("requests the chosen source, alone or with the microphone, until another is chosen", async () => {
    const { actor, openMicrophone, get } = await toIdle();
    expect(selectChosenSource(get())).toBe("microphone");
    actor.send({ type: "source.chosen", source: "display" });
    actor.send(start);
    expect(openMicrophone.last().input.source).toBe("display");
    // A running recording keeps its source.
    actor.send({ type: "source.chosen", source: "microphone" });
    expect(selectSource(get())).toBe("display");
    await openMicrophone.last().reject("displayRefused");
    expect(selectFailure(get())).toBe("displayRefused");
    actor.send({ type: "source.chosen", source: "both" });
    actor.send({ type: "retry.requested" });
    expect(openMicrophone.last().input.source).toBe("both");
  });

  test("gives the browser's own recognizer the microphone instead of the tab", async () => {
    const { actor, openMicrophone, get } = await toIdle();
    actor.send({ type: "source.chosen", source: "display" });
    actor.send({ type: "start.requested", ...languages, heardBy: "browser" });
    expect(openMicrophone.last().input.source).toBe("microphone");
    expect([selectSource(get()), selectChosenSource(get())]).toEqual(["microphone", "display"]);
  });

  test("finishes the recording when sharing ends, and says why", async () => {
    const { phase, capture, connection, actor, get } = await toOnline();
    capture.say({ type: "display.ended" });
    expect(phase()).toBe("finishing");
    expect(capture.isRunning()).toBe(false);
    expect([selectHasDisplayEnded(get()), selectWasUnplugged(get())]).toEqual([true, false]);
    connection.say({ type: "recording.done", hasWords: true });
    expect(phase()).toBe("saving");
    expect(actor.getSnapshot().context.failure).toBeNull();
  });

  test("finishes the recording when sharing ends during a pause or without a connection", async () => {
    const { phase, capture, connection, actor } = await toOnline();
    connection.say({ type: "connection.lost", code: null });
    actor.send({ type: "pause.requested" });
    capture.say({ type: "display.ended" });
    expect(phase()).toBe("finishingOffline");
  });

  test("reports shared sound that is silent for long, until there is sound or the recording ends", async () => {
    const { capture, actor, get, clock } = await toOnline();
    capture.say({ type: "silence.began" });
    expect(selectIsSilent(get())).toBe(true);
    capture.say({ type: "silence.ended" });
    expect(selectIsSilent(get())).toBe(false);
    capture.say({ type: "silence.began" });
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    expect(selectIsSilent(get())).toBe(false);
  });
});

describe("dictation recording", () => {
  test("captures before there is a connection, and warns a person who leaves", async () => {
    const { phase, capture, connection, leaving, get } = await toRecording();
    expect(phase()).toBe("recording");
    expect(selectIsCapturing(get())).toBe(true);
    expect([capture, connection, leaving].map((each) => each.isRunning())).toEqual([true, true, true]);
  });

  test("captures for 300 ms after Stop, then waits for the last words", async () => {
    const { actor, phase, clock, capture, connection } = await toOnline();
    actor.send({ type: "stop.requested" });
    expect(phase()).toBe("stopping");
    clock.increment(299);
    expect(capture.isRunning()).toBe(true);
    clock.increment(1);
    expect(phase()).toBe("finishing");
    expect(capture.isRunning()).toBe(false);
    expect(connection.isRunning()).toBe(true);
    expect(connection.starts()).toBe(1);
  });

  test("resumes or stops a paused recording, and ignores what is said during the pause", async () => {
    const { actor, phase, clock, capture, connection } = await toOnline();
    actor.send({ type: "pause.requested" });
    expect([phase(), capture.heard]).toEqual(["paused", [{ type: "mute.requested" }]]);
    actor.send({ type: "resume.requested" });
    expect([phase(), capture.heard.at(-1)]).toEqual(["recording", { type: "unmute.requested" }]);
    actor.send({ type: "pause.requested" });
    actor.send({ type: "stop.requested" });
    expect(capture.isRunning()).toBe(false);
    clock.increment(300);
    expect([phase(), connection.isRunning()]).toEqual(["finishing", true]);
  });

  test("ends with an error at the free tier's limit, without a retry", async () => {
    const { phase, connection, get } = await toOnline();
    connection.say({ type: "connection.lost", code: "limitReached" });
    expect([phase(), selectFailure(get())]).toEqual(["failed", "limitReached"]);
  });

  test("stops when the free minutes are used up, and saves what was said", async () => {
    const { actor, phase, clock, capture, connection, save, get, openMicrophone } = await toOnline();
    connection.say({ type: "limit.reached" });
    expect([phase(), selectEndedAtLimit(get())]).toEqual(["stopping", true]);
    clock.increment(300);
    // The server may say it again, with where it has stopped.
    connection.say({ type: "limit.reached" });
    expect([phase(), capture.isRunning(), connection.isRunning()]).toEqual(["finishing", false, true]);
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    expect([phase(), selectEndedAtLimit(get())]).toEqual(["saved", true]);
    actor.send(start);
    await openMicrophone.last().resolve();
    expect(selectEndedAtLimit(get())).toBe(false);
  });

  test("stops after too long a silence, which is separate from the limit and forgotten with the next recording", async () => {
    const { actor, phase, connection, save, get, clock, openMicrophone } = await toOnline();
    connection.say({ type: "limit.reached", silence: true });
    expect([phase(), selectEndedAtLimit(get()), selectEndedInSilence(get())]).toEqual(["stopping", true, true]);
    clock.increment(300);
    connection.say({ type: "limit.reached", silence: true });
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    expect([phase(), selectEndedInSilence(get())]).toEqual(["saved", true]);
    actor.send(start);
    await openMicrophone.last().resolve();
    expect(selectEndedInSilence(get())).toBe(false);
    connection.say({ type: "limit.reached" });
    expect([selectEndedAtLimit(get()), selectEndedInSilence(get())]).toEqual([true, false]);
  });

  test("ends a paused recording when the free minutes are used up elsewhere", async () => {
    const { actor, phase, capture, connection, get } = await toOnline();
    actor.send({ type: "pause.requested" });
    connection.say({ type: "limit.reached" });
    expect([phase(), capture.isRunning(), selectEndedAtLimit(get())]).toEqual(["finishing", false, true]);
  });

  test("finishes the recording when the microphone is unplugged", async () => {
    const { phase, capture, connection, save, get } = await toOnline();
    capture.say({ type: "microphone.unplugged" });
    expect(phase()).toBe("finishing");
    expect(selectWasUnplugged(get())).toBe(true);
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
    expect(selectWasUnplugged(get())).toBe(true);
  });

  test("continues when the browser is out of storage, and clears the warning with the next recording", async () => {
    const { actor, phase, connection, save, get, openMicrophone } = await toOnline();
    actor.send({ type: "storage.troubled" });
    expect(phase()).toBe("recording");
    expect(selectStorageTrouble(get())).toBe(true);
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    actor.send(start);
    await openMicrophone.last().resolve();
    expect(selectStorageTrouble(get())).toBe(false);
  });
});
