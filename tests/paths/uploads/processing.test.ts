import { createActor } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { type ProcessingEvent, processingMachine } from "#machines/uploads/processing.ts";
import { summary } from "#tests/machines/uploads/harness.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const load = stubs.asking<Transcription, { id: string }>();
  const reprocess = stubs.asking<Transcription, { id: string }>();
  const updates = stubs.callback<ProcessingEvent, ProcessingEvent, { id: string }>();
  const wakeUps = stubs.callback<ProcessingEvent>();
  const machine = processingMachine.provide({
    actors: { load: load.logic, reprocess: reprocess.logic, updates: updates.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { id: "t1" } });
    return { actor, load, reprocess, updates, wakeUps };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const full = (changes: Parameters<typeof summary>[0] = {}): Transcription => ({
  ...summary(changes),
  segments: [],
  fileName: null,
  engine: null,
});
const failed = summary({ status: "failed", error: { message: "", code: "engineFailed" } });
const context = ({ actor }: Harness) => actor.getSnapshot().context;
const isIn = (harness: Harness, state: "working" | "completed" | "failed" | "retrying" | "unreachable") =>
  harness.actor.getSnapshot().matches(state);

walkTests<Harness>({
  machine: processingMachine,
  prepare,
  moves: [
    answered(
      "it is being made",
      ({ load }: Harness) => load,
      () => full(),
    ),
    answered(
      "it is completed already",
      ({ load }: Harness) => load,
      () => full({ status: "completed" }),
    ),
    refused("it is gone", ({ load }: Harness) => load, failure("notFound")),
    refused("nobody answers", ({ load }: Harness) => load, failure("network")),
    said({ type: "transcription.updated", transcription: summary() }, ({ updates }: Harness) => updates, "update: it goes on"),
    said({ type: "transcription.updated", transcription: failed }, ({ updates }: Harness) => updates, "update: it has failed"),
    said(
      { type: "transcription.updated", transcription: summary({ status: "completed" }), segments: [] },
      ({ updates }: Harness) => updates,
      "update: it is completed",
    ),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    sent({ type: "retry.requested" }),
    sent({ type: "reload.requested" }),
    answered(
      "it is set going again",
      ({ reprocess }: Harness) => reprocess,
      () => full(),
    ),
    refused("setting it going fails", ({ reprocess }: Harness) => reprocess, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { attempts, code, transcription } = context(harness);
    return [Math.min(attempts, 6), code, transcription?.status];
  },
  rules: {
    "it is asked for once at a time": ({ load }) => load.open().length <= 1,
    "updates are heard exactly while it is made": (harness) => harness.updates.running() === (isIn(harness, "working") ? 1 : 0),
    "it is set going again only when it had failed": (harness) =>
      harness.reprocess.open().length === (isIn(harness, "retrying") ? 1 : 0),
    "what can't be reached is tried again within 30 s": (harness, clock) =>
      !isIn(harness, "unreachable") || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "what is completed is left in peace": (harness) =>
      !isIn(harness, "completed") || harness.load.open().length + harness.updates.running() + harness.wakeUps.running() === 0,
    "a failure has a reason": (harness) =>
      !isIn(harness, "failed") || (context(harness).code ?? context(harness).transcription?.error) !== null,
  },
});
