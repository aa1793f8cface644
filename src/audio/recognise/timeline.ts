import { createMonoMixer } from "#speech/mono.ts";
import { createResampler } from "#src/audio/resample.ts";
import { shortestHole } from "./holes.ts";

/** A piece of sound; both channels have as many samples, from -1 to 1. */
export interface Stereo {
  /** In Hz. */
  rate: number;
  left: Float32Array;
  right: Float32Array;
}

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

/**
 * Makes two channels of any number. One channel is both. Of more than two, the centre of a surround sound is in both, and of the others every
 * second one: voices that are on one channel alone stay.
 * @param channels at least one, in the order of WAV files
 */
export function stereoOf(channels: readonly Float32Array[]): Pick<Stereo, "left" | "right"> {
  const [left = new Float32Array(0), right = left] = channels;
  if (channels.length <= 2) return { left, right };
  const scale = Math.sqrt(2 / channels.length);
  const centre = channels.length === 4 ? undefined : channels[2];
  const sum = (side: number) =>
    left.map((_, at) => {
      let total = Math.SQRT1_2 * (centre?.[at] ?? 0);
      for (let channel = side; channel < channels.length; channel += 2)
        if (channels[channel] !== centre) total += channels[channel]?.[at] ?? 0;
      return total * scale;
    });
  return { left: sum(0), right: sum(1) };
}
