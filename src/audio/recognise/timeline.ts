import { createMonoMixer } from "#speech/mono.ts";
import { createResampler } from "#src/audio/resample.ts";
import type { Stereo } from "#src/audio/stereo.ts";
import { shortestHole } from "./holes.ts";

export interface Timeline {
  /** @param start the piece's place in seconds @returns the finished audio, with silence for missing parts */
  push(start: number, sound: Stereo): Generator<Float32Array>;
  /** Returns the rest. */
  flush(): Float32Array;
}

/** The maximum length of one piece of silence (seconds), because a gap may claim to last for hours. */
const longestSilence = 1;
/** A larger jump back or ahead (seconds) is a clock error. No audio is dropped or awaited for it. */
const longestOverlap = 1;
const longestHole = 24 * 60 * 60;

/**
 * Places audio by its timestamps, mixed to one channel. Fills gaps with silence, and drops audio before 0 and
 * duplicates. Timestamps that differ by less than a gap count as inexact, and the audio continues without a seam.
 * @param rate of the output, in Hz
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

  /** A stretch without a gap and with one sample rate. @param begin in seconds */
  function openStream(sourceRate: number, begin: number) {
    const [mix, resampler] = [createMonoMixer(sourceRate), createResampler(sourceRate, rate)];
    let taken = 0;
    return {
      rate: sourceRate,
      /** The end in seconds. */
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
