import { createActor } from "xstate";
import type { HeardBy } from "#contract/index.ts";
import type {
  CaptureCommand,
  CaptureRequest,
  ConnectionCommand,
  RecognitionCommand,
  RecorderEvent,
  RecorderLanguages,
  RecorderLeftover,
} from "#machines/dictation/events.ts";
import { recorderMachine } from "#machines/dictation/machine.ts";
import {
  selectEndedAtLimit,
  selectFailure,
  selectIsCapturing,
  selectPhase,
  selectStaysHere,
} from "#machines/dictation/selectors.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const leftover: RecorderLeftover = { id: "l1", startedAt: 1000, durationSeconds: 12, overLimit: false };
const languages: RecorderLanguages = { sourceLanguage: "en", targetLanguage: "es" };
const waiting: RecorderLeftover = { ...leftover, id: "l2", waits: { sourceLanguage: "en", targetLanguage: null } };

/** Recognized on this device, and sent only when the person saves it. */
const here: RecorderLanguages = { sourceLanguage: "en", targetLanguage: null, heardBy: "device", staysHere: true };

function prepare(stubs: Stubs) {
  const calls = {
    findLeftovers: stubs.asking<readonly RecorderLeftover[]>(),
    openMicrophone: stubs.asking<void, CaptureRequest>(),
    openLeftover: stubs.asking<RecorderLanguages, { id: string }>(),
    discardLeftover: stubs.asking<void, { id: string }>(),
    saveUnsaved: stubs.asking<void>(),
    save: stubs.asking<string>(),
    openTranscript: stubs.asking<boolean, { id: string }>(),
    discard: stubs.asking<void>(),
    setAside: stubs.asking<void>(),
  };
  /** Whether the network is known to be missing. */
  const environment = { isAway: false };
  const listeners = {
    capture: stubs.callback<RecorderEvent, CaptureCommand>(),
    connection: stubs.callback<RecorderEvent, ConnectionCommand>(),
    recognition: stubs.callback<RecorderEvent, RecognitionCommand, { by: HeardBy | null }>(),
    wakeUps: stubs.callback<RecorderEvent>(),
    leaving: stubs.callback<RecorderEvent, RecorderEvent, { isAtRisk: boolean }>(),
  };
  const { findLeftovers, openMicrophone, openLeftover, discardLeftover, saveUnsaved } = calls;
  const { save, openTranscript, discard, setAside } = calls;
  const { capture, connection, recognition, wakeUps, leaving } = listeners;
  const machine = recorderMachine.provide({
    guards: { isAway: () => environment.isAway, isForDevice: () => environment.isAway },
    actions: { allowSending: nothing },
    actors: {
      findLeftovers: findLeftovers.logic,
      openMicrophone: openMicrophone.logic,
      openLeftover: openLeftover.logic,
      discardLeftover: discardLeftover.logic,
      saveUnsaved: saveUnsaved.logic,
      save: save.logic,
      openTranscript: openTranscript.logic,
      discard: discard.logic,
      setAside: setAside.logic,
      capture: capture.logic,
      connection: connection.logic,
      recognition: recognition.logic,
      wakeUps: wakeUps.logic,
      leaving: leaving.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const counts = { asked: 0, afterStop: 0 };
    environment.isAway = false;
    return { actor: createActor(machine, { clock, inspect }), ...calls, ...listeners, counts, environment };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const phase = ({ actor }: Harness) => selectPhase(actor.getSnapshot());
const isInSession = ({ actor }: Harness) => actor.getSnapshot().matches({ working: "session" });
const isRecognized = ({ actor }: Harness) => actor.getSnapshot().matches({ working: { session: { recognition: "recognized" } } });
const spoken = ({ connection }: Harness) => connection;
const nothing = () => undefined;

/** A recording ends, with words or without. */
const done = (name: string, hasWords: boolean): Move<Harness> => ({
  name,
  may: (harness) => harness.connection.running() > 0,
  happen: (harness) => harness.connection.say({ type: "recording.done", hasWords }),
});

const unresponsive: Move<Harness> = {
  name: "the connection is found unresponsive",
  may: (harness) => harness.actor.getSnapshot().matches({ working: { session: { connection: { connected: "online" } } } }),
  happen: (harness, clock) => {
    clock.increment(15_000);
    // The person may have stopped in the meantime.
    if (harness.connection.running() > 0 && harness.connection.heard.at(-1)?.type === "connection.checkRequested")
      harness.connection.say({ type: "connection.lost", code: null });
  },
};

const startWanted: RecorderEvent = { type: "start.requested", ...languages };
/** After the recognizer was told that speech has ended. */
const recognized = (name: string, event: RecorderEvent): Move<Harness> => ({
  name,
  may: (harness) =>
    isInSession(harness) &&
    context(harness).recognizedBy === "device" &&
    harness.recognition.heard.at(-1)?.type === "finish.requested",
  happen: ({ recognition }) => recognition.say(event),
});
const discardWanted = sent<RecorderEvent>({ type: "discard.requested" });
const limitReached: Move<Harness> = said({ type: "limit.reached" }, spoken, "the free minutes are used up");
const stopWanted = sent<RecorderEvent>({ type: "stop.requested" });

/** In a recording without earlier faults: the paths of a faulty one leave it out. */
const isMatter = (harness: Harness) =>
  phase(harness) === "idle" ||
  (["recording", "finishing"].includes(phase(harness)) && context(harness).attempts + context(harness).troubles === 0);

/** It is known at once, and has an effect with the next event. */
const away: Move<Harness> = {
  name: "the network is away",
  may: (harness) => !harness.environment.isAway && isMatter(harness),
  happen: ({ environment }) => {
    environment.isAway = true;
  },
};
const back: Move<Harness> = {
  name: "the network is back",
  may: (harness) => harness.environment.isAway && isMatter(harness) && harness.wakeUps.running() > 0,
  happen: ({ environment, wakeUps }) => {
    environment.isAway = false;
    wakeUps.say({ type: "page.resumed" });
  },
};

walkTests<Harness>({
  machine: recorderMachine,
  prepare,
  moves: [
    sent(startWanted),
    sent({ type: "start.requested", ...here }, "start on this device"),
    recognized("this device has recognized words", { type: "recognition.finished", hasWords: true }),
    recognized("this device has recognized nothing", { type: "recognition.finished", hasWords: false }),
    sent({ type: "save.requested" }),
    sent({ type: "discard.dismissed" }),
    {
      ...sent<RecorderEvent>({ type: "discard.confirmed" }),
      happen: ({ actor, counts }) => {
        counts.asked += 1;
        actor.send({ type: "discard.confirmed" });
      },
    },
    {
      ...stopWanted,
      happen: (harness, clock) => {
        stopWanted.happen(harness, clock);
        harness.counts.afterStop = clock.now() + 300;
      },
    },
    sent({ type: "retry.requested" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "reset.requested" }),
    sent({ type: "keep.requested" }),
    {
      ...discardWanted,
      happen: (harness, clock) => {
        harness.counts.asked += 1;
        discardWanted.happen(harness, clock);
      },
    },
    sent({ type: "leftover.resumeRequested", id: leftover.id }),
    sent({ type: "leftover.discardRequested", id: leftover.id }),
    sent({ type: "unsaved.saveRequested" }),
    said({ type: "storage.troubled" }, ({ capture }: Harness) => capture),
    said({ type: "microphone.unplugged" }, ({ capture }: Harness) => capture),
    said({ type: "display.ended" }, ({ capture }: Harness) => capture),
    said({ type: "silence.began" }, ({ capture }: Harness) => capture),
    said({ type: "silence.ended" }, ({ capture }: Harness) => capture),
    sent({ type: "source.chosen", source: "display" }),
    said({ type: "recognition.troubled", problem: "network" }, ({ recognition }: Harness) => recognition),
    said({ type: "recognition.blocked" }, ({ recognition }: Harness) => recognition),
    recognized("this device can't recognize all of it", { type: "recognition.failed" }),
    said({ type: "connection.opened" }, spoken),
    said({ type: "connection.advanced" }, spoken),
    said({ type: "connection.lost", code: null }, spoken, "the connection is lost"),
    said({ type: "connection.lost", code: "unauthorized" }, spoken, "the server does not take the token"),
    said({ type: "connection.lost", code: "engineFailed" }, spoken, "the engine fails"),
    said({ type: "connection.lost", code: "languageUnavailable" }, spoken, "the language does not work"),
    said({ type: "recording.over" }, spoken),
    {
      ...limitReached,
      happen: (harness, clock) => {
        if (phase(harness) !== "stopping") harness.counts.afterStop = clock.now() + 300;
        limitReached.happen(harness, clock);
      },
    },
    done("every word is final", true),
    done("nothing was heard", false),
    unresponsive,
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    answered(
      "something was not finished",
      ({ findLeftovers }: Harness) => findLeftovers,
      () => [leftover],
    ),
    answered(
      "something waits for a network",
      ({ findLeftovers }: Harness) => findLeftovers,
      () => [waiting],
    ),
    away,
    back,
    answered("it is set aside", ({ setAside }: Harness) => setAside, nothing),
    refused("it can't be set aside", ({ setAside }: Harness) => setAside, failure("internal")),
    refused("nobody knows what was not finished", ({ findLeftovers }: Harness) => findLeftovers, failure("internal")),
    answered("the microphone opens", ({ openMicrophone }: Harness) => openMicrophone, nothing),
    refused("the microphone is refused", ({ openMicrophone }: Harness) => openMicrophone, failure("refused")),
    answered(
      "the leftover opens",
      ({ openLeftover }: Harness) => openLeftover,
      () => languages,
    ),
    {
      name: "a leftover of this device opens",
      may: (harness) => harness.openLeftover.open().length > 0 && !context(harness).isAutomatic,
      happen: ({ openLeftover }) => openLeftover.answer(here),
      isAnswer: true,
    },
    refused("the leftover does not open", ({ openLeftover }: Harness) => openLeftover, failure("internal")),
    answered("the leftover is thrown away", ({ discardLeftover }: Harness) => discardLeftover, nothing),
    refused("the leftover can't be thrown away", ({ discardLeftover }: Harness) => discardLeftover, failure("internal")),
    answered("what waited is saved", ({ saveUnsaved }: Harness) => saveUnsaved, nothing),
    refused("what waited can't be saved", ({ saveUnsaved }: Harness) => saveUnsaved, failure("network")),
    answered(
      "it is saved",
      ({ save }: Harness) => save,
      () => "t1",
    ),
    refused("nobody answers the saving", ({ save }: Harness) => save, failure("network")),
    refused("saving is refused", ({ save }: Harness) => save, failure("internal")),
    answered(
      "the page becomes the transcript",
      ({ openTranscript }: Harness) => openTranscript,
      () => true,
    ),
    answered(
      "the page was left before its transcript was there",
      ({ openTranscript }: Harness) => openTranscript,
      () => false,
    ),
    refused("the transcript can't be shown", ({ openTranscript }: Harness) => openTranscript, failure("network")),
    answered("it is thrown away", ({ discard }: Harness) => discard, nothing),
    refused("it can't be thrown away", ({ discard }: Harness) => discard, failure("internal")),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { attempts, troubles, lostCode, failure: why, limitReached, isAutomatic, recognizedBy } = context(harness);
    // Each recording begins without what the last one went through.
    const { isAway } = harness.environment;
    const { staysHere = false } = context(harness).languages;
    if (isInSession(harness)) {
      const isOfDevice = recognizedBy === "device" || isRecognized(harness);
      // Losses are counted as in every other recording: how many there are is walked without this device's recogniser.
      const losses = isOfDevice ? [attempts > 0] : [Math.min(attempts, 2), Math.min(troubles, 4), lostCode, limitReached];
      return [staysHere, recognizedBy, isAway, isAutomatic, ...losses];
    }
    const isWaiting = context(harness).leftovers.some(({ waits }) => waits !== undefined);
    const isHere = staysHere && ["requestingMicrophone", "nothingHeard"].includes(phase(harness));
    return [isHere, why === "network", isAway, isWaiting, phase(harness) === "saving" && context(harness).isAwaited];
  },
  rules: {
    "a recorder that has saved, failed or heard nothing holds no microphone": (harness) =>
      !["saved", "failed", "nothingHeard", "idle", "saving", "finishing", "finishingOffline"].includes(phase(harness)) ||
      harness.capture.running() + harness.openMicrophone.open().length === 0,
    "the microphone is held exactly while it is shown": (harness) =>
      harness.capture.running() === (selectIsCapturing(harness.actor.getSnapshot()) ? 1 : 0),
    "nothing is heard exactly while it is paused": (harness) =>
      (harness.capture.running() > 0 && harness.capture.heard.at(-1)?.type === "mute.requested") ===
      (phase(harness) === "paused"),
    "nobody speaks on after the free minutes are used up": (harness) =>
      !isInSession(harness) ||
      !selectEndedAtLimit(harness.actor.getSnapshot()) ||
      !["recording", "paused", "reconnecting"].includes(phase(harness)),
    "the last words are recorded, and not for longer than 300 ms": (harness, clock) =>
      phase(harness) !== "stopping" || clock.now() < harness.counts.afterStop,
    "there is one connection at most, and none outside of a recording": ({ connection, ...harness }) =>
      connection.running() <= (harness.actor.getSnapshot().matches({ working: "session" }) ? 1 : 0),
    "nothing of what stays here is sent before the person saves it": (harness) =>
      !selectStaysHere(harness.actor.getSnapshot()) || harness.connection.running() + harness.save.open().length === 0,
    "leaving the page is held up while something is recorded, and not when all is saved": (harness) => {
      const isHeldUp = harness.leaving.running() > 0;
      return isInSession(harness) ? isHeldUp : !isHeldUp || !["idle", "saved"].includes(phase(harness));
    },
    "the recogniser is there exactly during a recording, and is told when nobody speaks any more": (harness) =>
      harness.recognition.running() === (isInSession(harness) ? 1 : 0) &&
      (!["finishing", "finishingOffline"].includes(phase(harness)) ||
        harness.recognition.heard.at(-1)?.type === "finish.requested"),
    "what is in this page's memory alone is not set aside": (harness) =>
      harness.setAside.open().length === 0 || !context(harness).storageTrouble,
    "nothing is opened by itself without a network, nor twice in a row": (harness) =>
      !context(harness).isAutomatic || new Set(context(harness).tried).size === context(harness).tried.length,
    "it is saved once at a time": ({ save }) => save.open().length <= 1,
    "the page becomes a transcript only when that is saved, and never for what was sent by itself": (harness) =>
      harness.openTranscript.open().length === 0 || (context(harness).savedId !== null && !context(harness).isAutomatic),
    "no recording begins while one is finished, saved or opened": (harness) =>
      harness.openTranscript.open().length + harness.save.open().length === 0 || !harness.actor.getSnapshot().can(startWanted),
    "what was captured is thrown away only on request": (harness) => harness.discard.times() <= harness.counts.asked,
    "a connection that was lost is tried again within 30 s": (harness, clock) =>
      !harness.actor.getSnapshot().matches({ working: { session: { connection: "waiting" } } }) ||
      (clock.untilNext() ?? Number.NaN) <= 30_000,
    "silence is spoken of only while something is heard": (harness) =>
      !context(harness).isSilent || selectIsCapturing(harness.actor.getSnapshot()),
    "a failure has a reason": (harness) => phase(harness) !== "failed" || selectFailure(harness.actor.getSnapshot()) !== null,
  },
});
