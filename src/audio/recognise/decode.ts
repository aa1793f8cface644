import {
  ADTS,
  type AudioSample,
  AudioSampleSink,
  BlobSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from "mediabunny";
import { pcmRate } from "#speech/bytes.ts";
import { createFramer } from "#src/audio/framer.ts";
import { createResampler, type Resampler } from "#src/audio/resample.ts";
import { RecogniserError } from "./failure.ts";

/** All that are one file: a playlist would make the browser fetch what it names. */
const formats = [WEBM, MATROSKA, MP4, QTFF, MP3, OGG, ADTS, FLAC, WAVE, MPEG_TS];

export interface Decoded {
  /** Signed 16-bit little-endian, mono, 16,000 Hz; a second of it, or what is left. */
  pcm: Uint8Array;
  /** How much of the recording has been decoded, from 0 to 1. */
  fraction: number;
}

/**
 * Decodes a recording little by little, as fast as what is decoded is taken.
 * @throws RecogniserError `cantDecode`
 */
export async function* decodeSound(sound: Blob): AsyncGenerator<Decoded> {
  const input = new Input({ source: new BlobSource(sound), formats });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null || !(await track.canDecode())) throw new Error("There is no sound that this browser can decode.");
    // Browsers write recordings without their length: it is that of the last packet.
    const seconds = await track.computeDuration();
    const framer = createFramer(pcmRate);
    let resampler: Resampler | undefined;
    for await (const sample of new AudioSampleSink(track).samples()) {
      const fraction = seconds > 0 ? Math.min(1, Math.max(0, (sample.timestamp + sample.duration) / seconds)) : 0;
      resampler ??= createResampler(sample.sampleRate, pcmRate);
      for (const pcm of framer.push(resampler.push(monoOf(sample)))) yield { pcm, fraction };
    }
    for (const pcm of framer.push(resampler?.flush() ?? new Float32Array(0))) yield { pcm, fraction: 1 };
    const pcm = framer.flush();
    if (pcm !== undefined) yield { pcm, fraction: 1 };
  } catch (cause) {
    throw new RecogniserError("cantDecode", "This browser can't decode the recording.", { cause });
  } finally {
    input.dispose();
  }
}

/** The mean of all channels. */
function monoOf(sample: AudioSample): Float32Array {
  try {
    const mono = new Float32Array(sample.numberOfFrames);
    const channel = new Float32Array(sample.numberOfFrames);
    for (let plane = 0; plane < sample.numberOfChannels; plane += 1) {
      sample.copyTo(channel, { planeIndex: plane, format: "f32-planar" });
      for (let at = 0; at < mono.length; at += 1) mono[at] = (mono[at] ?? 0) + (channel[at] ?? 0) / sample.numberOfChannels;
    }
    return mono;
  } finally {
    sample.close();
  }
}
