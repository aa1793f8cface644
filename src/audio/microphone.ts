import { append } from "#contract/lists.ts";
import { requestDisplaySound } from "./display-sound.ts";
import { createFrames, loudness } from "./framer.ts";
import workletUrl from "./microphone.worklet.ts?worker&url";
import { assertCanRecord, MicrophoneError, microphoneError } from "./microphone-problem.ts";

export interface MicrophoneListener {
  /** PCM, signed 16-bit little-endian, mono, 16,000 Hz: 80 ms, the last one shorter. */
  onFrame(pcm: Uint8Array<ArrayBuffer>): void;
  /**
   * Called about fifty times a second, with a level from 0 to 1.
   * @param displayLevel level of the shared sound alone; undefined when nothing is shared
   */
  onLevel(level: number, displayLevel?: number): void;
  /** Called when the microphone was unplugged or revoked by the browser, or when sharing has ended. */
  onLost(what: "microphone" | "display"): void;
}

export interface Microphone {
  /** Starts with the audio captured since the opening. */
  listen(listener: MicrophoneListener): void;
  /** The captured track, for other recognizers. */
  readonly track?: MediaStreamTrack | undefined;
  /** Releases the microphone. The listener gets the last frame before this returns. */
  close(): void;
}

/** The audio source. "display" is the shared sound of a tab or of the computer. */
export type SoundSource = "microphone" | "display" | "both";

interface Streams {
  microphone?: MediaStream | undefined;
  display?: MediaStream | undefined;
}

/**
 * Opens the source and captures at once. Audio is buffered until there is a listener.
 * @param deviceId the preferred microphone; the browser's default if it is not connected
 * @param source "both" mixes the two; nothing is played
 * @throws MicrophoneError, DisplayError; the signal's reason when it is aborted
 */
export async function openMicrophone(
  signal: AbortSignal,
  deviceId?: string,
  source: SoundSource = "microphone",
): Promise<Microphone> {
  assertCanRecord("AudioWorkletNode");
  const streams = await requestStreams(source, deviceId);
  const context = new AudioContext({ latencyHint: "interactive" });
  const release = () => {
    stopAll(streams);
    context.close().catch(() => {});
  };
  try {
    signal.throwIfAborted();
    const inputs = [streams.microphone, streams.display].flatMap((stream) => (stream === undefined ? [] : [stream]));
    const node = await capture(context, inputs, signal);
    const displayLevel = streams.display && meterOf(context, streams.display);
    await context.resume();
    signal.throwIfAborted();
    return new OpenMicrophone(streams, { context, node, displayLevel }, release);
  } catch (error) {
    release();
    throw signal.aborted || error instanceof MicrophoneError ? error : new MicrophoneError("unsupported");
  }
}

/** Captures the mixed samples of these streams: about fifty messages a second, independent of the page's rendering. */
async function capture(context: AudioContext, streams: readonly MediaStream[], signal: AbortSignal): Promise<AudioWorkletNode> {
  await context.audioWorklet.addModule(workletUrl);
  signal.throwIfAborted();
  // The browser converts mono or surround sound to two channels.
  const channels = { channelCount: 2, channelCountMode: "explicit" } as const;
  const node = new AudioWorkletNode(context, "microphone", { numberOfInputs: 1, numberOfOutputs: 0, ...channels });
  for (const stream of streams) context.createMediaStreamSource(stream).connect(node);
  return node;
}

/**
 * Reads the samples of a stream that other code records, about fifty times a second.
 * @param onSamples mono, from -1 to 1, at the rate of `sampleRate`
 * @throws MicrophoneError; the signal's reason when it is aborted
 */
export async function followSamples(stream: MediaStream, signal: AbortSignal, onSamples: (samples: Float32Array) => void) {
  const context = new AudioContext({ latencyHint: "interactive" });
  const close = () => void context.close().catch(() => {});
  try {
    const node = await capture(context, [stream], signal);
    node.port.onmessage = ({ data }) => {
      if (data instanceof Float32Array) onSamples(data);
    };
    return { sampleRate: context.sampleRate, close };
  } catch {
    close();
    signal.throwIfAborted();
    throw new MicrophoneError("unsupported");
  }
}

const stopAll = ({ microphone, display }: Streams) => {
  for (const stream of [microphone, display]) for (const track of stream?.getTracks() ?? []) track.stop();
};

/**
 * Requests the shared sound first, because browsers allow that only shortly after a press, and the microphone's prompt
 * may take longer.
 */
async function requestStreams(source: SoundSource, deviceId: string | undefined): Promise<Streams> {
  const display = source === "microphone" ? undefined : await requestDisplaySound();
  if (source === "display") return { display };
  try {
    return { display, microphone: await requestStream(deviceId, source === "both") };
  } catch (error) {
    stopAll({ display });
    throw error;
  }
}

/** @returns a function for the current level of one stream, from 0 to 1 */
function meterOf(context: AudioContext, stream: MediaStream): () => number {
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return () => {
    analyser.getFloatTimeDomainData(samples);
    return loudness(samples);
  };
}

/**
 * Requests the microphone.
 * @param isBesideOthers whether loudspeakers may play the shared sound, which would then be recorded twice without
 *   echo cancellation
 * @throws MicrophoneError
 */
export async function requestStream(deviceId?: string, isBesideOthers = false): Promise<MediaStream> {
  const wish = deviceId === undefined ? {} : { deviceId: { ideal: deviceId } };
  try {
    // Voice processing is made for calls and harms recognition: echo cancellation and noise suppression caused wrong
    // words.
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: isBesideOthers, noiseSuppression: false, autoGainControl: true, ...wish },
    });
  } catch (error) {
    throw microphoneError(error);
  }
}

interface Graph {
  context: AudioContext;
  node: AudioWorkletNode;
  displayLevel: (() => number) | undefined;
}

class OpenMicrophone implements Microphone {
  readonly track: MediaStreamTrack | undefined;
  readonly #release: () => void;
  readonly #stop = new AbortController();
  readonly #frames;
  #early: Uint8Array<ArrayBuffer>[] = [];
  #listener: MicrophoneListener | undefined;
  readonly #displayLevel: (() => number) | undefined;
  #lost: "microphone" | "display" | undefined;

  constructor({ microphone, display }: Streams, { context, node, displayLevel }: Graph, release: () => void) {
    this.#release = release;
    this.#displayLevel = displayLevel;
    this.#frames = createFrames(context.sampleRate);
    const { signal } = this.#stop;
    node.port.onmessage = ({ data }) => {
      if (data instanceof Float32Array) this.#onSamples(data);
    };
    const [displayTrack] = display?.getAudioTracks() ?? [];
    displayTrack?.addEventListener("ended", () => this.#lose("display"), { signal });
    // Sharing may have ended while the page was asking for the microphone.
    if (displayTrack?.readyState === "ended") this.#lose("display");
    const [track] = microphone?.getAudioTracks() ?? [];
    this.track = track;
    track?.addEventListener("ended", () => this.#lose("microphone"), { signal });
    // Some browsers end the track late or never when the device is removed.
    if (track) navigator.mediaDevices.addEventListener("devicechange", () => void this.#check(track), { signal });
    // A phone call interrupts the context, and Safari does not resume it by itself.
    context.addEventListener("statechange", () => void (signal.aborted || context.resume().catch(() => {})), { signal });
  }

  listen(listener: MicrophoneListener): void {
    this.#listener = listener;
    for (const pcm of this.#early) listener.onFrame(pcm);
    this.#early = [];
    if (this.#lost) listener.onLost(this.#lost);
  }

  close(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#give(this.#frames.flush());
    this.#listener?.onLevel(0);
    this.#release();
  }

  #onSamples(samples: Float32Array): void {
    if (this.#stop.signal.aborted) return;
    this.#listener?.onLevel(loudness(samples), this.#displayLevel?.());
    this.#give(this.#frames.push(samples));
  }

  #give(frames: Uint8Array<ArrayBuffer>[]): void {
    if (this.#listener === undefined) append(this.#early, frames);
    else for (const pcm of frames) this.#listener.onFrame(pcm);
  }

  async #check(track: MediaStreamTrack): Promise<void> {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const { deviceId } = track.getSettings();
    const isThere = devices.some((device) => device.kind === "audioinput" && device.deviceId === deviceId);
    if (track.readyState === "ended" || !isThere) this.#lose("microphone");
  }

  #lose(what: "microphone" | "display"): void {
    if (this.#lost || this.#stop.signal.aborted) return;
    this.#lost = what;
    this.#listener?.onLost(what);
  }
}
