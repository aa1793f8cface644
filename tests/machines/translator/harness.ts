import { createActor, SimulatedClock } from "xstate";
import type { RecorderEmitted } from "#machines/dictation/events.ts";
import type { RecorderPhase } from "#machines/dictation/selectors.ts";
import type { Side, TranslatorEvent, TurnCommand, TypedText } from "#machines/translator/events.ts";
import { translatorMachine } from "#machines/translator/machine.ts";
import { selectStatus } from "#machines/translator/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

/** The recorder's event in each phase; it reports the start of its work once. */
const emittedIn: Partial<Record<RecorderPhase, RecorderEmitted>> = {
  idle: { type: "recorder.ready" },
  saved: { type: "recording.saved" },
  nothingHeard: { type: "speech.missed" },
};
const working: readonly RecorderPhase[] = [
  "requestingMicrophone",
  "recording",
  "paused",
  "reconnecting",
  "stopping",
  "finishing",
  "finishingOffline",
  "saving",
];

/** A translator whose recorder stands idle. */
export function setUp() {
  const environment = { speaks: true };
  const recorder = talking<TranslatorEvent, TurnCommand>();
  const usages = talking<TranslatorEvent, TranslatorEvent>();
  const actors = {
    compose: answering<{ isSpoken: boolean }, TypedText>(),
    aloud: answering<void, { turnId: string | null }>(),
    replay: answering<void, { turnId: string | null }>(),
  };
  const machine = translatorMachine.provide({
    actors: {
      compose: actors.compose.logic,
      speak: actors.aloud.logic,
      replay: actors.replay.logic,
      recorder: recorder.logic,
      usage: usages.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock: new SimulatedClock() })).start();
  let current: RecorderPhase = "checking";
  const phase = (...phases: RecorderPhase[]) => {
    for (const next of phases) {
      const begins = working.includes(next) && !working.includes(current);
      const emitted = begins ? ({ type: "recording.started" } as const) : emittedIn[next];
      current = next;
      if (emitted?.type === "recording.saved") recorder.say({ ...emitted, isSpoken: environment.speaks });
      else if (emitted !== undefined) recorder.say(emitted);
    }
  };
  const fail = (code: string) => {
    current = "failed";
    recorder.say({ type: "recording.failed", failure: code });
  };
  const usage = (isUsedUp: boolean) => usages.say({ type: "usage.changed", isUsedUp });
  phase("checking", "idle");
  const status = () => selectStatus(actor.getSnapshot(), current);
  /** A person presses the button and speaks. */
  const speak = (side: Side) => {
    actor.send({ type: "speak.requested", side });
    phase("requestingMicrophone", "recording");
  };
  return {
    ...actors,
    environment,
    commands: recorder.heard,
    actor,
    phase,
    fail,
    usage,
    status,
    speak,
    get: () => actor.getSnapshot(),
  };
}
