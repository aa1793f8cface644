import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { RecorderPhase } from "#machines/dictation/selectors.ts";
import type { Side, TranslatorEvent, TurnCommand, TypedText } from "#machines/translator/events.ts";
import { translatorMachine } from "#machines/translator/machine.ts";
import { selectStatus } from "#machines/translator/selectors.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

/** A translator whose recorder stands idle. */
export function setUp() {
  const world = { speaks: true };
  const commands: TurnCommand[] = [];
  let emitRecorder: ((event: TranslatorEvent) => void) | undefined;
  let emitUsage: ((event: TranslatorEvent) => void) | undefined;
  const actors = {
    compose: answering<void, TypedText>(),
    aloud: answering<void, { turnId: string | null }>(),
    replay: answering<void, { turnId: string | null }>(),
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
  const actor = stopsAfterTest(createActor(machine, { clock: new SimulatedClock() })).start();
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
