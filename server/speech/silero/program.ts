// A separate process that holds the Silero detector, for any number of streams. Argument: the probability (0 to 1) from
// which a window counts as a voice. The answer has one digit for each whole window: 1 where somebody speaks.

import { fileURLToPath } from "node:url";
import sherpa from "sherpa-onnx-node";
import { collectGarbage } from "#server/threads/gc-hint.ts";
import { floatsOf, joinBytes } from "#speech/bytes.ts";
import { sileroContext, sileroThreshold, sileroWindow } from "#speech/voice-activity.ts";
import { serve } from "../process/serve.ts";

const model = fileURLToPath(new URL("./silero_vad.onnx", import.meta.url));
/**
 * Utterances are found elsewhere, so nothing is joined or cut here. (0 would mean the defaults, a quarter and half of a
 * second.)
 */
const config = {
  sileroVad: {
    model,
    threshold: sileroThreshold,
    minSpeechDuration: 0.001,
    minSilenceDuration: 0.001,
    windowSize: sileroWindow,
    maxSpeechDuration: 60,
  },
  sampleRate: 16_000,
  numThreads: 1,
  debug: 0,
};

class Detector {
  readonly #vad = new sherpa.Vad(config, 61);
  #rest = new Uint8Array(0);

  constructor() {
    this.#vad.acceptWaveform(new Float32Array(sileroContext));
  }

  /** Restores the initial state. */
  reset(): void {
    this.#rest = new Uint8Array(0);
    this.#vad.reset();
    this.#vad.acceptWaveform(new Float32Array(sileroContext));
  }

  /** One digit for each window that is now complete. */
  push(pcm: Uint8Array): string {
    const all = this.#rest.length === 0 ? pcm : joinBytes([this.#rest, pcm]);
    const bytes = sileroWindow * 2;
    let digits = "";
    let at = 0;
    for (; at + bytes <= all.length; at += bytes) {
      this.#vad.acceptWaveform(floatsOf(all.subarray(at, at + bytes)));
      while (!this.#vad.isEmpty()) this.#vad.pop();
      digits += this.#vad.isDetected() ? "1" : "0";
    }
    this.#rest = new Uint8Array(all.subarray(at));
    return digits;
  }
}

/** Detectors kept for the next streams: each takes 90 ms to create, and 15 MB. */
const spare: Detector[] = [];
const spareDetectors = 4;
const take = (): Detector => spare.pop() ?? new Detector();
function giveBack(detector: Detector): void {
  if (spare.length < spareDetectors) {
    detector.reset();
    spare.push(detector);
  } else {
    // V8 does not count the detector's native memory, so the collection is requested.
    setImmediate(collectGarbage);
  }
}

const streams = new Map<number, Detector>();
serve({
  // Silence completes the last window.
  transcribe: (pcm) => {
    const detector = take();
    try {
      return detector.push(joinBytes([pcm, new Uint8Array(-pcm.length & (sileroWindow * 2 - 1))]));
    } finally {
      giveBack(detector);
    }
  },
  begin: (id) => {
    streams.set(id, take());
  },
  feed: (id, pcm) => {
    const detector = streams.get(id);
    if (detector === undefined) throw new Error("This stream has not started.");
    return detector.push(pcm);
  },
  discard: (id) => {
    const detector = streams.get(id);
    streams.delete(id);
    if (detector !== undefined) giveBack(detector);
  },
});
