import { createActor, type EventObject } from "xstate";
import { type Outline, type WaveformEvent, waveformMachine } from "#machines/waveform/machine.ts";
import type { Stretch } from "#machines/waveform/rules.ts";
import {
  selectIsLooping,
  selectIsSkipping,
  selectIsThere,
  selectLoop,
  selectOffset,
  selectShown,
} from "#machines/waveform/selectors.ts";
import { answered, failure, outage, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const load = stage.asking<Outline | null>();
  const watchLoop = stage.callback<WaveformEvent, EventObject, Stretch>();
  const watchSilences = stage.callback<WaveformEvent, EventObject>();
  const watchJumps = stage.callback<WaveformEvent, EventObject>();
  const machine = waveformMachine.provide({
    actors: {
      load: load.logic,
      watchLoop: watchLoop.logic,
      watchSilences: watchSilences.logic,
      watchJumps: watchJumps.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    load,
    watchLoop,
    watchSilences,
    watchJumps,
  });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const loading = ({ load }: Rig) => load;
const running = (stub: { running(): number }, is: boolean) => stub.running() === (is ? 1 : 0);

walkTests<Rig>({
  machine: waveformMachine,
  prepare,
  moves: [
    answered("it is there", loading, () => ({ seconds: 8, silentSeconds: 3 })),
    answered("it is there, and nothing is silent in it", loading, () => ({ seconds: 8, silentSeconds: 0 })),
    answered("it is being made", loading, () => null),
    answered("it is empty", loading, () => ({ seconds: 0, silentSeconds: 0 })),
    refused("there is none", loading, failure("notFound")),
    outage(refused("there is no connection", loading, failure("network"))),
    untilNextTimer,
    sent({ type: "zoom.stepped", steps: 1 }, "closer"),
    sent({ type: "zoom.stepped", steps: -1, anchor: { seconds: 4, share: 0.5 } }, "farther, around a place"),
    sent({ type: "view.moved", offset: 2 }),
    sent({ type: "position.chosen", seconds: 5 }),
    sent({ type: "loop.begun", seconds: 1 }, "from here"),
    sent({ type: "loop.begun", seconds: 7 }, "from a later place"),
    sent({ type: "loop.ended", seconds: 6 }, "to here"),
    sent({ type: "loop.drawn", from: 5, to: 2 }),
    sent({ type: "loop.drawn", from: 5, to: 5 }, "a click that slipped"),
    sent({ type: "loop.dropped" }),
    sent({ type: "loop.cleared" }),
    sent({ type: "skipping.toggled" }),
    said({ type: "loop.passed" }, ({ watchLoop }: Rig) => watchLoop),
    said({ type: "silence.reached", from: 3, end: 4 }, ({ watchSilences }: Rig) => watchSilences),
    said({ type: "position.jumped" }, ({ watchJumps }: Rig) => watchJumps),
  ],
  situation: (rig) => {
    const { attempts, outline, zoom, loop } = snapshot(rig).context;
    return [selectIsThere(snapshot(rig)) ? 0 : attempts, outline.silentSeconds > 0, zoom, loop.end > loop.start];
  },
  rules: {
    "one call at a time, and none once it is there": (rig) => rig.load.open().length <= (selectIsThere(snapshot(rig)) ? 0 : 1),
    "what is played is watched for the loop exactly while there is one": (rig) =>
      running(rig.watchLoop, selectIsLooping(snapshot(rig))),
    "for silences exactly while they are skipped": (rig) => running(rig.watchSilences, selectIsSkipping(snapshot(rig))),
    "for jumps exactly while the view is the person's": (rig) => running(rig.watchJumps, selectOffset(snapshot(rig)) !== null),
    "a loop is within the recording, and has a length": (rig) => {
      const loop = selectLoop(snapshot(rig));
      return !selectIsLooping(snapshot(rig)) || (loop !== null && loop.end > loop.start && loop.start >= 0 && loop.end <= 8);
    },
    "the view is within the recording": (rig) =>
      !selectIsThere(snapshot(rig)) || (selectOffset(snapshot(rig)) ?? 0) + selectShown(snapshot(rig)) <= 8,
    "nothing is skipped where nothing is silent": (rig) =>
      !selectIsSkipping(snapshot(rig)) || snapshot(rig).context.outline.silentSeconds > 0,
  },
});
