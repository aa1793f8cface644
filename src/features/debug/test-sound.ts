import { frameSamples, sampleRate } from "#contract/index.ts";
import { createMonoMixer } from "#speech/mono.ts";
import { createFramer } from "#src/audio/framer.ts";
import { stereoOf } from "#src/audio/stereo.ts";
import { wavHeader } from "#src/audio/wav.ts";

/** The built-in test recording. */
export const fixturePath = "/demo/jfk.mp3";

/** The file has no audio that this browser can decode. */
export class NotAudioError extends Error {
  readonly code = "notAudio";
}

/**
 * Decodes a recording.
 * @param file undefined: the fixture
 * @returns mono samples from -1 to 1 at 16,000 Hz
 * @throws NotAudioError
 */
export async function loadSound(file: File | undefined, signal: AbortSignal): Promise<Float32Array<ArrayBuffer>> {
  const bytes = await (file === undefined ? (await fetch(fixturePath, { signal })).arrayBuffer() : file.arrayBuffer());
  signal.throwIfAborted();
  try {
    // The decoded audio takes the sample rate of the context.
    const decoded = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(bytes);
    return mixed(decoded);
  } catch (cause) {
    throw new NotAudioError("The browser can't decode it.", { cause });
  }
}

function mixed(sound: AudioBuffer): Float32Array<ArrayBuffer> {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) => sound.getChannelData(channel));
  const { left, right } = stereoOf(channels);
  return createMonoMixer(sound.sampleRate)(left, right);
}

/**
 * Splits the audio into frames as in live speech.
 * @param samples per frame; default: as in dictation
 */
export function framesOf(sound: Float32Array<ArrayBuffer>, samples = frameSamples): Uint8Array<ArrayBuffer>[] {
  const framer = createFramer(samples);
  const frames = framer.push(sound);
  const rest = framer.flush();
  return rest === undefined ? frames : [...frames, rest];
}

/** A part of the sound as a WAV file. */
export function wavOf(sound: Float32Array<ArrayBuffer>, name: string): File {
  const [pcm = new Uint8Array(0)] = framesOf(sound, Math.max(1, sound.length));
  return new File([wavHeader(pcm.length / 2).buffer, pcm], name, { type: "audio/wav" });
}
