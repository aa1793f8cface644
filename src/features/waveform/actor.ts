import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import type { Peaks } from "#contract/index.ts";
import { type WaveformEvent, waveformMachine } from "#machines/waveform/machine.ts";
import { lengthOf, lengthOfAll, type Stretch, silencesIn, withoutSpoken } from "#machines/waveform/rules.ts";
import { createWaveformApi } from "#src/api/waveform.ts";
import { inspected } from "#src/browser/inspection.ts";
import { ownSend } from "#src/features/session/api.ts";
import { perRecord } from "#src/features/session/per-owner.ts";
import { type Sound, type TrackedSound, watchEnd, watchJumps, watchSilences } from "./sound.ts";

const api = createWaveformApi(ownSend);
const noPeaks: Peaks = { pairMs: 40, levels: new Int8Array(0), audioBytes: 0 };

/**
 * How long before the recording's end a loop ends (seconds). Playback stops at the end itself, and in the background it
 * reports positions only four times a second.
 */
const beforeEnd = 0.3;

export interface OpenWaveform {
  actor: ActorRefFrom<typeof waveformMachine>;
  sound: Sound;
  /** The peaks, kept out of the machine: a megabyte that never changes. Empty until they are loaded. */
  peaks(): Peaks;
}

/** The machine with its actors, which load the peaks and find silences in them. */
function provided(id: string, sound: Sound) {
  let peaks = noPeaks;
  let silences: Stretch[] = [];
  const machine = waveformMachine.provide({
    actors: {
      load: fromPromise(async ({ signal }) => {
        const loaded = await api.peaks(id, signal);
        if (loaded === null) return null;
        peaks = loaded;
        silences = silencesIn(loaded);
        return { seconds: lengthOf(loaded), silentSeconds: lengthOfAll(silences) };
      }),
      watchLoop: fromCallback(({ input, sendBack }) =>
        watchEnd(sound, Math.min(input.end, lengthOf(peaks) - beforeEnd), () =>
          sendBack({ type: "loop.passed" } satisfies WaveformEvent),
        ),
      ),
      watchSilences: fromCallback(({ sendBack }) =>
        watchSilences(
          sound,
          withoutSpoken(
            silences,
            sound.segments.get().flatMap(({ words }) => words),
          ),
          (from, end) => sendBack({ type: "silence.reached", from, end } satisfies WaveformEvent),
        ),
      ),
      watchJumps: fromCallback(({ sendBack }) =>
        watchJumps(sound, () => sendBack({ type: "position.jumped" } satisfies WaveformEvent)),
      ),
    },
  });
  return { machine, peaks: () => peaks };
}

function create(id: string, sound: TrackedSound): OpenWaveform {
  const { machine, peaks } = provided(id, sound);
  const actor = createActor(machine, inspected());
  actor.on("seek.requested", ({ seconds }) => sound.seek(seconds));
  const leaveTrack = sound.track.subscribe(() => actor.send({ type: "sound.changed" }));
  actor.subscribe({ complete: leaveTrack });
  return { actor: actor.start(), sound, peaks };
}

/** The waveform of the open page's recording, one at a time. */
export const openWaveform = perRecord(create, ({ actor }) => actor.stop());
