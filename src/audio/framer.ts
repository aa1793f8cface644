import { frameSamples, sampleRate } from "#contract/index.ts";
import { createResampler } from "./resample.ts";

export interface Framer {
  /** Takes samples from -1 to 1. @returns the frames that are now complete */
  push(samples: Float32Array): Uint8Array<ArrayBuffer>[];
  /** The last, shorter frame; undefined when nothing is left. */
  flush(): Uint8Array<ArrayBuffer> | undefined;
}

/** Cuts samples into frames of 80 ms, each signed 16-bit little-endian. */
export function createFramer(samplesPerFrame = frameSamples): Framer {
  let frame = new DataView(new ArrayBuffer(samplesPerFrame * 2));
  let filled = 0;
  return {
    push: (samples) => {
      const full: Uint8Array<ArrayBuffer>[] = [];
      for (const sample of samples) {
        frame.setInt16(filled * 2, toInt16(sample), true);
        filled += 1;
        if (filled < samplesPerFrame) continue;
        full.push(new Uint8Array(frame.buffer));
        frame = new DataView(new ArrayBuffer(samplesPerFrame * 2));
        filled = 0;
      }
      return full;
    },
    flush: () => {
      if (filled === 0) return undefined;
      const rest = new Uint8Array(frame.buffer.slice(0, filled * 2));
      frame = new DataView(new ArrayBuffer(samplesPerFrame * 2));
      filled = 0;
      return rest;
    },
  };
}

/** Resamples to 16,000 Hz and cuts into frames of 80 ms. @param sourceRate samples per second of the input */
export function createFrames(sourceRate: number) {
  const [resampler, framer] = [createResampler(sourceRate, sampleRate), createFramer()];
  return {
    push: (samples: Float32Array) => framer.push(resampler.push(samples)),
    /** Returns the rest. The last frame may be shorter. */
    flush: () => {
      const frames = framer.push(resampler.flush());
      const rest = framer.flush();
      return rest === undefined ? frames : [...frames, rest];
    },
  };
}

function toInt16(sample: number): number {
  const clipped = Math.max(-1, Math.min(1, Number.isNaN(sample) ? 0 : sample));
  return Math.round(clipped * 32_767);
}

/** The level, from 0 (silence) to 1, on a logarithmic scale of 60 dB. */
export function loudness(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / samples.length + 1e-12);
  return Math.max(0, Math.min(1, (decibels + 60) / 50));
}
