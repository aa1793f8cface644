import { createActor } from "xstate";
import {
  type LabLiveEvent,
  type LiveRun,
  labLiveMachine,
  selectIsRunning,
  selectLiveStage,
} from "#machines/debug/realtime-transcription.ts";
import { outage, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const run: LiveRun = { source: "fixture", pace: "real", language: "en" };

function prepare(stage: Stage) {
  const connection = stage.callback<LabLiveEvent, LabLiveEvent, LiveRun>();
  const machine = labLiveMachine.provide({ actors: { connection: connection.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), connection });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const heard = ({ connection }: Rig) => connection;

walkTests<Rig>({
  machine: labLiveMachine,
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
  situation: (rig) => snapshot(rig).context.code,
  rules: {
    "a connection as long as it runs": (rig) => rig.connection.running() === (selectIsRunning(snapshot(rig)) ? 1 : 0),
    "what failed says why": (rig) => (selectLiveStage(snapshot(rig)) === "failed") === (snapshot(rig).context.code !== null),
  },
});
