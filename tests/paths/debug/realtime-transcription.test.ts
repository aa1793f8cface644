import { createActor } from "xstate";
import {
  type LiveRun,
  type RealtimeTranscriptionEvent,
  realtimeTranscriptionMachine,
  selectIsRunning,
  selectLiveStage,
} from "#machines/debug/realtime-transcription.ts";
import { outage, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const run: LiveRun = { source: "fixture", pace: "real", language: "en" };

function prepare(stubs: Stubs) {
  const connection = stubs.callback<RealtimeTranscriptionEvent, RealtimeTranscriptionEvent, LiveRun>();
  const machine = realtimeTranscriptionMachine.provide({ actors: { connection: connection.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), connection });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const heard = ({ connection }: Harness) => connection;

walkTests<Harness>({
  machine: realtimeTranscriptionMachine,
  prepare,
  moves: [
    sent({ type: "run.requested", run }),
    sent({ type: "stop.requested" }),
    sent({ type: "cancel.requested" }),
    said({ type: "connection.opened" }, heard),
    said({ type: "sound.ended" }, heard),
    said({ type: "words.complete" }, heard),
    outage(said({ type: "connection.lost", code: "network" }, heard)),
  ],
  situation: (harness) => snapshot(harness).context.code,
  rules: {
    "a connection as long as it runs": (harness) => harness.connection.running() === (selectIsRunning(snapshot(harness)) ? 1 : 0),
    "what failed says why": (harness) =>
      (selectLiveStage(snapshot(harness)) === "failed") === (snapshot(harness).context.code !== null),
  },
});
