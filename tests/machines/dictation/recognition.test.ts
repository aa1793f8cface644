import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  type ListenCommand,
  type RecognitionEmitted,
  type RecognitionEvent,
  recognitionMachine,
} from "#machines/dictation/recognition/machine.ts";
import { problemOf } from "#machines/dictation/recognition/rules.ts";
import { selectRecognitionProblem } from "#machines/dictation/selectors.ts";
import { stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { leftover, start, toIdle, toOnline } from "./harness.ts";

const german = { type: "start.requested", sourceLanguage: "de-DE", targetLanguage: null, heardBy: "browser" } as const;

function setUp() {
  const listen = talking<RecognitionEvent, ListenCommand>();
  const wakeUps = talking<RecognitionEvent, RecognitionEvent>();
  const clock = new SimulatedClock();
  const machine = recognitionMachine.provide({ actors: { listen: listen.logic, wakeUps: wakeUps.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: RecognitionEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  return { actor, listen, wakeUps, clock, emitted };
}

describe("browser's recognizer", () => {
  test("restarts at once when it ends by itself after words or a silence", () => {
    const { listen, emitted } = setUp();
    listen.say({ type: "words.recognized" });
    listen.say({ type: "listening.ended" });
    expect(listen.starts()).toBe(2);
    listen.say({ type: "listening.failed", problem: "noSpeech" });
    listen.say({ type: "listening.ended" });
    expect(listen.starts()).toBe(3);
    expect(emitted.at(-1)).toEqual({ type: "recognition.troubled", problem: "noSpeech" });
    listen.say({ type: "words.recognized" });
    expect(emitted.at(-1)).toEqual({ type: "recognition.troubled", problem: null });
  });

  test("retries with growing delays when its service can't be reached, and at once when the network is back", () => {
    const { listen, wakeUps, clock } = setUp();
    const lose = () => {
      listen.say({ type: "listening.failed", problem: "network" });
      listen.say({ type: "listening.ended" });
    };
    lose();
    clock.increment(1_000);
    expect(listen.starts()).toBe(2);
    lose();
    clock.increment(1_999);
    expect(listen.starts()).toBe(2);
    wakeUps.say({ type: "page.resumed" });
    expect(listen.starts()).toBe(3);
  });

  test.each(["not-allowed", "service-not-allowed", "language-not-supported"])(
    "recognition in the browser ends permanently with %s",
    (code) => {
      const { listen, actor, emitted, clock } = setUp();
      listen.say({ type: "listening.failed", problem: problemOf(code) });
      clock.increment(60_000);
      expect(listen.starts()).toBe(1);
      expect(emitted).toEqual([{ type: "recognition.troubled", problem: problemOf(code) }, { type: "recognition.blocked" }]);
      actor.send({ type: "finish.requested" });
      expect(emitted.at(-1)).toEqual({ type: "recognition.finished" });
    },
  );

  test("gives its last words before it finishes, or ends after four seconds", () => {
    const { listen, actor, emitted, clock } = setUp();
    listen.say({ type: "words.recognized" });
    actor.send({ type: "finish.requested" });
    expect(listen.heard).toEqual([{ type: "stop.requested" }]);
    expect(emitted).not.toContainEqual({ type: "recognition.finished" });
    clock.increment(3_999);
    expect(listen.isRunning()).toBe(true);
    clock.increment(1);
    expect(listen.isRunning()).toBe(false);
    expect(emitted.at(-1)).toEqual({ type: "recognition.finished" });
  });

  test("recognizes no speech while dictation is paused", () => {
    const { listen, actor } = setUp();
    actor.send({ type: "pause.requested" });
    listen.say({ type: "listening.ended" });
    expect(listen.isRunning()).toBe(false);
    actor.send({ type: "resume.requested" });
    expect(listen.starts()).toBe(2);
  });

  test("counts an unknown error code as an interruption", () => {
    expect([problemOf("no-speech"), problemOf("aborted"), problemOf("something-new")]).toEqual([
      "noSpeech",
      "aborted",
      "aborted",
    ]);
  });
});

describe("recorder with the browser's recognizer", () => {
  test("lets the browser listen only if the person chose it", async () => {
    const fixture = await toIdle();
    fixture.actor.send(german);
    await fixture.openMicrophone.last().resolve();
    expect(fixture.recognition.input()).toEqual({ by: "browser" });
    const other = await toOnline();
    expect(other.recognition.input()).toEqual({ by: null });
  });

  test("does not listen while it finishes an unfinished recording or retries", async () => {
    const fixture = await toIdle([leftover]);
    fixture.actor.send({ type: "leftover.resumeRequested", id: leftover.id });
    await fixture.openLeftover.last().resolve({ sourceLanguage: "de-DE", targetLanguage: null });
    expect(fixture.recognition.input()).toEqual({ by: null });
    const other = await toIdle();
    other.actor.send(german);
    await other.openMicrophone.last().resolve();
    other.connection.say({ type: "connection.lost", code: "forbidden" });
    expect(other.phase()).toBe("failed");
    other.actor.send({ type: "retry.requested" });
    expect(other.recognition.input()).toEqual({ by: null });
  });

  test("passes pause and end of a dictation to the recognizer", async () => {
    const { actor, recognition, clock } = await toOnline();
    actor.send({ type: "pause.requested" });
    actor.send({ type: "resume.requested" });
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    expect(recognition.heard.map(({ type }) => type)).toEqual(["pause.requested", "resume.requested", "finish.requested"]);
  });

  test("shows the recognizer's problem during the recording only", async () => {
    const { actor, recognition, get, clock } = await toOnline();
    recognition.say({ type: "recognition.troubled", problem: "network" });
    expect(selectRecognitionProblem(get())).toBe("network");
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    expect(selectRecognitionProblem(get())).toBeNull();
  });

  test("ends and saves the recording when the recognizer may not listen, and shows why until the next recording", async () => {
    const { actor, recognition, connection, phase, get, save, openMicrophone } = await toOnline();
    recognition.say({ type: "recognition.troubled", problem: "notAllowed" });
    recognition.say({ type: "recognition.blocked" });
    expect(phase()).toBe("finishing");
    connection.say({ type: "recording.done", hasWords: true });
    await save.last().resolve("t1");
    expect(phase()).toBe("saved");
    expect(selectRecognitionProblem(get())).toBe("notAllowed");
    actor.send(start);
    await openMicrophone.last().resolve();
    expect(selectRecognitionProblem(get())).toBeNull();
  });
});
