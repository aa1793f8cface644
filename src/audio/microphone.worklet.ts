/** The globals of the audio thread, which TypeScript's library lacks. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples per message: about 20 ms. */
const batch = 1024;

/** Passes the microphone's samples to the page, mixed to mono. It does nothing else: the audio thread must never be late. */
class MicrophoneProcessor extends AudioWorkletProcessor {
  #samples = new Float32Array(batch);
  #filled = 0;

  process([channels = []]: Float32Array[][]): boolean {
    const length = channels[0]?.length ?? 0;
    for (let i = 0; i < length; i++) {
      let sum = 0;
      for (const channel of channels) sum += channel[i] ?? 0;
      this.#samples[this.#filled++] = sum / channels.length;
      if (this.#filled === batch) this.#give();
    }
    return true;
  }

  #give(): void {
    const { buffer } = this.#samples;
    this.port.postMessage(this.#samples, [buffer]);
    this.#samples = new Float32Array(batch);
    this.#filled = 0;
  }
}

registerProcessor("microphone", MicrophoneProcessor);
