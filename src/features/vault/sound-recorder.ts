import { createFrames, loudness } from "#src/audio/framer.ts";
import { followSamples, requestStream } from "#src/audio/microphone.ts";
import { assertCanRecord, MicrophoneError } from "#src/audio/microphone-problem.ts";
import type { Store } from "#src/browser/store.ts";

/** Length of a piece in ms. A crash can't lose more than that. */
const pieceMs = 1000;

export type SoundRecorder = Awaited<ReturnType<typeof openSoundRecorder>>;

interface SoundListener {
  /** Called with each piece in order, and with the seconds recorded so far. Together the pieces form one file. */
  onPiece(piece: Blob, seconds: number): void;
  /** Called with the same audio for a recognizer: PCM, signed 16-bit little-endian, mono, 16,000 Hz. */
  onFrame?: ((pcm: Uint8Array<ArrayBuffer>) => void) | undefined;
  onLost(): void;
}

/** Safari can only play its own recordings if they are MP4. */
function supportedType(): string {
  const mp4 = "audio/mp4";
  const others = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", mp4];
  const types = /^Apple/.test(navigator.vendor) ? [mp4, ...others] : others;
  const type = types.find((one) => MediaRecorder.isTypeSupported(one));
  if (type === undefined) throw new MicrophoneError("unsupported");
  return type;
}

/**
 * Records the microphone as a growing file. Requests the microphone itself.
 * @param level receives the level, from 0 to 1; `elapsed` the duration, in seconds
 * @throws MicrophoneError; the signal's reason when it is aborted
 */
export async function openSoundRecorder(
  { level, elapsed }: { level: Store<number>; elapsed: Store<number> },
  signal: AbortSignal,
) {
  assertCanRecord("MediaRecorder");
  const type = supportedType();
  const stream = await requestStream();
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) release();
  signal.throwIfAborted();
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 64_000 });
  const ended = Promise.withResolvers<void>();
  let began = 0;
  const seconds = () => (performance.now() - began) / 1000;
  let listener: SoundListener | undefined;
  let frames: ReturnType<typeof createFrames> | undefined;
  const give = (pcm: Uint8Array<ArrayBuffer>[] = []) => {
    for (const frame of pcm) listener?.onFrame?.(frame);
  };
  const samples = await followSamples(stream, signal, (heard) => {
    if (recorder.state !== "recording") return;
    level.set(loudness(heard));
    elapsed.set(seconds());
    give(frames?.push(heard));
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  return {
    /** The audio's content type. */
    type: type.split(";")[0] ?? type,
    start: (now: SoundListener) => {
      listener = now;
      frames = now.onFrame && createFrames(samples.sampleRate);
      recorder.addEventListener("dataavailable", ({ data }) => {
        if (data.size > 0) now.onPiece(data, seconds());
      });
      recorder.addEventListener("stop", () => ended.resolve());
      recorder.addEventListener("error", now.onLost);
      for (const track of stream.getAudioTracks()) track.addEventListener("ended", now.onLost);
      began = performance.now();
      recorder.start(pieceMs);
    },
    /** Releases the microphone after the last frame and the last piece. @returns the duration in seconds */
    stop: async () => {
      const length = seconds();
      samples.close();
      give(frames?.flush());
      level.set(0);
      if (recorder.state === "inactive") ended.resolve();
      else recorder.stop();
      await ended.promise;
      release();
      return length;
    },
  };
}
