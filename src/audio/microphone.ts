import { sampleRate } from "#contract/index.ts";
import { createFramer, loudness } from "./framer.ts";
import workletUrl from "./microphone.worklet.ts?worker&url";
import { assertCanRecord, MicrophoneError, microphoneError } from "./microphone-problem.ts";
import { createResampler } from "./resample.ts";

export interface MicrophoneListener {
  /** PCM, signed 16-bit little-endian, mono, 16,000 Hz: 80 ms, the last one shorter. */
  onFrame(pcm: Uint8Array<ArrayBuffer>): void;
  /** From 0 to 1, about fifty times a second. */
  onLevel(level: number): void;
  /** It was unplugged, or revoked by the browser. */
  onLost(): void;
}

export interface Microphone {
  /** Starts with the audio captured since it was opened. */
  listen(listener: MicrophoneListener): void;
  /** What it captures, for others that hear it, too. */
  readonly track?: MediaStreamTrack | undefined;
  /** Releases the microphone; the listener gets the last frame before this returns. */
  close(): void;
}

/**
 * Opens the microphone and captures at once: audio is buffered until there is a listener.
 * @param deviceId which one, if it is there; else the browser's default
 * @throws MicrophoneError; the signal's reason when it is aborted
 */
export async function openMicrophone(signal: AbortSignal, deviceId?: string): Promise<Microphone> {
  assertCanRecord("AudioWorkletNode");
  const stream = await requestStream(deviceId);
  const context = new AudioContext({ latencyHint: "interactive" });
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
    context.close().catch(() => {});
  };
  try {
    signal.throwIfAborted();
    await context.audioWorklet.addModule(workletUrl);
    signal.throwIfAborted();
    const source = context.createMediaStreamSource(stream);
    const node = new AudioWorkletNode(context, "microphone", { numberOfInputs: 1, numberOfOutputs: 0 });
    source.connect(node);
    await context.resume();
    signal.throwIfAborted();
    return new OpenMicrophone(stream, context, node, release);
  } catch (error) {
    release();
    throw signal.aborted || error instanceof MicrophoneError ? error : new MicrophoneError("unsupported");
  }
}

async function requestStream(deviceId: string | undefined): Promise<MediaStream> {
  const wish = deviceId === undefined ? {} : { deviceId: { ideal: deviceId } };
  try {
    // Voice processing made for calls harms recognition: with echo cancellation and noise suppression, words were misrecognised.
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true, ...wish },
    });
  } catch (error) {
    throw microphoneError(error);
  }
}

class OpenMicrophone implements Microphone {
  readonly track: MediaStreamTrack | undefined;
  readonly #release: () => void;
  readonly #stop = new AbortController();
  readonly #framer = createFramer();
  readonly #resampler;
  #early: Uint8Array<ArrayBuffer>[] = [];
  #listener: MicrophoneListener | undefined;
  #lost = false;

  constructor(stream: MediaStream, context: AudioContext, node: AudioWorkletNode, release: () => void) {
    this.#release = release;
    this.#resampler = createResampler(context.sampleRate, sampleRate);
    const { signal } = this.#stop;
    node.port.onmessage = ({ data }) => {
      if (data instanceof Float32Array) this.#take(data);
    };
    const [track] = stream.getAudioTracks();
    this.track = track;
    track?.addEventListener("ended", () => this.#lose(), { signal });
    // Some browsers end the track late or never when the device is removed.
    navigator.mediaDevices.addEventListener("devicechange", () => void this.#check(track), { signal });
    // A phone call interrupts it; Safari then has to be resumed.
    context.addEventListener("statechange", () => void (signal.aborted || context.resume().catch(() => {})), { signal });
  }

  listen(listener: MicrophoneListener): void {
    this.#listener = listener;
    for (const pcm of this.#early) listener.onFrame(pcm);
    this.#early = [];
    if (this.#lost) listener.onLost();
  }

  close(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#give(this.#framer.push(this.#resampler.flush()));
    const rest = this.#framer.flush();
    if (rest) this.#give([rest]);
    this.#listener?.onLevel(0);
    this.#release();
  }

  #take(samples: Float32Array): void {
    if (this.#stop.signal.aborted) return;
    this.#listener?.onLevel(loudness(samples));
    this.#give(this.#framer.push(this.#resampler.push(samples)));
  }

  #give(frames: Uint8Array<ArrayBuffer>[]): void {
    if (this.#listener === undefined) this.#early.push(...frames);
    else for (const pcm of frames) this.#listener.onFrame(pcm);
  }

  async #check(track: MediaStreamTrack | undefined): Promise<void> {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const { deviceId } = track?.getSettings() ?? {};
    const isThere = devices.some((device) => device.kind === "audioinput" && device.deviceId === deviceId);
    if (track?.readyState === "ended" || !isThere) this.#lose();
  }

  #lose(): void {
    if (this.#lost || this.#stop.signal.aborted) return;
    this.#lost = true;
    this.#listener?.onLost();
  }
}
