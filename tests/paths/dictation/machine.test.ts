import { createActor } from "xstate";
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
import { selectEndedAtLimit, selectFailure, selectIsCapturing, selectPhase } from "#machines/dictation/selectors.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const leftover: RecorderLeftover = { id: "l1", startedAt: 1000, durationSeconds: 12, overLimit: false };
const languages: RecorderLanguages = { sourceLanguage: "en", targetLanguage: "es" };
const waiting: RecorderLeftover = { ...leftover, id: "l2", waits: { sourceLanguage: "en", targetLanguage: null } };

function prepare(stage: Stage) {
  const calls = {
    findLeftovers: stage.asking<readonly RecorderLeftover[]>(),
    openMicrophone: stage.asking<void, CaptureRequest>(),
    openLeftover: stage.asking<RecorderLanguages, { id: string }>(),
    discardLeftover: stage.asking<void, { id: string }>(),
    saveUnsaved: stage.asking<void>(),
    save: stage.asking<string>(),
    openTranscript: stage.asking<boolean, { id: string }>(),
    discard: stage.asking<void>(),
    setAside: stage.asking<void>(),
  };
  /** Whether it is known that there is no network. */
  const world = { isAway: false };
  const listeners = {
    capture: stage.callback<RecorderEvent, CaptureCommand>(),
    connection: stage.callback<RecorderEvent, ConnectionCommand>(),
    recognition: stage.callback<RecorderEvent, RecognitionCommand, { isNeeded: boolean }>(),
    wakeUps: stage.callback<RecorderEvent>(),
    leaving: stage.callback<RecorderEvent, RecorderEvent, { isAtRisk: boolean }>(),
  };
  const { findLeftovers, openMicrophone, openLeftover, discardLeftover, saveUnsaved } = calls;
  const { save, openTranscript, discard, setAside } = calls;
  const { capture, connection, recognition, wakeUps, leaving } = listeners;
  const machine = recorderMachine.provide({
    guards: { isAway: () => world.isAway },
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
    world.isAway = false;
    return { actor: createActor(machine, { clock, inspect }), ...calls, ...listeners, counts, world };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const phase = ({ actor }: Rig) => selectPhase(actor.getSnapshot());
const isInSession = ({ actor }: Rig) => actor.getSnapshot().matches({ working: "session" });
const spoken = ({ connection }: Rig) => connection;
const nothing = () => undefined;

/** How a recording ends, with words in it or without. */
const done = (name: string, hasWords: boolean): Move<Rig> => ({
  name,
  may: (rig) => rig.connection.running() > 0,
  happen: (rig) => rig.connection.say({ type: "recording.done", hasWords }),
});

const unresponsive: Move<Rig> = {
  name: "the connection is found unresponsive",
  may: (rig) => rig.actor.getSnapshot().matches({ working: { session: { connection: { connected: "online" } } } }),
  happen: (rig, clock) => {
    clock.increment(15_000);
    // Somebody may have stopped meanwhile.
    if (rig.connection.running() > 0 && rig.connection.heard.at(-1)?.type === "connection.checkRequested")
      rig.connection.say({ type: "connection.lost", code: null });
  },
};

const startWanted: RecorderEvent = { type: "start.requested", ...languages };
const discardWanted = sent<RecorderEvent>({ type: "discard.requested" });
const limitReached: Move<Rig> = said({ type: "limit.reached" }, spoken, "the free minutes are used up");
const stopWanted = sent<RecorderEvent>({ type: "stop.requested" });

/** In a recording before anything else has gone wrong: what has is walked without it. */
const isMatter = (rig: Rig) =>
  phase(rig) === "idle" ||
  (["recording", "finishing"].includes(phase(rig)) && context(rig).attempts + context(rig).troubles === 0);

/** It is known at once, and matters with the next thing that happens. */
const away: Move<Rig> = {
  name: "the network is away",
  may: (rig) => !rig.world.isAway && isMatter(rig),
  happen: ({ world }) => {
    world.isAway = true;
  },
};
const back: Move<Rig> = {
  name: "the network is back",
  may: (rig) => rig.world.isAway && isMatter(rig) && rig.wakeUps.running() > 0,
  happen: ({ world, wakeUps }) => {
    world.isAway = false;
    wakeUps.say({ type: "page.resumed" });
  },
};

walkTests<Rig>({
  machine: recorderMachine,
  prepare,
  moves: [
    sent(startWanted),
    {
      ...stopWanted,
      happen: (rig, clock) => {
        stopWanted.happen(rig, clock);
        rig.counts.afterStop = clock.now() + 300;
      },
    },
    sent({ type: "retry.requested" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "reset.requested" }),
    sent({ type: "keep.requested" }),
    {
      ...discardWanted,
      happen: (rig, clock) => {
        rig.counts.asked += 1;
        discardWanted.happen(rig, clock);
      },
    },
    sent({ type: "leftover.resumeRequested", id: leftover.id }),
    sent({ type: "leftover.discardRequested", id: leftover.id }),
    sent({ type: "unsaved.saveRequested" }),
    said({ type: "storage.troubled" }, ({ capture }: Rig) => capture),
    said({ type: "microphone.unplugged" }, ({ capture }: Rig) => capture),
    said({ type: "display.ended" }, ({ capture }: Rig) => capture),
    said({ type: "silence.began" }, ({ capture }: Rig) => capture),
    said({ type: "silence.ended" }, ({ capture }: Rig) => capture),
    sent({ type: "source.chosen", source: "display" }),
    said({ type: "recognition.troubled", problem: "network" }, ({ recognition }: Rig) => recognition),
    said({ type: "recognition.blocked" }, ({ recognition }: Rig) => recognition),
    said({ type: "connection.opened" }, spoken),
    said({ type: "connection.advanced" }, spoken),
    said({ type: "connection.lost", code: null }, spoken, "the connection is lost"),
    said({ type: "connection.lost", code: "unauthorized" }, spoken, "the server does not take the token"),
    said({ type: "connection.lost", code: "engineFailed" }, spoken, "the engine fails"),
    said({ type: "connection.lost", code: "languageUnavailable" }, spoken, "the language does not work"),
    said({ type: "recording.over" }, spoken),
    {
      ...limitReached,
      happen: (rig, clock) => {
        if (phase(rig) !== "stopping") rig.counts.afterStop = clock.now() + 300;
        limitReached.happen(rig, clock);
      },
    },
    done("every word is final", true),
    done("nothing was heard", false),
    unresponsive,
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    answered(
      "something was not finished",
      ({ findLeftovers }: Rig) => findLeftovers,
      () => [leftover],
    ),
    answered(
      "something waits for a network",
      ({ findLeftovers }: Rig) => findLeftovers,
      () => [waiting],
    ),
    away,
    back,
    answered("it is set aside", ({ setAside }: Rig) => setAside, nothing),
    refused("it can't be set aside", ({ setAside }: Rig) => setAside, failure("internal")),
    refused("nobody knows what was not finished", ({ findLeftovers }: Rig) => findLeftovers, failure("internal")),
    answered("the microphone opens", ({ openMicrophone }: Rig) => openMicrophone, nothing),
    refused("the microphone is refused", ({ openMicrophone }: Rig) => openMicrophone, failure("refused")),
    answered(
      "the leftover opens",
      ({ openLeftover }: Rig) => openLeftover,
      () => languages,
    ),
    refused("the leftover does not open", ({ openLeftover }: Rig) => openLeftover, failure("internal")),
    answered("the leftover is thrown away", ({ discardLeftover }: Rig) => discardLeftover, nothing),
    refused("the leftover can't be thrown away", ({ discardLeftover }: Rig) => discardLeftover, failure("internal")),
    answered("what waited is saved", ({ saveUnsaved }: Rig) => saveUnsaved, nothing),
    refused("what waited can't be saved", ({ saveUnsaved }: Rig) => saveUnsaved, failure("network")),
    answered(
      "it is saved",
      ({ save }: Rig) => save,
      () => "t1",
    ),
    refused("nobody answers the saving", ({ save }: Rig) => save, failure("network")),
    refused("saving is refused", ({ save }: Rig) => save, failure("internal")),
    answered(
      "the page becomes the transcript",
      ({ openTranscript }: Rig) => openTranscript,
      () => true,
    ),
    answered(
      "the page was left before its transcript was there",
      ({ openTranscript }: Rig) => openTranscript,
      () => false,
    ),
    refused("the transcript can't be shown", ({ openTranscript }: Rig) => openTranscript, failure("network")),
    answered("it is thrown away", ({ discard }: Rig) => discard, nothing),
    refused("it can't be thrown away", ({ discard }: Rig) => discard, failure("internal")),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { attempts, troubles, lostCode, failure: why, limitReached } = context(rig);
    // Each recording begins without what the last one went through.
    const { isAway } = rig.world;
    if (isInSession(rig)) {
      return [Math.min(attempts, 2), Math.min(troubles, 4), lostCode, limitReached, isAway, context(rig).isAutomatic];
    }
    const isWaiting = context(rig).leftovers.some(({ waits }) => waits !== undefined);
    return [why === "network", isAway, isWaiting, phase(rig) === "saving" && context(rig).isAwaited];
  },
  rules: {
    "a recorder that has saved, failed or heard nothing holds no microphone": (rig) =>
      !["saved", "failed", "nothingHeard", "idle", "saving", "finishing", "finishingOffline"].includes(phase(rig)) ||
      rig.capture.running() + rig.openMicrophone.open().length === 0,
    "the microphone is held exactly while it is shown": (rig) =>
      rig.capture.running() === (selectIsCapturing(rig.actor.getSnapshot()) ? 1 : 0),
    "nothing is heard exactly while it is paused": (rig) =>
      (rig.capture.running() > 0 && rig.capture.heard.at(-1)?.type === "mute.requested") === (phase(rig) === "paused"),
    "nobody speaks on after the free minutes are used up": (rig) =>
      !isInSession(rig) ||
      !selectEndedAtLimit(rig.actor.getSnapshot()) ||
      !["recording", "paused", "reconnecting"].includes(phase(rig)),
    "the last words are recorded, and not for longer than 300 ms": (rig, clock) =>
      phase(rig) !== "stopping" || clock.now() < rig.counts.afterStop,
    "there is one connection at most, and none outside of a recording": ({ connection, ...rig }) =>
      connection.running() <= (rig.actor.getSnapshot().matches({ working: "session" }) ? 1 : 0),
    "leaving the page is held up while something is recorded, and not when all is saved": (rig) => {
      const isHeldUp = rig.leaving.running() > 0;
      return isInSession(rig) ? isHeldUp : !isHeldUp || !["idle", "saved"].includes(phase(rig));
    },
    "the browser's recogniser is there exactly during a recording, and is told when nobody speaks any more": (rig) =>
      rig.recognition.running() === (isInSession(rig) ? 1 : 0) &&
      (!["finishing", "finishingOffline"].includes(phase(rig)) || rig.recognition.heard.at(-1)?.type === "finish.requested"),
    "what is in this page's memory alone is not set aside": (rig) =>
      rig.setAside.open().length === 0 || !context(rig).storageTrouble,
    "nothing is opened by itself without a network, nor twice in a row": (rig) =>
      !context(rig).isAutomatic || new Set(context(rig).tried).size === context(rig).tried.length,
    "it is saved once at a time": ({ save }) => save.open().length <= 1,
    "the page becomes a transcript only when that is saved, and never for what was sent by itself": (rig) =>
      rig.openTranscript.open().length === 0 || (context(rig).savedId !== null && !context(rig).isAutomatic),
    "no recording begins while one is finished, saved or opened": (rig) =>
      rig.openTranscript.open().length + rig.save.open().length === 0 || !rig.actor.getSnapshot().can(startWanted),
    "what was captured is thrown away only on request": (rig) => rig.discard.times() <= rig.counts.asked,
    "a connection that was lost is tried again within 30 s": (rig, clock) =>
      !rig.actor.getSnapshot().matches({ working: { session: { connection: "waiting" } } }) ||
      (clock.untilNext() ?? Number.NaN) <= 30_000,
    "silence is spoken of only while something is heard": (rig) =>
      !context(rig).isSilent || selectIsCapturing(rig.actor.getSnapshot()),
    "a failure has a reason": (rig) => phase(rig) !== "failed" || selectFailure(rig.actor.getSnapshot()) !== null,
  },
});
