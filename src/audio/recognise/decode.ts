import {
  ADTS,
  type AudioSample,
  AudioSampleSink,
  BlobSource,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
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
import { type Stereo, stereoOf } from "#src/audio/stereo.ts";
import { defaultTrackOf } from "./default-track.ts";
import { RecogniserError } from "./failure.ts";
import { stretchesOf } from "./holes.ts";
import { createTimeline } from "./timeline.ts";

/** Only formats that are a single file. A playlist would make the browser fetch the addresses in it. */
const formats = [WEBM, MATROSKA, MP4, QTFF, MP3, OGG, ADTS, FLAC, WAVE, MPEG_TS];
/** A file with a later first timestamp is a piece of a broadcast (seconds). */
const latestStart = 3_600;

export interface Decoded {
  /** Signed 16-bit little-endian, mono, 16,000 Hz. One second, or the rest. */
  pcm: Uint8Array;
  /** The decoded part of the recording, from 0 to 1. */
  fraction: number;
}

/**
 * Decodes a recording step by step, as fast as the caller reads. Second 0 is the player's 0:00. Audio that begins later
 * is preceded by silence, and gaps become silence.
 * @throws RecogniserError `cantDecode`
 */
export async function* decodeSound(sound: Blob): AsyncGenerator<Decoded> {
  const input = new Input({ source: new BlobSource(sound), formats });
  try {
    const track = await defaultTrackOf(input);
    const zero = await zeroOf(input);
    // Browsers write recordings without a duration, so this computes it from the last packet.
    const bytes = Math.max(0, (await track.computeDuration()) - zero) * pcmRate * 2;
    const [timeline, framer] = [createTimeline(pcmRate), createFramer(pcmRate)];
    let done = 0;
    const decoded = (pcm: Uint8Array) => {
      done += pcm.length;
      return { pcm, fraction: done < bytes ? done / bytes : 1 };
    };
    for await (const sample of samplesOf(track)) {
      const stereo = takeStereo(sample);
      for (const mono of timeline.push(sample.timestamp - zero, stereo)) for (const pcm of framer.push(mono)) yield decoded(pcm);
    }
    for (const pcm of framer.push(timeline.flush())) yield decoded(pcm);
    const rest = framer.flush();
    if (rest !== undefined) yield { pcm: rest, fraction: 1 };
  } catch (cause) {
    throw new RecogniserError("cantDecode", "This browser can't decode the recording.", { cause });
  } finally {
    input.dispose();
  }
}

/**
 * The timestamp of second 0 (seconds). Chromium shows timestamps as they are. A broadcast may begin at any hour; then a
 * player begins with the first timestamp.
 */
async function zeroOf(input: Input): Promise<number> {
  const earliest = await input.getFirstTimestamp();
  return (await input.getFormat()) === MPEG_TS || earliest > latestStart ? earliest : 0;
}

/** All samples, with the times of their packets. */
async function* samplesOf(track: InputAudioTrack): AsyncGenerator<AudioSample> {
  const sink = new AudioSampleSink(track);
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true });
  for await (const { start, end } of stretchesOf(packets)) yield* sink.samples(start, end);
}

function takeStereo(sample: AudioSample): Stereo {
  try {
    const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const channel = new Float32Array(sample.numberOfFrames);
      sample.copyTo(channel, { planeIndex, format: "f32-planar" });
      return channel;
    });
    return { rate: sample.sampleRate, ...stereoOf(channels) };
  } finally {
    sample.close();
  }
}
