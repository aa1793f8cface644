import { createMonoMixer } from "#speech/mono.ts";

/** The globals of the audio thread, which TypeScript's library lacks. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples per message: about 20 ms. */
const batch = 1024;

/**
 * Passes the microphone's samples to the page, mixed to mono. Does nothing else, because the audio thread must never be
 * late.
 */
class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #mix = createMonoMixer(sampleRate);
  readonly #left = new Float32Array(batch);
  readonly #right = new Float32Array(batch);
  #filled = 0;

  process([channels = []]: Float32Array[][]): boolean {
    const [left, right = left] = channels;
    if (left === undefined || right === undefined) return true;
    for (let i = 0; i < left.length; i++) {
      this.#left[this.#filled] = left[i] ?? 0;
      this.#right[this.#filled++] = right[i] ?? 0;
      if (this.#filled === batch) this.#give();
    }
    return true;
  }

  #give(): void {
    const mono = this.#mix(this.#left, this.#right);
    this.port.postMessage(mono, [mono.buffer]);
    this.#filled = 0;
  }
}

registerProcessor("microphone", MicrophoneProcessor);
