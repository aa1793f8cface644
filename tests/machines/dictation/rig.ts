import { onTestFinished } from "vitest";
import { createActor, type EventObject, fromCallback, fromPromise, type NonReducibleUnknown, SimulatedClock } from "xstate";
import type { CaptureCommand, RecorderEvent, RecorderLanguages, RecorderLeftover } from "#machines/dictation/events.ts";
import { recorderMachine } from "#machines/dictation/machine.ts";
import { selectPhase } from "#machines/dictation/selectors.ts";

export const leftover: RecorderLeftover = { id: "l1", startedAt: 1000, durationSeconds: 12, overLimit: false };
export const languages: RecorderLanguages = { sourceLanguage: "en", targetLanguage: "es" };
export const start: RecorderEvent = { type: "start.requested", ...languages };

/** A promise actor that answers when the test says so, and a record of how often and with what it was asked. */
function answering<Output, Input = NonReducibleUnknown>() {
  const asked: { input: Input; signal: AbortSignal; resolve(output: Output): void; reject(error: unknown): void }[] = [];
  const logic = fromPromise<Output, Input>(({ input, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    asked.push({ input, signal, resolve, reject });
    return promise;
  });
  const last = () => {
    const ask = asked.at(-1);
    if (ask === undefined) throw new Error("nobody asked");
    return ask;
  };
  return { logic, asked, last };
}

/** A callback actor that sends what the test wants. */
function listening<Input = NonReducibleUnknown, Heard extends EventObject = RecorderEvent>() {
  let speak: ((event: RecorderEvent) => void) | undefined;
  let starts = 0;
  const inputs: Input[] = [];
  const heard: Heard[] = [];
  const logic = fromCallback<Heard, Input>(({ sendBack, receive, input }) => {
    receive((event) => heard.push(event));
    starts += 1;
    inputs.push(input);
    speak = sendBack;
    return () => {
      speak = undefined;
    };
  });
  return {
    logic,
    heard,
    starts: () => starts,
    /** What it was given, if it runs. */
    input: () => (speak === undefined ? undefined : inputs.at(-1)),
    isRunning: () => speak !== undefined,
    say: (event: RecorderEvent) => {
      if (speak === undefined) throw new Error(`nobody to say ${event.type}`);
      speak(event);
    },
  };
}

export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
export const failure = (code: string) => Object.assign(new Error(code), { code });

export function setUp() {
  const world = { heard: true, unresponsive: false };
  const actors = {
    findLeftovers: answering<readonly RecorderLeftover[]>(),
    openMicrophone: answering<void, RecorderLanguages>(),
    openLeftover: answering<RecorderLanguages, { id: string }>(),
    discardLeftover: answering<void, { id: string }>(),
    saveUnsaved: answering<void>(),
    save: answering<string>(),
    discard: answering<void>(),
  };
  const listeners = {
    capture: listening<NonReducibleUnknown, CaptureCommand>(),
    connection: listening(),
    wakeUps: listening(),
    leaving: listening<{ isAtRisk: boolean }>(),
  };
  const clock = new SimulatedClock();
  const machine = recorderMachine.provide({
    actors: {
      findLeftovers: actors.findLeftovers.logic,
      openMicrophone: actors.openMicrophone.logic,
      openLeftover: actors.openLeftover.logic,
      discardLeftover: actors.discardLeftover.logic,
      saveUnsaved: actors.saveUnsaved.logic,
      save: actors.save.logic,
      discard: actors.discard.logic,
      capture: listeners.capture.logic,
      connection: listeners.connection.logic,
      wakeUps: listeners.wakeUps.logic,
      leaving: listeners.leaving.logic,
    },
    guards: { wordsWereHeard: () => world.heard, isUnresponsive: () => world.unresponsive },
  });
  const actor = createActor(machine, { clock }).start();
  onTestFinished(() => void actor.stop());
  const phase = () => selectPhase(actor.getSnapshot());
  return { ...actors, ...listeners, world, clock, actor, phase, get: () => actor.getSnapshot() };
}

export type Fixture = ReturnType<typeof setUp>;

export async function toIdle(leftovers: readonly RecorderLeftover[] = []): Promise<Fixture> {
  const fixture = setUp();
  fixture.findLeftovers.last().resolve(leftovers);
  await tick();
  return fixture;
}

export async function toRecording(): Promise<Fixture> {
  const fixture = await toIdle();
  fixture.actor.send(start);
  fixture.openMicrophone.last().resolve();
  await tick();
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
  fixture.connection.say({ type: "recording.done" });
  return fixture;
}
