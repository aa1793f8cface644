import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  type ListenCommand,
  type RecognitionEmitted,
  type RecognitionEvent,
  recognitionMachine,
} from "#machines/dictation/recognition/machine.ts";
import { isHopeless, problemOf } from "#machines/dictation/recognition/rules.ts";
import {
  selectCanPause,
  selectCanRetry,
  selectCanStart,
  selectCanStop,
  selectFailure,
  selectIsCapturing,
  selectIsOffline,
  selectIsPaused,
  selectIsSaveFailed,
  selectIsUnderWay,
  selectLeftovers,
  selectRecognizedBy,
  selectSavedId,
} from "#machines/dictation/selectors.ts";
import { stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { type Fixture, leftover, start, toFinishing, toIdle, toOnline, toRecording, toSaving } from "./harness.ts";

/** The visible state of the recorder, by name. */
function seen({ get }: Fixture): string[] {
  const snapshot = get();
  const all = {
    canStart: selectCanStart(snapshot),
    canStop: selectCanStop(snapshot),
    canPause: selectCanPause(snapshot),
    canRetry: selectCanRetry(snapshot),
    isCapturing: selectIsCapturing(snapshot),
    isPaused: selectIsPaused(snapshot),
    isOffline: selectIsOffline(snapshot),
    isUnderWay: selectIsUnderWay(snapshot),
    isSaveFailed: selectIsSaveFailed(snapshot),
  };
  return Object.entries(all).flatMap(([name, is]) => (is ? [name] : []));
}

const lost = { type: "connection.lost", code: null } as const;
const phases: [string, () => Promise<Fixture>, string[]][] = [
  ["idle", () => toIdle(), ["canStart"]],
  ["recording", toRecording, ["canStop", "canPause", "isCapturing", "isUnderWay"]],
  [
    "reconnecting",
    async () => {
      const fixture = await toOnline();
      fixture.connection.say(lost);
      return fixture;
    },
    ["canStop", "canPause", "isCapturing", "isOffline", "isUnderWay"],
  ],
  [
    "paused",
    async () => {
      const fixture = await toOnline();
      fixture.actor.send({ type: "pause.requested" });
      return fixture;
    },
    ["canStop", "isCapturing", "isPaused", "isUnderWay"],
  ],
  [
    "stopping",
    async () => {
      const fixture = await toOnline();
      fixture.actor.send({ type: "stop.requested" });
      return fixture;
    },
    ["isCapturing", "isUnderWay"],
  ],
  ["finishing", toFinishing, ["isUnderWay"]],
  [
    "finishingOffline",
    async () => {
      const fixture = await toFinishing();
      fixture.connection.say(lost);
      return fixture;
    },
    ["isOffline", "isUnderWay"],
  ],
  ["saving", toSaving, ["isUnderWay"]],
  [
    "saved",
    async () => {
      const fixture = await toSaving();
      await fixture.save.last().resolve("t1");
      return fixture;
    },
    ["canStart"],
  ],
  [
    "failed",
    async () => {
      const fixture = await toSaving();
      await fixture.save.last().reject("network");
      return fixture;
    },
    ["canStart", "canRetry", "isSaveFailed"],
  ],
  [
    "nothingHeard",
    async () => {
      const fixture = await toFinishing();
      fixture.connection.say({ type: "recording.done", hasWords: false });
      return fixture;
    },
    [],
  ],
];

test.each(phases)("dictation allows only useful actions while it is %s", async (phase, reach, expected) => {
  const fixture = await reach();
  expect([fixture.phase(), seen(fixture)]).toEqual([phase, expected]);
});

describe("unfinished recordings in the recorder", () => {
  test("hides unfinished recordings during another recording, and looks for them afterwards", async () => {
    const fixture = await toIdle([leftover]);
    fixture.actor.send(start);
    expect(selectLeftovers(fixture.get())).toEqual([]);
    await fixture.openMicrophone.last().resolve();
    fixture.connection.say({ type: "recording.done", hasWords: true });
    await fixture.save.last().resolve("t1");
    expect([selectSavedId(fixture.get()), selectLeftovers(fixture.get())]).toEqual(["t1", [leftover]]);
    await fixture.findLeftovers.last().resolve([]);
    expect(selectLeftovers(fixture.get())).toEqual([]);
  });

  test("lists no unfinished recordings if their search fails after a save", async () => {
    const fixture = await toIdle([leftover]);
    fixture.actor.send(start);
    await fixture.openMicrophone.last().resolve();
    fixture.connection.say({ type: "recording.over" });
    await fixture.findLeftovers.last().reject("blocked");
    expect([fixture.phase(), selectLeftovers(fixture.get()), selectSavedId(fixture.get())]).toEqual(["saved", [], null]);
  });

  test("discards one unfinished recording and lists the rest, even if discarding fails", async () => {
    for (const works of [true, false]) {
      const fixture = await toIdle([leftover]);
      fixture.actor.send({ type: "leftover.discardRequested", id: "l1" });
      expect(fixture.discardLeftover.inputs()).toEqual([{ id: "l1" }]);
      if (works) await fixture.discardLeftover.last().resolve();
      else await fixture.discardLeftover.last().reject("blocked");
      expect([fixture.phase(), fixture.findLeftovers.asked.length]).toEqual(["checking", 2]);
    }
  });
});

test("forgets a reached limit with the next recording", async () => {
  const fixture = await toOnline();
  fixture.connection.say({ type: "limit.reached" });
  fixture.connection.say({ type: "recording.over" });
  expect(fixture.get().context.limitReached).toBe(true);
  fixture.actor.send({ type: "reset.requested" });
  expect([fixture.phase(), fixture.get().context.limitReached]).toEqual(["checking", false]);
});

test("warns a person who leaves while audio is only in this page's memory", async () => {
  for (const storageTrouble of [false, true]) {
    const fixture = await toFinishing();
    if (storageTrouble) fixture.actor.send({ type: "storage.troubled" });
    expect(fixture.leaving.input()).toEqual({ isAtRisk: true });
    fixture.connection.say({ type: "recording.done", hasWords: false });
    expect([fixture.phase(), fixture.leaving.input()]).toEqual(["nothingHeard", { isAtRisk: storageTrouble }]);
    fixture.actor.send({ type: "keep.requested" });
    expect([fixture.phase(), fixture.leaving.input()]).toEqual(["saving", { isAtRisk: true }]);
    await fixture.save.last().reject("internal");
    expect([selectFailure(fixture.get()), fixture.leaving.input()]).toEqual(["internal", { isAtRisk: storageTrouble }]);
    fixture.wakeUps.say({ type: "page.resumed" });
    expect(fixture.phase()).toBe("failed");
  }
});

test("lets the browser's recognizer run until the recording is over, but not in a retry", async () => {
  const fixture = await toIdle();
  fixture.actor.send({ type: "start.requested", sourceLanguage: "de-DE", targetLanguage: null, heardBy: "browser" });
  expect(selectRecognizedBy(fixture.get())).toBeNull();
  await fixture.openMicrophone.last().resolve();
  expect(selectRecognizedBy(fixture.get())).toBe("browser");
  fixture.connection.say({ type: "recording.done", hasWords: true });
  expect(selectRecognizedBy(fixture.get())).toBeNull();
});

describe("browser's recognizer in the recorder", () => {
  function listening() {
    const listen = talking<RecognitionEvent, ListenCommand>();
    const wakeUps = talking<RecognitionEvent, RecognitionEvent>();
    const clock = new SimulatedClock();
    const machine = recognitionMachine.provide({ actors: { listen: listen.logic, wakeUps: wakeUps.logic } });
    const actor = stopsAfterTest(createActor(machine, { clock }));
    const emitted: RecognitionEmitted["type"][] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    actor.start();
    return { listen, clock, emitted, send: actor.send.bind(actor) };
  }
  const broken = ({ listen }: ReturnType<typeof listening>) => {
    listen.say({ type: "listening.failed", problem: "network" });
    listen.say({ type: "listening.ended" });
  };

  test("waits one, then two seconds after an end without words or reason, and one again after a word", () => {
    const harness = listening();
    harness.listen.say({ type: "listening.ended" });
    harness.clock.increment(999);
    expect(harness.listen.starts()).toBe(1);
    harness.clock.increment(1);
    expect(harness.listen.starts()).toBe(2);
    broken(harness);
    harness.clock.increment(1_999);
    expect(harness.listen.starts()).toBe(2);
    harness.clock.increment(1);
    harness.listen.say({ type: "words.recognized" });
    harness.listen.say({ type: "listening.ended" });
    expect(harness.listen.starts()).toBe(4);
    broken(harness);
    harness.clock.increment(1_000);
    expect(harness.listen.starts()).toBe(5);
  });

  test("dictation can pause and finish from every state", () => {
    const paused = listening();
    paused.send({ type: "pause.requested" });
    expect(paused.listen.heard).toEqual([{ type: "stop.requested" }]);
    paused.clock.increment(3_999);
    expect(paused.listen.isRunning()).toBe(true);
    paused.clock.increment(1);
    expect(paused.listen.isRunning()).toBe(false);
    paused.send({ type: "finish.requested" });
    expect(paused.emitted).toEqual(["recognition.finished"]);

    const pausing = listening();
    pausing.send({ type: "pause.requested" });
    pausing.send({ type: "resume.requested" });
    expect([pausing.listen.starts(), pausing.listen.running()]).toEqual([2, 1]);
    pausing.send({ type: "pause.requested" });
    pausing.send({ type: "finish.requested" });
    pausing.listen.say({ type: "listening.ended" });
    expect(pausing.emitted).toEqual(["recognition.finished"]);

    for (const then of ["finish.requested", "pause.requested"] as const) {
      const waiting = listening();
      broken(waiting);
      waiting.send({ type: then });
      waiting.clock.increment(60_000);
      expect(waiting.listen.starts()).toBe(1);
      waiting.send({ type: "finish.requested" });
      expect(waiting.emitted).toEqual(["recognition.troubled", "recognition.finished"]);
    }
  });

  test("maps the browser's problem names, and knows which problems are final", () => {
    const codes = ["no-speech", "network", "audio-capture", "not-allowed", "service-not-allowed", "language-not-supported", ""];
    expect(codes.map((code) => [problemOf(code), isHopeless(problemOf(code))])).toEqual([
      ["noSpeech", false],
      ["network", false],
      ["audioCapture", false],
      ["notAllowed", true],
      ["serviceNotAllowed", true],
      ["languageNotSupported", true],
      ["aborted", false],
    ]);
    expect([isHopeless("consentWithdrawn"), isHopeless("unsupported")]).toEqual([true, true]);
  });
});

test("a new recording begins without trouble, limit and silence", async () => {
  const { storageTrouble, unplugged, displayEnded, isSilent, limitReached, endedInSilence, savedId } = (await toIdle()).get()
    .context;
  expect([storageTrouble, unplugged, displayEnded, isSilent, limitReached, endedInSilence, savedId]).toEqual([
    ...Array(6).fill(false),
    null,
  ]);
});
