import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pcmRate, samplesOf } from "#speech/bytes.ts";
import { createMonoMixer } from "#speech/mono.ts";
import { AudioError, checkEnd, saysCutOff, withoutPath } from "./audio-error.ts";
import { createTimeline, type Timeline } from "./clock.ts";
import { complaintOf, openingOptions, startTool, whenEnded } from "./ffmpeg.ts";
import { probe, type Sound } from "./probe.ts";
import { type Packet, readPackets, timedFormat } from "./timed-packets.ts";

export interface DecodeOptions {
  signal?: AbortSignal | undefined;
  /** Receives whole samples (s16le, mono, 16,000 Hz) in order; its promise is back-pressure. */
  onPcm(chunk: Buffer): void | Promise<void>;
  /**
   * Limit in samples (16 kHz). A file whose header claims more is not decoded; in any case, decoding stops at the
   * limit.
   */
  maxSamples?: number | undefined;
  /**
   * The number of the sound track, from 1. Default, also for a number that the file does not have: the track that a
   * player would play.
   */
  track?: number | undefined;
}

/**
 * `tracks`: all sound tracks of the file; `track`: the number of the decoded one, from 1; `type`: content type of the
 * bytes.
 */
export interface Decoded extends Pick<Sound, "tracks" | "track" | "type"> {
  durationSeconds: number;
  /** Whether sound is missing in the middle. Silence of the same length was passed to `onPcm`. */
  hasHoles: boolean;
  /** Whether the file ends prematurely, or was only partly readable. The readable part was passed to `onPcm`. */
  truncated: boolean;
}

/** Limit of CPU time, in seconds: a day of Opus takes seven minutes to decode on a small board. */
const decodeLimits = { cpuSeconds: 1_800 };
/** Longest wait for the next chunk of audio (seconds). */
const silenceTimeout = 120;

/**
 * Decodes any audio or video file to PCM with ffmpeg, as a stream: memory stays flat whatever the file's length. Second
 * 0 of the PCM is what a browser's player shows as 0:00 (clock.ts): gaps in the container's sound become silence.
 * The file's name and contents are not trusted: the name can't be read as an option, protocol or playlist, and no other
 * file is opened.
 * @throws AudioError `emptyFile` (no bytes, or no sound in zero seconds), `notAudio`, `noSound` (a video without an
 *   audio stream), `truncated` (cut off so that nothing of it can be read), `tooLong` (more than `maxSamples`),
 *   `internal` (ffmpeg is not installed).
 */
export async function decodeToPcm(
  source: string,
  { signal, onPcm, track, maxSamples = Number.POSITIVE_INFINITY }: DecodeOptions,
): Promise<Decoded> {
  const file = await stat(source);
  if (file.size === 0) throw new AudioError("emptyFile", "The file is empty.");
  // With "file:" and an absolute path, nothing in the name has a meaning for ffmpeg.
  const input = `file:${resolve(source)}`;
  const sound = await probe(input, signal, track);
  const saidSeconds = saidLength(sound, file.size);
  if (isSurelyLonger(saidSeconds, maxSamples)) throw tooLong(saidSeconds);

  let samples = 0;
  const give = async (pcm: Buffer) => {
    if (pcm.length === 0) return;
    samples += pcm.length / 2;
    if (samples > maxSamples) throw tooLong(saidSeconds);
    await onPcm(pcm);
  };
  const timeline = createTimeline(sound);
  const channels = sound.channels === 1 ? 1 : 2;
  const take = placing(timeline, channels, give);
  const complaint = await decode(input, { track: sound.track, channels }, take, signal);

  if (samples === 0) throw nothingDecoded(complaint, sound);
  const durationSeconds = samples / pcmRate;
  const truncated = saysCutOff(complaint) || (!timeline.hasRestarted() && endsEarly(durationSeconds, sound));
  const { tracks, track: number, type } = sound;
  return { durationSeconds, truncated, hasHoles: timeline.hasHoles(), tracks, track: number, type };
}

const tooLong = (saidSeconds: number | undefined) => new AudioError("tooLong", "The recording is too long.", { saidSeconds });

/** Lowest bit rate of speech (bits per second). Below it, the duration is wrong: the timestamps have restarted. */
const leastBitRate = 500;

/**
 * The container's duration in seconds; undefined when the file is too small for it: a file that was cut off may still
 * be short enough.
 */
function saidLength({ endSeconds, bitRate }: Sound, bytes: number): number | undefined {
  if (endSeconds === undefined) return undefined;
  return bytes * 8 < Math.max(bitRate, leastBitRate) * endSeconds * (1 - slackFraction) ? undefined : endSeconds;
}

function isSurelyLonger(saidSeconds: number | undefined, maxSamples: number): boolean {
  return saidSeconds !== undefined && (saidSeconds * (1 - slackFraction) - slackSeconds) * pcmRate > maxSamples;
}

/** Runs ffmpeg to the end and returns its error messages. */
async function decode(
  input: string,
  { track, channels }: Pick<Sound, "track" | "channels">,
  take: (packets: readonly Packet[]) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const quiet = ["-nostdin", "-hide_banner", "-loglevel", "warning"];
  // The timestamps stay as in the container: how ffmpeg corrects them depends on its version.
  const reading = [...openingOptions, "-copyts", "-vn", "-sn", "-dn", "-i", input];
  const shape = ["-map", `0:a:${track - 1}`, "-ac", String(channels), "-ar", String(pcmRate), "-filter_threads", "1"];
  const options = [...quiet, ...reading, ...shape, "-c:a", "pcm_s16le", ...timedFormat, "pipe:1"];
  const child = startTool("ffmpeg", options, { ...decodeLimits, signal });
  const complaint = complaintOf(child);
  const stop = () => child.kill("SIGKILL");
  const ended = whenEnded(child);
  let silence = setTimeout(stop, silenceTimeout * 1000);
  try {
    signal?.throwIfAborted();
    for await (const packets of readPackets(child.stdout)) {
      clearTimeout(silence);
      await take(packets);
      signal?.throwIfAborted();
      silence = setTimeout(stop, silenceTimeout * 1000);
    }
    const end = await ended;
    signal?.throwIfAborted();
    checkEnd(end, "Decoding this file took too long.");
    return withoutPath(complaint(), input);
  } finally {
    clearTimeout(silence);
    stop();
    await ended;
  }
}

/** Mixes packets to mono, and inserts silence where the timeline has gaps. */
function placing(timeline: Timeline, channels: 1 | 2, give: (pcm: Buffer) => Promise<void>) {
  const toMono = channels === 1 ? (pcm: Buffer) => pcm : monoOf();
  return async (packets: readonly Packet[]) => {
    // All packets at once: they are small, and an hour has about 170,000 of them.
    const mono = toMono(Buffer.concat(packets.map(({ pcm }) => pcm)));
    let from = 0;
    let waiting: Buffer[] = [];
    for (const { at, pcm } of packets) {
      const to = from + pcm.length / channels;
      const { silence, skip } = timeline.place(at, (to - from) / 2);
      if (silence > 0) {
        await give(Buffer.concat(waiting));
        waiting = [];
        for (const chunk of silenceOf(silence)) await give(chunk);
      }
      waiting.push(mono.subarray(from + skip * 2, to));
      from = to;
    }
    await give(Buffer.concat(waiting));
  };
}

/** Mixes two channels (s16le) to one. */
function monoOf(): (pcm: Buffer) => Buffer {
  const mix = createMonoMixer(pcmRate);
  return (pcm) => {
    const samples = samplesOf(pcm);
    const left = new Float32Array(samples.length / 2);
    const right = new Float32Array(samples.length / 2);
    for (let at = 0; at < left.length; at += 1) {
      left[at] = samples[2 * at] ?? 0;
      right[at] = samples[2 * at + 1] ?? 0;
    }
    // Int16Array.from is many times slower.
    return Buffer.from(new Int16Array(mix(left, right)).buffer);
  };
}

function* silenceOf(samples: number): Generator<Buffer> {
  let bytes = samples * 2;
  while (bytes > 0) {
    const size = Math.min(bytes, 64 * 1024);
    yield Buffer.alloc(size);
    bytes -= size;
  }
}

/**
 * Tolerated difference between the container's duration and the decoded one, in seconds and as a share. It covers
 * encoder padding and rounding.
 */
const slackSeconds = 0.3;
const slackFraction = 0.01;

const endsEarly = (seconds: number, { endSeconds }: Sound): boolean =>
  endSeconds !== undefined && seconds < endSeconds * (1 - slackFraction) - slackSeconds;

function nothingDecoded(complaint: string, { endSeconds }: Sound): AudioError {
  if (saysCutOff(complaint)) return new AudioError("truncated", "The file ends before its audio begins.");
  if (endSeconds === undefined || endSeconds === 0) return new AudioError("emptyFile", "The file is 0 seconds long.");
  return new AudioError("notAudio", "The audio in this file can't be decoded.");
}
