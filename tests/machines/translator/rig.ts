import { onTestFinished } from "vitest";
import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { RecorderPhase } from "#machines/dictation/selectors.ts";
import type { Side, TranslatorEvent, TurnCommand, TypedText } from "#machines/translator/events.ts";
import { translatorMachine } from "#machines/translator/machine.ts";
import { selectStatus } from "#machines/translator/selectors.ts";

/** A promise actor that answers when the test says so. */
function answering<Input>() {
  const asked: { input: Input; signal: AbortSignal; resolve(): void; reject(error: unknown): void }[] = [];
  const logic = fromPromise<void, Input>(({ input, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
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

export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A translator whose recorder stands idle. */
export function setUp() {
  const world = { speaks: true };
  const commands: TurnCommand[] = [];
  let emitRecorder: ((event: TranslatorEvent) => void) | undefined;
  let emitUsage: ((event: TranslatorEvent) => void) | undefined;
  const actors = {
    compose: answering<TypedText>(),
    aloud: answering<{ turnId: string | null }>(),
    replay: answering<{ turnId: string | null }>(),
  };
  const machine = translatorMachine.provide({
    actors: {
      compose: actors.compose.logic,
      speak: actors.aloud.logic,
      replay: actors.replay.logic,
      recorder: fromCallback<TurnCommand>(({ receive, sendBack }) => {
        emitRecorder = sendBack;
        receive((command) => commands.push(command));
      }),
      usage: fromCallback<TranslatorEvent>(({ sendBack }) => {
        emitUsage = sendBack;
      }),
    },
    guards: { isToBeSpoken: () => world.speaks },
  });
  const actor = createActor(machine, { clock: new SimulatedClock() }).start();
  onTestFinished(() => void actor.stop());
  const phase = (...phases: RecorderPhase[]) => {
    for (const each of phases) emitRecorder?.({ type: "recorder.changed", phase: each, failure: null });
  };
  const fail = (code: string) => emitRecorder?.({ type: "recorder.changed", phase: "failed", failure: code });
  const usage = (isUsedUp: boolean) => emitUsage?.({ type: "usage.changed", isUsedUp });
  phase("checking", "idle");
  const status = () => selectStatus(actor.getSnapshot());
  /** Somebody presses the button, and is heard. */
  const speak = (side: Side) => {
    actor.send({ type: "speak.requested", side });
    phase("requestingMicrophone", "recording");
  };
  return { ...actors, world, commands, actor, phase, fail, usage, status, speak, get: () => actor.getSnapshot() };
}
