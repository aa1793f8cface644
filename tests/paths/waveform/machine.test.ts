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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const load = stubs.asking<Outline | null>();
  const watchLoop = stubs.callback<WaveformEvent, EventObject, Stretch>();
  const watchSilences = stubs.callback<WaveformEvent, EventObject>();
  const watchJumps = stubs.callback<WaveformEvent, EventObject>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const loading = ({ load }: Harness) => load;
const running = (stub: { running(): number }, is: boolean) => stub.running() === (is ? 1 : 0);

walkTests<Harness>({
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
    sent({ type: "zoom.stepped", steps: -1, anchor: { seconds: 4, fraction: 0.5 } }, "farther, around a place"),
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
    sent({ type: "sound.changed" }),
    said({ type: "loop.passed" }, ({ watchLoop }: Harness) => watchLoop),
    said({ type: "silence.reached", from: 3, end: 4 }, ({ watchSilences }: Harness) => watchSilences),
    said({ type: "position.jumped" }, ({ watchJumps }: Harness) => watchJumps),
  ],
  situation: (harness) => {
    const { attempts, outline, zoom, loop } = snapshot(harness).context;
    return [selectIsThere(snapshot(harness)) ? 0 : attempts, outline.silentSeconds > 0, zoom, loop.end > loop.start];
  },
  rules: {
    "one call at a time, and none once it is there": (harness) =>
      harness.load.open().length <= (selectIsThere(snapshot(harness)) ? 0 : 1),
    "what is played is watched for the loop exactly while there is one": (harness) =>
      running(harness.watchLoop, selectIsLooping(snapshot(harness))),
    "for silences exactly while they are skipped": (harness) =>
      running(harness.watchSilences, selectIsSkipping(snapshot(harness))),
    "for jumps exactly while the view is the person's": (harness) =>
      running(harness.watchJumps, selectOffset(snapshot(harness)) !== null),
    "a loop is within the recording, and has a length": (harness) => {
      const loop = selectLoop(snapshot(harness));
      return !selectIsLooping(snapshot(harness)) || (loop !== null && loop.end > loop.start && loop.start >= 0 && loop.end <= 8);
    },
    "the view is within the recording": (harness) =>
      !selectIsThere(snapshot(harness)) || (selectOffset(snapshot(harness)) ?? 0) + selectShown(snapshot(harness)) <= 8,
    "nothing is skipped where nothing is silent": (harness) =>
      !selectIsSkipping(snapshot(harness)) || snapshot(harness).context.outline.silentSeconds > 0,
  },
});
