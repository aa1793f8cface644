import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pcmRate } from "#speech/bytes.ts";
import { AudioError, checkEnd, saysCutOff, withoutPath } from "./audio-error.ts";
import { complaintOf, openingOptions, startTool, whenEnded } from "./ffmpeg.ts";
import { probe, type Sound } from "./probe.ts";

export interface DecodeOptions {
  signal?: AbortSignal | undefined;
  /** Receives whole samples (s16le, mono, 16,000 Hz) in order; its promise is back-pressure. */
  onPcm(chunk: Buffer): void | Promise<void>;
  /** Limit in samples (16 kHz): a file that claims to be longer is not decoded, and decoding stops there in any case. */
  maxSamples?: number | undefined;
  /** The number of the sound track, from 1. Default, also for one that the file does not have: the track that a player would play. */
  track?: number | undefined;
}

/** `tracks`: all sound tracks of the file; `track`: the number of the decoded one, from 1. */
export interface Decoded extends Pick<Sound, "tracks" | "track"> {
  durationSeconds: number;
  /** The file ends prematurely, or could only be read in part. The readable part was passed to `onPcm`. */
  truncated: boolean;
}

/** Limit of CPU time, in seconds: a day of Opus takes seven minutes to decode on a small board. */
const decodeLimits = { cpuSeconds: 1_800 };
/** Timeout between two chunks of audio, while they are awaited (seconds). */
const silenceTimeout = 120;

/**
 * Decodes any audio or video file to PCM with ffmpeg, as a stream: memory stays flat whatever the file's length. The file's name
 * and contents are not trusted: the name can't be read as an option, protocol or playlist, and no other file is opened.
 * @throws AudioError `emptyFile` (no bytes, or no sound in zero seconds), `notAudio`, `noSound` (a video without an audio
 * stream), `truncated` (cut off so that nothing of it can be read), `tooLong` (more than `maxSamples`), `internal` (ffmpeg is
 * not installed).
 */
export async function decodeToPcm(
  source: string,
  { signal, onPcm, track, maxSamples = Number.POSITIVE_INFINITY }: DecodeOptions,
): Promise<Decoded> {
  const file = await stat(source);
  if (file.size === 0) throw new AudioError("emptyFile", "The file is empty.");
  // "file:" and an absolute path: nothing in the name has a meaning for ffmpeg any more.
  const input = `file:${resolve(source)}`;
  const sound = await probe(input, signal, track);
  const saidSeconds = saidLength(sound, file.size);
  if (isSurelyLonger(saidSeconds, maxSamples)) throw tooLong(saidSeconds);

  let samples = 0;
  const take = async (chunk: Buffer) => {
    samples += chunk.length / 2;
    if (samples > maxSamples) throw tooLong(saidSeconds);
    await onPcm(chunk);
  };
  for (const silence of silenceOf(sound.delaySeconds)) await take(silence);
  const delay = samples;
  const complaint = await decode(input, sound.track, take, signal);

  const decoded = samples - delay;
  if (decoded === 0) throw nothingDecoded(complaint, sound);
  const durationSeconds = samples / pcmRate;
  const truncated = isTruncated(complaint, decoded / pcmRate, sound);
  return { durationSeconds, truncated, tracks: sound.tracks, track: sound.track };
}

const tooLong = (saidSeconds: number | undefined) =>
  new AudioError("tooLong", "The recording is longer than it may be.", { saidSeconds });

/** The container's duration in seconds, if the file is large enough for it: a file that was cut off may still be short enough. */
function saidLength({ expectedSeconds, delaySeconds, bitRate }: Sound, bytes: number): number | undefined {
  if (expectedSeconds === undefined) return undefined;
  return bytes * 8 < bitRate * expectedSeconds * (1 - slackFraction) ? undefined : expectedSeconds + delaySeconds;
}

function isSurelyLonger(saidSeconds: number | undefined, maxSamples: number): boolean {
  return saidSeconds !== undefined && (saidSeconds * (1 - slackFraction) - slackSeconds) * pcmRate > maxSamples;
}

/** Runs ffmpeg to the end and returns its error messages. */
async function decode(
  input: string,
  track: number,
  take: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const reading = ["-nostdin", "-hide_banner", "-loglevel", "warning", ...openingOptions, "-vn", "-sn", "-dn", "-i", input];
  const shape = ["-map", `0:a:${track - 1}`, "-ac", "1", "-ar", String(pcmRate), "-filter_threads", "1"];
  const options = [...reading, ...shape, "-f", "s16le", "-c:a", "pcm_s16le", "pipe:1"];
  const child = startTool("ffmpeg", options, { ...decodeLimits, signal });
  const complaint = complaintOf(child);
  const stop = () => child.kill("SIGKILL");
  const ended = whenEnded(child);
  let silence = setTimeout(stop, silenceTimeout * 1000);
  try {
    signal?.throwIfAborted();
    for await (const chunk of wholeSamples(child.stdout)) {
      clearTimeout(silence);
      await take(chunk);
      signal?.throwIfAborted();
      silence = setTimeout(stop, silenceTimeout * 1000);
    }
    const end = await ended;
    signal?.throwIfAborted();
    checkEnd(end, "Decoding this file takes too long.");
    return withoutPath(complaint(), input);
  } finally {
    clearTimeout(silence);
    stop();
    await ended;
  }
}

/** A pipe may split a sample: the odd byte waits for the next chunk. */
async function* wholeSamples(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const even = bytes.length - (bytes.length % 2);
    rest = Buffer.from(bytes.subarray(even));
    if (even > 0) yield bytes.subarray(0, even);
  }
}

function* silenceOf(seconds: number): Generator<Buffer> {
  let bytes = Math.round(seconds * pcmRate) * 2;
  while (bytes > 0) {
    const size = Math.min(bytes, 64 * 1024);
    yield Buffer.alloc(size);
    bytes -= size;
  }
}

/**
 * Tolerated difference between the container's duration and the decoded one, in seconds and as a share: encoder padding and
 * rounding.
 */
const slackSeconds = 0.3;
const slackFraction = 0.01;

function isTruncated(complaint: string, seconds: number, { expectedSeconds }: Sound): boolean {
  if (saysCutOff(complaint)) return true;
  return expectedSeconds !== undefined && seconds < expectedSeconds * (1 - slackFraction) - slackSeconds;
}

function nothingDecoded(complaint: string, { expectedSeconds }: Sound): AudioError {
  if (saysCutOff(complaint)) return new AudioError("truncated", "The file was cut off before its sound begins.");
  if (expectedSeconds === undefined || expectedSeconds === 0) return new AudioError("emptyFile", "The file is 0 seconds long.");
  return new AudioError("notAudio", "The sound in this file can't be decoded.");
}
