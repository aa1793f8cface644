import { createActor } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { type ProcessingEvent, processingMachine } from "#machines/uploads/processing.ts";
import { summary } from "#tests/machines/uploads/rig.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const load = stage.asking<Transcription, { id: string }>();
  const reprocess = stage.asking<Transcription, { id: string }>();
  const updates = stage.callback<ProcessingEvent, ProcessingEvent, { id: string }>();
  const wakeUps = stage.callback<ProcessingEvent>();
  const machine = processingMachine.provide({
    actors: { load: load.logic, reprocess: reprocess.logic, updates: updates.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { id: "t1" } });
    return { actor, load, reprocess, updates, wakeUps };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const full = (changes: Parameters<typeof summary>[0] = {}): Transcription => ({
  ...summary(changes),
  segments: [],
  fileName: null,
  engine: null,
});
const failed = summary({ status: "failed", error: { message: "", code: "engineFailed" } });
const context = ({ actor }: Rig) => actor.getSnapshot().context;
const isIn = (rig: Rig, state: "working" | "completed" | "failed" | "retrying" | "unreachable") =>
  rig.actor.getSnapshot().matches(state);

walkTests<Rig>({
  machine: processingMachine,
  prepare,
  moves: [
    answered(
      "it is being made",
      ({ load }: Rig) => load,
      () => full(),
    ),
    answered(
      "it is completed already",
      ({ load }: Rig) => load,
      () => full({ status: "completed" }),
    ),
    refused("it is gone", ({ load }: Rig) => load, failure("notFound")),
    refused("nobody answers", ({ load }: Rig) => load, failure("network")),
    said({ type: "transcription.updated", transcription: summary() }, ({ updates }: Rig) => updates, "update: it goes on"),
    said({ type: "transcription.updated", transcription: failed }, ({ updates }: Rig) => updates, "update: it has failed"),
    said(
      { type: "transcription.updated", transcription: summary({ status: "completed" }), segments: [] },
      ({ updates }: Rig) => updates,
      "update: it is completed",
    ),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    sent({ type: "retry.requested" }),
    sent({ type: "reload.requested" }),
    answered(
      "it is set going again",
      ({ reprocess }: Rig) => reprocess,
      () => full(),
    ),
    refused("setting it going fails", ({ reprocess }: Rig) => reprocess, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { attempts, code, transcription } = context(rig);
    return [Math.min(attempts, 6), code, transcription?.status];
  },
  rules: {
    "it is asked for once at a time": ({ load }) => load.open().length <= 1,
    "updates are heard exactly while it is made": (rig) => rig.updates.running() === (isIn(rig, "working") ? 1 : 0),
    "it is set going again only when it had failed": (rig) => rig.reprocess.open().length === (isIn(rig, "retrying") ? 1 : 0),
    "what can't be reached is tried again within 30 s": (rig, clock) =>
      !isIn(rig, "unreachable") || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "what is completed is left in peace": (rig) =>
      !isIn(rig, "completed") || rig.load.open().length + rig.updates.running() + rig.wakeUps.running() === 0,
    "a failure has a reason": (rig) => !isIn(rig, "failed") || (context(rig).code ?? context(rig).transcription?.error) !== null,
  },
});
