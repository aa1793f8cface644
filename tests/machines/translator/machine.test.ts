import { describe, expect, test } from "vitest";
import {
  selectCanSpeak,
  selectPlayedTurn,
  selectSide,
  selectTurnFailure,
  selectVoiceFailure,
} from "#machines/translator/selectors.ts";
import { setUp } from "./harness.ts";

describe("turn in the translator", () => {
  test("goes from the microphone through the words to the spoken translation", async () => {
    const { actor, status, phase, commands, aloud, get } = setUp();
    expect(status()).toBe("idle");
    actor.send({ type: "speak.requested", side: 1 });
    expect(commands).toEqual([{ type: "start.requested", side: 1 }]);
    phase("requestingMicrophone");
    expect(status()).toBe("askingForMicrophone");
    phase("recording");
    expect(status()).toBe("listening");
    actor.send({ type: "stop.requested" });
    expect(commands.at(-1)).toEqual({ type: "stop.requested" });
    phase("stopping");
    expect(status()).toBe("listening");
    phase("finishing");
    expect(status()).toBe("transcribing");
    phase("saving");
    expect(status()).toBe("translating");
    phase("saved");
    expect([status(), selectSide(get())]).toEqual(["speaking", 1]);
    expect(aloud.last().input).toEqual({ turnId: null });
    await aloud.last().resolve();
    expect(status()).toBe("idle");
  });

  test("stops the spoken translation when the next turn begins", async () => {
    const { speak, phase, status, actor, commands, aloud } = setUp();
    speak(0);
    phase("finishing", "saving", "saved");
    actor.send({ type: "speak.requested", side: 1 });
    expect([aloud.last().signal.aborted, commands.at(-1)]).toEqual([true, { type: "start.requested", side: 1 }]);
    phase("requestingMicrophone");
    expect(status()).toBe("askingForMicrophone");
  });

  test("the turn in the translator is not read aloud if switched off or without a translation", () => {
    const { speak, phase, status, environment } = setUp();
    environment.speaks = false;
    speak(0);
    phase("finishing", "saving", "saved");
    expect(status()).toBe("idle");
  });

  test("the turn in the translator is finished silently after the page was left", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    actor.send({ type: "page.left" });
    expect(commands.at(-1)).toEqual({ type: "stop.requested" });
    phase("finishing", "saving", "saved");
    expect(status()).toBe("idle");
  });

  test("the turn in the translator is finished silently if an earlier visit left it", () => {
    const { phase, status } = setUp();
    phase("checking", "finishing");
    expect(status()).toBe("transcribing");
    phase("saving", "saved");
    expect(status()).toBe("idle");
  });

  test("pauses and resumes a turn of a conversation", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    actor.send({ type: "pause.requested" });
    expect(commands.at(-1)).toEqual({ type: "pause.requested" });
    phase("paused");
    expect(status()).toBe("paused");
    actor.send({ type: "resume.requested" });
    expect(commands.at(-1)).toEqual({ type: "resume.requested" });
  });

  test("continues without a connection, and is finished when it is back", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    phase("reconnecting");
    expect(status()).toBe("offline");
    actor.send({ type: "stop.requested" });
    expect(commands.at(-1)).toEqual({ type: "stop.requested" });
    phase("finishingOffline");
    expect(status()).toBe("offline");
    phase("finishing", "saving", "saved");
    expect(status()).toBe("speaking");
  });

  test("the turn in the translator is canceled while the browser asks for the microphone", () => {
    const { phase, status, actor } = setUp();
    actor.send({ type: "speak.requested", side: 0 });
    phase("requestingMicrophone");
    actor.send({ type: "stop.requested" });
    phase("checking", "idle");
    expect(status()).toBe("idle");
  });
});

describe("failure of a turn", () => {
  test("shows a microphone failure and retries", () => {
    const { phase, fail, status, actor, commands, get } = setUp();
    actor.send({ type: "speak.requested", side: 0 });
    phase("requestingMicrophone");
    fail("refused");
    expect([status(), selectTurnFailure(get())]).toEqual(["failed", "refused"]);
    actor.send({ type: "retry.requested" });
    expect(commands.at(-1)).toEqual({ type: "retry.requested" });
    phase("requestingMicrophone", "recording");
    expect([status(), selectTurnFailure(get())]).toEqual(["listening", null]);
  });

  test("shows an unknown error as internal", () => {
    const { speak, fail, status, get } = setUp();
    speak(0);
    fail("internal");
    expect([status(), selectTurnFailure(get())]).toEqual(["failed", "internal"]);
  });

  test("lets the other side of a conversation speak", () => {
    const { speak, fail, status, commands } = setUp();
    speak(0);
    fail("engineFailed");
    speak(1);
    expect([status(), commands.at(-1)]).toEqual(["listening", { type: "start.requested", side: 1 }]);
  });
});

describe("turn without speech", () => {
  test("the turn without speech is saved or discarded on request", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    phase("finishing", "nothingHeard");
    expect(status()).toBe("nothingHeard");
    actor.send({ type: "keep.requested" });
    expect(commands.at(-1)).toEqual({ type: "keep.requested" });
    phase("saving", "saved");
    speak(0);
    phase("finishing", "nothingHeard");
    actor.send({ type: "discard.requested" });
    expect([status(), commands.at(-1)]).toEqual(["idle", { type: "discard.requested" }]);
  });

  test("the turn without speech is replaced by the next attempt", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    phase("finishing", "nothingHeard");
    actor.send({ type: "speak.requested", side: 1 });
    expect(commands.at(-1)).toEqual({ type: "discard.requested" });
    phase("checking");
    expect(commands.at(-1)).toEqual({ type: "discard.requested" });
    phase("idle");
    expect(commands.at(-1)).toEqual({ type: "start.requested", side: 1 });
    phase("requestingMicrophone", "recording");
    expect(status()).toBe("listening");
  });
});

describe("free tier's limit in the translator", () => {
  test("used-up minutes prevent spoken turns but not typed ones", async () => {
    const { usage, status, actor, commands, compose, get } = setUp();
    usage(true);
    expect([status(), selectCanSpeak(get())]).toEqual(["limited", false]);
    actor.send({ type: "speak.requested", side: 0 });
    expect([status(), commands]).toEqual(["limited", []]);
    actor.send({ type: "text.submitted", side: 0, text: "hello" });
    expect(compose.last().input).toEqual({ side: 0, text: "hello" });
    usage(false);
    await compose.last().resolve({ isSpoken: true });
  });

  test("the block by used-up minutes ends with the month", () => {
    const { usage, status } = setUp();
    usage(true);
    usage(false);
    expect(status()).toBe("idle");
  });

  test("stops the turn when the server reports it, and offers what was captured", () => {
    const { speak, fail, status, commands } = setUp();
    speak(0);
    fail("limitReached");
    expect([status(), commands.at(-1)]).toEqual(["limited", { type: "reset.requested" }]);
  });

  test("does not interrupt a running turn", () => {
    const { speak, usage, phase, status } = setUp();
    speak(0);
    usage(true);
    expect(status()).toBe("listening");
    phase("finishing", "saving", "saved");
    expect(status()).toBe("speaking");
  });
});

describe("typed turn", () => {
  test("the typed turn is translated and read aloud", async () => {
    const { actor, status, compose, get } = setUp();
    actor.send({ type: "text.submitted", side: 1, text: "gracias" });
    expect([status(), selectSide(get())]).toEqual(["translating", 1]);
    await compose.last().resolve({ isSpoken: true });
    expect(status()).toBe("speaking");
  });

  test("the typed turn is composed one text after another", () => {
    const { actor, compose } = setUp();
    actor.send({ type: "text.submitted", side: 1, text: "one" });
    actor.send({ type: "text.submitted", side: 1, text: "two" });
    expect(compose.asked.map(({ input }) => input.text)).toEqual(["one"]);
  });

  test("the typed turn is retried with the same text after a failure", async () => {
    const { actor, status, compose, commands, get } = setUp();
    actor.send({ type: "text.submitted", side: 1, text: "gracias" });
    await compose.last().reject("storageFull");
    expect([status(), selectTurnFailure(get())]).toEqual(["failed", "storageFull"]);
    actor.send({ type: "retry.requested" });
    expect(compose.asked.map(({ input }) => input.text)).toEqual(["gracias", "gracias"]);
    await compose.last().resolve({ isSpoken: true });
    expect([status(), commands]).toEqual(["speaking", []]);
  });
});

describe("replay of a turn", () => {
  test("plays the recording to its end or until stopped", async () => {
    const { actor, status, replay, get } = setUp();
    actor.send({ type: "replay.requested", turnId: "t1" });
    expect([status(), selectPlayedTurn(get()), replay.last().input]).toEqual(["replaying", "t1", { turnId: "t1" }]);
    await replay.last().resolve();
    expect([status(), selectPlayedTurn(get())]).toEqual(["idle", null]);
    actor.send({ type: "replay.requested", turnId: "t1" });
    actor.send({ type: "stop.requested" });
    expect([status(), replay.last().signal.aborted]).toEqual(["idle", true]);
  });

  test("reads the translation aloud, or shows why it can't", async () => {
    const { actor, status, aloud, get } = setUp();
    actor.send({ type: "translation.playRequested", turnId: "t1" });
    expect(status()).toBe("speaking");
    actor.send({ type: "translation.playRequested", turnId: "t2" });
    expect([selectPlayedTurn(get()), aloud.asked.map(({ signal }) => signal.aborted)]).toEqual(["t2", [true, false]]);
    await aloud.last().reject("noVoice");
    expect([status(), selectVoiceFailure(get())]).toEqual(["idle", "noVoice"]);
  });

  test("a replay ends when a person speaks or the page is left", () => {
    const { actor, status, replay, commands } = setUp();
    actor.send({ type: "replay.requested", turnId: "t1" });
    actor.send({ type: "speak.requested", side: 0 });
    expect([replay.last().signal.aborted, commands.at(-1)]).toEqual([true, { type: "start.requested", side: 0 }]);
    actor.send({ type: "replay.requested", turnId: "t1" });
    actor.send({ type: "page.left" });
    expect([status(), replay.last().signal.aborted]).toEqual(["idle", true]);
  });

  test("a replay shows its failure until something else is played", async () => {
    const { actor, status, replay, get } = setUp();
    actor.send({ type: "replay.requested", turnId: "t1" });
    await replay.last().reject("notPlayed");
    expect([status(), selectVoiceFailure(get())]).toEqual(["idle", "notPlayed"]);
    actor.send({ type: "translation.playRequested", turnId: "t1" });
    expect(selectVoiceFailure(get())).toBeNull();
  });
});
