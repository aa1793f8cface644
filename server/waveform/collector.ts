import { fullLevel, maxPairs, type Peaks, shortestPairMs } from "#contract/index.ts";
import { pcmRate, samplesOf } from "#speech/bytes.ts";

/**
 * A sample (-32,768 to 32,767) as a level (contract/waveform.ts). Rounded away from 0, so that no sound becomes
 * silence.
 */
export function levelOf(sample: number): number {
  return Math.sign(sample) * Math.min(fullLevel, Math.ceil(fullLevel * Math.sqrt(Math.abs(sample) / 32_767)));
}

/**
 * Makes the peaks of a recording while it is decoded. Keeps two bytes per pair. When there are too many pairs, every
 * two become one of double length. Deterministic for the same samples, whatever the chunks.
 */
export class PeaksCollector {
  readonly #maxPairs: number;
  #levels = new Int8Array(2 * 4_096);
  /** Complete pairs. */
  #count = 0;
  #pairMs = shortestPairMs;
  #lowest = 0;
  #highest = 0;
  /** Samples in the incomplete pair. */
  #filled = 0;

  /** @param max maximum number of pairs; even */
  constructor(max = maxPairs) {
    this.#maxPairs = max;
  }

  /** @param pcm whole samples (s16le, mono, 16,000 Hz), any number */
  push(pcm: Buffer): void {
    const samples = samplesOf(pcm);
    for (let from = 0; from < samples.length; ) {
      const wanted = (this.#pairMs * pcmRate) / 1000 - this.#filled;
      const part = samples.subarray(from, from + wanted);
      this.#measure(part);
      from += part.length;
      this.#filled += part.length;
      if (part.length === wanted) this.#add();
    }
  }

  /** @param audioBytes size of the decoded file */
  finish(audioBytes: number): Peaks {
    if (this.#filled > 0) this.#add();
    return { pairMs: this.#pairMs, audioBytes, levels: this.#levels.slice(0, 2 * this.#count) };
  }

  #measure(samples: Int16Array): void {
    let [lowest, highest] = [this.#lowest, this.#highest];
    // A for-of loop takes twice as long.
    for (let at = 0; at < samples.length; at += 1) {
      const sample = samples[at] ?? 0;
      if (sample < lowest) lowest = sample;
      else if (sample > highest) highest = sample;
    }
    this.#lowest = lowest;
    this.#highest = highest;
  }

  #add(): void {
    if (2 * this.#count === this.#levels.length) {
      const longer = new Int8Array(2 * this.#levels.length);
      longer.set(this.#levels);
      this.#levels = longer;
    }
    this.#levels[2 * this.#count] = levelOf(this.#lowest);
    this.#levels[2 * this.#count + 1] = levelOf(this.#highest);
    this.#count += 1;
    this.#lowest = 0;
    this.#highest = 0;
    this.#filled = 0;
    if (this.#count === this.#maxPairs) this.#halve();
  }

  #halve(): void {
    const levels = this.#levels;
    for (let to = 0; to < this.#count; to += 2) {
      const from = 2 * to;
      levels[to] = Math.min(levels[from] ?? 0, levels[from + 2] ?? 0);
      levels[to + 1] = Math.max(levels[from + 1] ?? 0, levels[from + 3] ?? 0);
    }
    this.#count /= 2;
    this.#pairMs *= 2;
  }
}
