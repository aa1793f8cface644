import { floatsOf, joinBytes } from "#speech/bytes.ts";
import { type ActivityStream, sileroContext, sileroThreshold, sileroWindow, type VoiceActivity } from "#speech/voice-activity.ts";
import { discardTensors, floatTensor, inTurn, loadModel, type Model, numbersOf, tensorOf, wholeTensor } from "./runtime.ts";

const stateShape = [2, 1, 128];
const stateSize = 2 * 128;
/** A voice continues while the certainty is above this. */
const lowerThreshold = sileroThreshold - 0.15;

/**
 * The Silero voice detector in the page. It gives the same results as the server's.
 * @param file silero_vad.onnx; its memory is transferred
 * @throws RecogniserError `brokenModel`
 */
export async function openSilero(file: Uint8Array<ArrayBuffer>): Promise<VoiceActivity> {
  const model = await loadModel("The voice detector", file);
  const rate = wholeTensor(BigInt64Array.of(16_000n), []);
  const open = () => new Stream(model, rate);
  return {
    // Pads the last window with silence.
    windows: (pcm) => open().push(joinBytes([pcm, new Uint8Array(-pcm.length & (sileroWindow * 2 - 1))])),
    open: async () => open(),
    close: () => model.close(),
  };
}

class Stream implements ActivityStream {
  readonly #model: Model;
  readonly #rate: ReturnType<typeof wholeTensor>;
  readonly #hysteresis = new Hysteresis();
  /** The end of the previous window, followed by the current one. */
  readonly #input = new Float32Array(sileroContext + sileroWindow);
  #state = floatTensor(new Float32Array(stateSize), stateShape);
  #rest: Uint8Array = new Uint8Array(0);

  constructor(model: Model, rate: ReturnType<typeof wholeTensor>) {
    this.#model = model;
    this.#rate = rate;
  }

  push(pcm: Uint8Array): Promise<string> {
    return inTurn(() => this.#digitsOf(pcm));
  }

  close(): void {
    this.#rest = new Uint8Array(0);
  }

  async #digitsOf(pcm: Uint8Array): Promise<string> {
    const all = joinBytes([this.#rest, pcm]);
    const bytes = sileroWindow * 2;
    const whole = all.length - (all.length % bytes);
    this.#rest = all.slice(whole);
    let digits = "";
    for (let at = 0; at < whole; at += bytes) digits += (await this.#isVoice(all.subarray(at, at + bytes))) ? "1" : "0";
    return digits;
  }

  async #isVoice(window: Uint8Array): Promise<boolean> {
    this.#input.copyWithin(0, sileroWindow);
    this.#input.set(floatsOf(window), sileroContext);
    const input = floatTensor(this.#input, [1, this.#input.length]);
    const given = await this.#model.run({ input, state: this.#state, sr: this.#rate });
    discardTensors({ state: this.#state });
    this.#state = tensorOf(given, "stateN");
    return this.#hysteresis.take(numbersOf(tensorOf(given, "output"))[0] ?? 0);
  }
}

/**
 * Starts a voice after two certain windows, and ends it after two uncertain ones, as sherpa-onnx does (`isDetected` in
 * server/speech/silero/program.ts).
 */
class Hysteresis {
  #isSpeaking = false;
  /** Whether the previous window would have started or ended the voice. */
  #isDoubtful = false;

  take(certainty: number): boolean {
    if (!this.#isSpeaking) {
      this.#isSpeaking = this.#isDoubtful && certainty > sileroThreshold;
      this.#isDoubtful = certainty > sileroThreshold && !this.#isSpeaking;
    } else if (certainty > sileroThreshold) this.#isDoubtful = false;
    else if (certainty <= lowerThreshold) {
      this.#isSpeaking = !this.#isDoubtful;
      this.#isDoubtful = this.#isSpeaking;
    }
    return this.#isSpeaking;
  }
}
