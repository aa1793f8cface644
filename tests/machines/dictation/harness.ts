import { createActor, fromPromise, SimulatedClock } from "xstate";
import type { HeardBy } from "#contract/index.ts";
import type {
  CaptureCommand,
  CaptureRequest,
  ConnectionCommand,
  RecognitionCommand,
  RecorderEmitted,
  RecorderEvent,
  RecorderLanguages,
  RecorderLeftover,
} from "#machines/dictation/events.ts";
import { recorderMachine } from "#machines/dictation/machine.ts";
import { selectPhase } from "#machines/dictation/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

export const leftover: RecorderLeftover = { id: "l1", startedAt: 1000, durationSeconds: 12, overLimit: false };
export const languages: RecorderLanguages = { sourceLanguage: "en", targetLanguage: "es" };
export const start: RecorderEvent = { type: "start.requested", ...languages };

export function setUp() {
  const actors = {
    findLeftovers: answering<readonly RecorderLeftover[]>(),
    openMicrophone: answering<void, CaptureRequest>(),
    openLeftover: answering<RecorderLanguages, { id: string }>(),
    discardLeftover: answering<void, { id: string }>(),
    saveUnsaved: answering<void>(),
    save: answering<string>(),
    discard: answering<void>(),
    setAside: answering<void>(),
  };
  const environment = { isAway: false, isOnPage: false };
  const shown: string[] = [];
  const allowed: string[] = [];
  const listeners = {
    capture: talking<RecorderEvent, CaptureCommand>(),
    connection: talking<RecorderEvent, ConnectionCommand>(),
    recognition: talking<RecorderEvent, RecognitionCommand, { by: HeardBy | null }>(),
    wakeUps: talking<RecorderEvent, RecorderEvent>(),
    leaving: talking<RecorderEvent, RecorderEvent, { isAtRisk: boolean }>(),
  };
  const clock = new SimulatedClock();
  const machine = recorderMachine.provide({
    guards: { isAway: () => environment.isAway },
    actions: { allowSending: () => void allowed.push("allowed") },
    actors: {
      findLeftovers: actors.findLeftovers.logic,
      openMicrophone: actors.openMicrophone.logic,
      openLeftover: actors.openLeftover.logic,
      discardLeftover: actors.discardLeftover.logic,
      saveUnsaved: actors.saveUnsaved.logic,
      save: actors.save.logic,
      openTranscript: fromPromise<boolean, { id: string }>(async ({ input }) => {
        if (environment.isOnPage) shown.push(input.id);
        return environment.isOnPage;
      }),
      discard: actors.discard.logic,
      setAside: actors.setAside.logic,
      capture: listeners.capture.logic,
      connection: listeners.connection.logic,
      recognition: listeners.recognition.logic,
      wakeUps: listeners.wakeUps.logic,
      leaving: listeners.leaving.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: RecorderEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  const phase = () => selectPhase(actor.getSnapshot());
  return { ...actors, ...listeners, environment, shown, allowed, clock, actor, phase, emitted, get: () => actor.getSnapshot() };
}

export type Fixture = ReturnType<typeof setUp>;

export async function toIdle(leftovers: readonly RecorderLeftover[] = []): Promise<Fixture> {
  const fixture = setUp();
  await fixture.findLeftovers.last().resolve(leftovers);
  return fixture;
}

export async function toRecording(): Promise<Fixture> {
  const fixture = await toIdle();
  fixture.actor.send(start);
  await fixture.openMicrophone.last().resolve();
  return fixture;
}

export async function toOnline(): Promise<Fixture> {
  const fixture = await toRecording();
  fixture.connection.say({ type: "connection.opened" });
  return fixture;
}

export async function toFinishing(): Promise<Fixture> {
  const fixture = await toOnline();
  fixture.actor.send({ type: "stop.requested" });
  fixture.clock.increment(300);
  return fixture;
}

export async function toSaving(): Promise<Fixture> {
  const fixture = await toFinishing();
  fixture.connection.say({ type: "recording.done", hasWords: true });
  return fixture;
}
