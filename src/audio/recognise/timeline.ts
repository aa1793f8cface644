import { createMonoMixer } from "#speech/mono.ts";
import { createResampler } from "#src/audio/resample.ts";
import type { Stereo } from "#src/audio/stereo.ts";
import { shortestHole } from "./holes.ts";

export interface Timeline {
  /** @param start where the piece belongs, in seconds @returns what is ready, with silence where sound is missing */
  push(start: number, sound: Stereo): Generator<Float32Array>;
  /** The rest. */
  flush(): Float32Array;
}

/** Silence comes in pieces of this length at most (seconds): a hole may claim to last for hours. */
const longestSilence = 1;
/** A jump back, or ahead, of more than this is a fault of the clock: no sound is dropped or awaited for it (seconds). */
const longestOverlap = 1;
const longestHole = 24 * 60 * 60;

/**
 * Puts sound where its timestamps say, mixed to one channel: with silence in holes, and without what lies before 0 or comes twice. Timestamps
 * that differ by less than a hole are inexact, and the sound goes on without a seam.
 * @param rate of what comes out, in Hz
 */
export function createTimeline(rate: number): Timeline {
  let written = 0;
  let shift = 0;
  let stream = openStream(rate, 0);
  const count = (samples: Float32Array) => {
    written += samples.length;
    return samples;
  };
  const flush = () => count(stream.flush());
  return {
    push: function* (start, { rate: sourceRate, left, right }) {
      const isFirst = stream.end() === 0;
      if (!isFirst && isFault(start + shift - stream.end())) shift = stream.end() - start;
      const late = start + shift - stream.end();
      const isHole = late >= (isFirst ? 0 : shortestHole);
      if (isHole || sourceRate !== stream.rate) {
        yield flush();
        const silent = isHole ? Math.round((start + shift) * rate) - written : 0;
        for (let rest = silent; rest > 0; rest -= longestSilence * rate)
          yield count(new Float32Array(Math.min(rest, longestSilence * rate)));
        stream = openStream(sourceRate, written / rate);
      }
      const cut = late < (isFirst ? 0 : -shortestHole) ? Math.round(-late * sourceRate) : 0;
      if (cut < left.length) yield count(stream.push(left.subarray(cut), right.subarray(cut)));
    },
    flush,
  };

  /** Sound without a hole, of one rate. @param begin in seconds */
  function openStream(sourceRate: number, begin: number) {
    const [mix, resampler] = [createMonoMixer(sourceRate), createResampler(sourceRate, rate)];
    let taken = 0;
    return {
      rate: sourceRate,
      /** In seconds. */
      end: () => begin + taken / sourceRate,
      push: (left: Float32Array, right: Float32Array) => {
        taken += left.length;
        return resampler.push(mix(left, right));
      },
      flush: resampler.flush,
    };
  }
}

const isFault = (late: number): boolean => late < -longestOverlap || late > longestHole;
