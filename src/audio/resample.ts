/** Zero crossings of the filter on each side. More make it sharper and slower. */
const crossings = 16;
/**
 * The passband as a fraction of the lower rate's Nyquist frequency. The filter's slope lies above it, so that nothing
 * aliases.
 */
const passband = 0.92;

export interface Resampler {
  /**
   * Takes mono samples (-1 to 1) at the source's rate. @returns finished samples at the target's rate, delayed by half
   * the filter
   */
  push(samples: Float32Array): Float32Array;
  /** Returns the rest, padded with silence. */
  flush(): Float32Array;
}

/**
 * Changes the sample rate of a stream with a windowed-sinc filter. The result does not depend on how the stream is cut
 * into pieces.
 * @param sourceRate samples per second of the input
 * @param targetRate samples per second of the output
 */
export function createResampler(sourceRate: number, targetRate: number): Resampler {
  if (sourceRate === targetRate) return { push: (samples) => samples, flush: () => new Float32Array(0) };
  const divisor = greatestDivisor(sourceRate, targetRate);
  // Output n lies at source position n * step / phases.
  const [step, phases] = [sourceRate / divisor, targetRate / divisor];
  const cutoff = Math.min(1, targetRate / sourceRate) * passband;
  const half = Math.ceil(crossings / cutoff);
  const kernels = new Map<number, Float32Array>();
  const kernelOf = (phase: number): Float32Array => {
    const known = kernels.get(phase);
    if (known) return known;
    const made = makeKernel(phase / phases, half, cutoff);
    kernels.set(phase, made);
    return made;
  };

  // `pending[0]` is `half` samples before the integer part of the next output's position. The beginning is padded with
  // silence.
  let pending = new Float32Array(half - 1);
  let phase = 0;
  const push = (samples: Float32Array): Float32Array => {
    const source = new Float32Array(pending.length + samples.length);
    source.set(pending);
    source.set(samples, pending.length);
    const out: number[] = [];
    let at = 0;
    while (at + 2 * half <= source.length) {
      const kernel = kernelOf(phase);
      let sum = 0;
      for (let i = 0; i < kernel.length; i++) sum += (kernel[i] ?? 0) * (source[at + i] ?? 0);
      out.push(sum);
      phase += step;
      at += Math.floor(phase / phases);
      phase %= phases;
    }
    pending = source.slice(at);
    return Float32Array.from(out);
  };
  return { push, flush: () => push(new Float32Array(half)) };
}

/** Taps for an output that lies `offset` (0 to 1) behind tap `half - 1`; Blackman window, sum 1. */
function makeKernel(offset: number, half: number, cutoff: number): Float32Array {
  const kernel = new Float32Array(2 * half);
  let sum = 0;
  for (let i = 0; i < kernel.length; i++) {
    const x = i - (half - 1) - offset;
    const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / half) + 0.08 * Math.cos((2 * Math.PI * x) / half);
    const tap = Math.abs(x) >= half ? 0 : sinc(x * cutoff) * window;
    kernel[i] = tap;
    sum += tap;
  }
  return kernel.map((tap) => tap / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
