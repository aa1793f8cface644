import { describe, expect, test } from "vitest";
import {
  selectCanSpeak,
  selectPlayedTurn,
  selectSide,
  selectTurnFailure,
  selectVoiceFailure,
} from "#machines/translator/selectors.ts";
import { setUp } from "./harness.ts";

describe("a turn", () => {
  test("goes from the microphone over the words to the spoken translation", async () => {
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

  test("is cut short when the next one begins: nobody is heard who is spoken over", async () => {
    const { speak, phase, status, actor, commands, aloud } = setUp();
    speak(0);
    phase("finishing", "saving", "saved");
    actor.send({ type: "speak.requested", side: 1 });
    expect([aloud.last().signal.aborted, commands.at(-1)]).toEqual([true, { type: "start.requested", side: 1 }]);
    phase("requestingMicrophone");
    expect(status()).toBe("askingForMicrophone");
  });

  test("is not spoken when nobody wants that, or there is nothing to speak", () => {
    const { speak, phase, status, environment } = setUp();
    environment.speaks = false;
    speak(0);
    phase("finishing", "saving", "saved");
    expect(status()).toBe("idle");
  });

  test("of which the page was left is finished, and not spoken", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    actor.send({ type: "page.left" });
    expect(commands.at(-1)).toEqual({ type: "stop.requested" });
    phase("finishing", "saving", "saved");
    expect(status()).toBe("idle");
  });

  test("that was left behind by an earlier visit is finished, and not spoken", () => {
    const { phase, status } = setUp();
    phase("checking", "finishing");
    expect(status()).toBe("transcribing");
    phase("saving", "saved");
    expect(status()).toBe("idle");
  });

  test("pauses and goes on", () => {
    const { speak, phase, status, actor, commands } = setUp();
    speak(0);
    actor.send({ type: "pause.requested" });
    expect(commands.at(-1)).toEqual({ type: "pause.requested" });
    phase("paused");
    expect(status()).toBe("paused");
    actor.send({ type: "resume.requested" });
    expect(commands.at(-1)).toEqual({ type: "resume.requested" });
  });

  test("goes on without a connection, and is finished when it is back", () => {
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

  test("is called off while the browser still asks for the microphone", () => {
    const { phase, status, actor } = setUp();
    actor.send({ type: "speak.requested", side: 0 });
    phase("requestingMicrophone");
    actor.send({ type: "stop.requested" });
    phase("checking", "idle");
    expect(status()).toBe("idle");
  });
});

describe("a failure", () => {
  test("of the microphone is shown, and tried again", () => {
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

  test("without a code comes from the recorder as an internal one", () => {
    const { speak, fail, status, get } = setUp();
    speak(0);
    fail("internal");
    expect([status(), selectTurnFailure(get())]).toEqual(["failed", "internal"]);
  });

  test("does not keep the other side from speaking", () => {
    const { speak, fail, status, commands } = setUp();
    speak(0);
    fail("engineFailed");
    speak(1);
    expect([status(), commands.at(-1)]).toEqual(["listening", { type: "start.requested", side: 1 }]);
  });
});

describe("when nothing was heard", () => {
  test("the recording is kept or thrown away", () => {
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

  test("saying it again begins when the silence is thrown away", () => {
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

describe("the free tier's limit", () => {
  test("lets nobody speak while it is reached, and lets everybody type", async () => {
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

  test("is gone with the month", () => {
    const { usage, status } = setUp();
    usage(true);
    usage(false);
    expect(status()).toBe("idle");
  });

  test("that the server reports stops the turn; what was captured is offered again", () => {
    const { speak, fail, status, commands } = setUp();
    speak(0);
    fail("limitReached");
    expect([status(), commands.at(-1)]).toEqual(["limited", { type: "reset.requested" }]);
  });

  test("reached in the middle of a turn does not cut it off", () => {
    const { speak, usage, phase, status } = setUp();
    speak(0);
    usage(true);
    expect(status()).toBe("listening");
    phase("finishing", "saving", "saved");
    expect(status()).toBe("speaking");
  });
});

describe("typing", () => {
  test("makes a turn that is translated and spoken", async () => {
    const { actor, status, compose, get } = setUp();
    actor.send({ type: "text.submitted", side: 1, text: "gracias" });
    expect([status(), selectSide(get())]).toEqual(["translating", 1]);
    await compose.last().resolve({ isSpoken: true });
    expect(status()).toBe("speaking");
  });

  test("one text after the other", () => {
    const { actor, compose } = setUp();
    actor.send({ type: "text.submitted", side: 1, text: "one" });
    actor.send({ type: "text.submitted", side: 1, text: "two" });
    expect(compose.asked.map(({ input }) => input.text)).toEqual(["one"]);
  });

  test("that could not be kept is tried again with the same text", async () => {
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

describe("hearing a turn again", () => {
  test("plays what was said until it is over, or stopped", async () => {
    const { actor, status, replay, get } = setUp();
    actor.send({ type: "replay.requested", turnId: "t1" });
    expect([status(), selectPlayedTurn(get()), replay.last().input]).toEqual(["replaying", "t1", { turnId: "t1" }]);
    await replay.last().resolve();
    expect([status(), selectPlayedTurn(get())]).toEqual(["idle", null]);
    actor.send({ type: "replay.requested", turnId: "t1" });
    actor.send({ type: "stop.requested" });
    expect([status(), replay.last().signal.aborted]).toEqual(["idle", true]);
  });

  test("speaks its translation; who can't says so until something else is done", async () => {
    const { actor, status, aloud, get } = setUp();
    actor.send({ type: "translation.playRequested", turnId: "t1" });
    expect(status()).toBe("speaking");
    actor.send({ type: "translation.playRequested", turnId: "t2" });
    expect([selectPlayedTurn(get()), aloud.asked.map(({ signal }) => signal.aborted)]).toEqual(["t2", [true, false]]);
    await aloud.last().reject("noVoice");
    expect([status(), selectVoiceFailure(get())]).toEqual(["idle", "noVoice"]);
  });

  test("ends when somebody speaks, and when the page is left", () => {
    const { actor, status, replay, commands } = setUp();
    actor.send({ type: "replay.requested", turnId: "t1" });
    actor.send({ type: "speak.requested", side: 0 });
    expect([replay.last().signal.aborted, commands.at(-1)]).toEqual([true, { type: "start.requested", side: 0 }]);
    actor.send({ type: "replay.requested", turnId: "t1" });
    actor.send({ type: "page.left" });
    expect([status(), replay.last().signal.aborted]).toEqual(["idle", true]);
  });

  test("that fails is shown until something else is played", async () => {
    const { actor, status, replay, get } = setUp();
    actor.send({ type: "replay.requested", turnId: "t1" });
    await replay.last().reject("notPlayed");
    expect([status(), selectVoiceFailure(get())]).toEqual(["idle", "notPlayed"]);
    actor.send({ type: "translation.playRequested", turnId: "t1" });
    expect(selectVoiceFailure(get())).toBeNull();
  });
});
