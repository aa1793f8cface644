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

describe("the beginning", () => {
  test("looks for what was not finished", async () => {
    const { phase, findLeftovers, get } = setUp();
    expect(phase()).toBe("checking");
    expect(selectLeftovers(get())).toEqual([]);
    await findLeftovers.last().resolve([leftover]);
    expect(phase()).toBe("idle");
    expect(selectLeftovers(get())).toEqual([leftover]);
    expect(selectCanStart(get())).toBe(true);
  });

  test("does without when the browser forbids it", async () => {
    const { phase, findLeftovers } = setUp();
    await findLeftovers.last().rejectWith(new Error("IndexedDB is switched off"));
    expect(phase()).toBe("idle");
  });
});

describe("the microphone", () => {
  test("is asked for, with the languages that were chosen", async () => {
    const { actor, phase, openMicrophone, get } = await toIdle();
    actor.send(start);
    expect(phase()).toBe("requestingMicrophone");
    expect(openMicrophone.last().input).toEqual({ ...languages, source: "microphone" });
    expect(selectSourceLanguage(get())).toBe("en");
    expect(selectTargetLanguage(get())).toBe("es");
    expect(selectCanStop(get())).toBe(true);
  });

  test.each(["refused", "missing", "unsupported"])("%s: the person sees why and may try again", async (code) => {
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

  test("is not wanted any more while the browser still asks", async () => {
    const { actor, phase, openMicrophone } = await toIdle();
    actor.send(start);
    actor.send({ type: "stop.requested" });
    expect(phase()).toBe("checking");
    expect(openMicrophone.last().signal.aborted).toBe(true);
  });
});

describe("the sound of a tab", () => {
  test("is asked for when it is chosen, alone or beside the microphone, until something else is", async () => {
    const { actor, openMicrophone, get } = await toIdle();
    expect(selectChosenSource(get())).toBe("microphone");
    actor.send({ type: "source.chosen", source: "display" });
    actor.send(start);
    expect(openMicrophone.last().input.source).toBe("display");
    // What is under way is not changed any more.
    actor.send({ type: "source.chosen", source: "microphone" });
    expect(selectSource(get())).toBe("display");
    await openMicrophone.last().reject("displayRefused");
    expect(selectFailure(get())).toBe("displayRefused");
    actor.send({ type: "source.chosen", source: "both" });
    actor.send({ type: "retry.requested" });
    expect(openMicrophone.last().input.source).toBe("both");
  });

  test("can't be heard by the browser's own recogniser: that hears the microphone", async () => {
    const { actor, openMicrophone, get } = await toIdle();
    actor.send({ type: "source.chosen", source: "display" });
    actor.send({ type: "start.requested", ...languages, heardBy: "browser" });
    expect(openMicrophone.last().input.source).toBe("microphone");
    expect([selectSource(get()), selectChosenSource(get())]).toEqual(["microphone", "display"]);
  });

  test("that is not shared any more: what was heard is finished, and it is said why", async () => {
    const { phase, capture, connection, actor, get } = await toOnline();
    capture.say({ type: "display.ended" });
    expect(phase()).toBe("finishing");
    expect(capture.isRunning()).toBe(false);
    expect([selectHasDisplayEnded(get()), selectWasUnplugged(get())]).toEqual([true, false]);
    connection.say({ type: "recording.done", hasWords: true });
    expect(phase()).toBe("saving");
    expect(actor.getSnapshot().context.failure).toBeNull();
  });

  test("that ends during a pause, or without a connection: it is finished as well", async () => {
    const { phase, capture, connection, actor } = await toOnline();
    connection.say({ type: "connection.lost", code: null });
    actor.send({ type: "pause.requested" });
    capture.say({ type: "display.ended" });
    expect(phase()).toBe("finishingOffline");
  });

  test("that is silent for long is said to be, until something is heard or the recording ends", async () => {
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

describe("recording", () => {
  test("captures before there is a connection, and warns who leaves", async () => {
    const { phase, capture, connection, leaving, get } = await toRecording();
    expect(phase()).toBe("recording");
    expect(selectIsCapturing(get())).toBe(true);
    expect([capture, connection, leaving].map((each) => each.isRunning())).toEqual([true, true, true]);
  });

  test("goes on for 300 ms after Stop, then waits for the last words", async () => {
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

  test("that is paused goes on or stops there: what is said meanwhile is nobody's", async () => {
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

  test("is refused at the free tier's limit: asking again changes nothing", async () => {
    const { phase, connection, get } = await toOnline();
    connection.say({ type: "connection.lost", code: "limitReached" });
    expect([phase(), selectFailure(get())]).toEqual(["failed", "limitReached"]);
  });

  test("ends when the free minutes are used up: no word is taken that nobody will hear, and what was said is saved", async () => {
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

  test("ends when it has been silent for too long: that is no matter of minutes, and is forgotten with the next one", async () => {
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

  test("that is paused ends there when the free minutes are used up elsewhere", async () => {
    const { actor, phase, capture, connection, get } = await toOnline();
    actor.send({ type: "pause.requested" });
    connection.say({ type: "limit.reached" });
    expect([phase(), capture.isRunning(), selectEndedAtLimit(get())]).toEqual(["finishing", false, true]);
  });

  test("a microphone that is unplugged ends it; what was captured is finished", async () => {
    const { phase, capture, connection, save, get } = await toOnline();
    capture.say({ type: "microphone.unplugged" });
    expect(phase()).toBe("finishing");
    expect(selectWasUnplugged(get())).toBe(true);
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
    expect(selectWasUnplugged(get())).toBe(true);
  });

  test("goes on when the browser has no room left; the next one begins without that", async () => {
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
