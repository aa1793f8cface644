import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as v from "valibot";
import { pcmRate } from "./engine.ts";
import { openingOptions, startTool, whenEnded } from "./ffmpeg.ts";

/** A file that can't be decoded; `code` is the key of the text (contract/error.ts). */
export class AudioError extends Error {
  readonly code: "notAudio" | "emptyFile" | "noSound" | "truncated" | "tooLong" | "internal";
  /** With `tooLong`: the duration in the header, in seconds; undefined when that is not plausible. */
  readonly saidSeconds: number | undefined;
  constructor(code: AudioError["code"], message: string, options: ErrorOptions & { saidSeconds?: number | undefined } = {}) {
    super(message, options);
    this.name = "AudioError";
    this.code = code;
    this.saidSeconds = options.saidSeconds;
  }
}

export interface DecodeOptions {
  signal?: AbortSignal | undefined;
  /** Receives whole samples (s16le, mono, 16,000 Hz) in order; its promise is back-pressure. */
  onPcm(chunk: Buffer): void | Promise<void>;
  /** Limit in samples (16 kHz): a file that claims to be longer is not decoded, and decoding stops there in any case. */
  maxSamples?: number | undefined;
}

export interface Decoded {
  durationSeconds: number;
  /** The file ends prematurely, or could only be read in part. The readable part was passed to `onPcm`. */
  truncated: boolean;
}

/** Only this much of the end of ffmpeg's stderr is kept (characters). */
const complaintLimit = 4_000;

/** Maximum output of a probe, in characters: a file with the maximum number of streams stays far below. */
const probeLimit = 4 * 1024 * 1024;
/** Limits of CPU time and wall time, in seconds. A day of Opus takes seven minutes to decode on a small board. */
const probeLimits = { cpuSeconds: 30 };
const probeTimeout = 60;
const decodeLimits = { cpuSeconds: 1_800 };
/** Timeout between two chunks of audio, while they are awaited (seconds). */
const silenceTimeout = 120;

/**
 * What speech can be recorded at, in Hz: a telephone has 8,000, and below this words can no longer be distinguished. Higher rates
 * are only those of DSD (2,822,400). With a rate below or above these in a header, the resampled audio or the resampler's filters
 * would become huge.
 */
const lowestRate = 2_000;
const highestRate = 3_000_000;
const maxChannels = 64;

const Numeric = v.pipe(v.string(), v.transform(Number), v.finite());
const Probe = v.object({
  streams: v.optional(
    v.array(
      v.object({
        codec_type: v.optional(v.string()),
        sample_rate: v.optional(v.fallback(Numeric, 0)),
        channels: v.optional(v.number()),
        bit_rate: v.optional(v.fallback(Numeric, 0)),
        start_time: v.optional(v.fallback(Numeric, 0)),
        duration: v.optional(v.fallback(Numeric, 0)),
        tags: v.optional(v.object({ DURATION: v.optional(v.string()) })),
        disposition: v.optional(v.object({ attached_pic: v.optional(v.number()) })),
      }),
    ),
    [],
  ),
  format: v.optional(
    v.object({ start_time: v.optional(v.fallback(Numeric, 0)), duration: v.optional(v.fallback(Numeric, 0)) }),
    {},
  ),
});
type Probe = v.InferOutput<typeof Probe>;

interface Sound {
  /** The container's duration, in seconds; undefined when it is missing or unreliable. */
  expectedSeconds: number | undefined;
  /** Bit rate of the container in bits per second; 0 when unknown. */
  bitRate: number;
  /** Offset of the audio after the video, in seconds: players keep that gap, so words must too. */
  delaySeconds: number;
}

/**
 * Decodes any audio or video file to PCM with ffmpeg, as a stream: memory stays flat whatever the file's length. The file's name
 * and contents are not trusted: the name can't be read as an option, protocol or playlist, and no other file is opened.
 * @throws AudioError `emptyFile` (no bytes, or no sound in zero seconds), `notAudio`, `noSound` (a video without an audio
 * stream),
 * `truncated` (cut off so that nothing of it can be read), `tooLong` (more than `maxSamples`), `internal` (ffmpeg is not
 * installed).
 */
export async function decodeToPcm(
  source: string,
  { signal, onPcm, maxSamples = Number.POSITIVE_INFINITY }: DecodeOptions,
): Promise<Decoded> {
  const file = await stat(source);
  if (file.size === 0) throw new AudioError("emptyFile", "The file is empty.");
  // "file:" and an absolute path: nothing in the name has a meaning for ffmpeg any more.
  const input = `file:${resolve(source)}`;
  const sound = await probe(input, signal);
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
  const complaint = await decode(input, take, signal);

  const heard = samples - delay;
  if (heard === 0) throw nothingDecoded(complaint, sound);
  const durationSeconds = samples / pcmRate;
  return { durationSeconds, truncated: isTruncated(complaint, heard / pcmRate, sound) };
}

const tooLong = (saidSeconds: number | undefined) =>
  new AudioError("tooLong", "The recording is longer than it may be.", { saidSeconds });

/** The container's duration in seconds, if the file is large enough for it: a file that was cut off may still be short enough. */
function saidLength({ expectedSeconds, delaySeconds, bitRate }: Sound, bytes: number): number | undefined {
  if (expectedSeconds === undefined) return undefined;
  return bytes * 8 < bitRate * expectedSeconds * (1 - slackShare) ? undefined : expectedSeconds + delaySeconds;
}

function isSurelyLonger(saidSeconds: number | undefined, maxSamples: number): boolean {
  return saidSeconds !== undefined && (saidSeconds * (1 - slackShare) - slackSeconds) * pcmRate > maxSamples;
}

async function probe(input: string, signal: AbortSignal | undefined): Promise<Sound> {
  const show =
    "stream=codec_type,sample_rate,channels,bit_rate,start_time,duration:stream_tags=DURATION:stream_disposition=attached_pic:format=start_time,duration";
  const args = ["-hide_banner", "-loglevel", "warning", ...openingOptions, "-show_entries", show, "-of", "json", "-i", input];
  const { output, complaint } = await runProbe(args, signal);
  const parsed = v.safeParse(Probe, parseJson(output));
  if (!parsed.success || parsed.output.streams.length === 0) throw unreadable(complaint);
  const { streams } = parsed.output;
  const audio = streams.find((stream) => stream.codec_type === "audio");
  if (audio === undefined) {
    if (streams.some((stream) => stream.codec_type === "video")) throw new AudioError("noSound", "The video has no sound.");
    throw new AudioError("notAudio", "The file holds no sound.");
  }
  const { sample_rate: rate = 0, channels = 1 } = audio;
  // 0: unknown before decoding.
  if ((rate !== 0 && (rate < lowestRate || rate > highestRate)) || channels > maxChannels) {
    throw new AudioError("notAudio", `Sound with ${rate} samples a second on ${channels} channels can't be speech.`);
  }
  return soundOf(parsed.output, audio, complaint);
}

function soundOf({ streams, format }: Probe, audio: Probe["streams"][number], complaint: string): Sound {
  // Without an index ffmpeg multiplies size by bit rate: such an estimate says nothing about whether the file is truncated.
  const isGuess = complaint.includes("Estimating duration from bitrate");
  const isAlone = streams.every(
    (stream) => stream === audio || stream.disposition?.attached_pic === 1 || stream.codec_type === "data",
  );
  const expected = audio.duration ?? clockSeconds(audio.tags?.DURATION) ?? (isAlone ? format.duration : undefined);
  const delay = (audio.start_time ?? 0) - (format.start_time ?? 0);
  const ceiling = Math.min(3600, format.duration ?? 0);
  return {
    expectedSeconds: isGuess ? undefined : expected,
    bitRate: audio.bit_rate ?? 0,
    delaySeconds: isAlone ? 0 : Math.min(Math.max(delay, 0), ceiling),
  };
}

/** "00:01:02.500000000" (Matroska's DURATION tag) as seconds. */
function clockSeconds(clock: string | undefined): number | undefined {
  const [hours, minutes, seconds] = clock?.split(":").map(Number) ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  const total = hours * 3600 + minutes * 60 + seconds;
  return Number.isFinite(total) ? total : undefined;
}

async function runProbe(args: string[], signal: AbortSignal | undefined): Promise<{ output: string; complaint: string }> {
  const child = startTool("ffprobe", args, probeLimits);
  const said = { output: "", complaint: "" };
  const timeout = AbortSignal.timeout(probeTimeout * 1000);
  const stopped = AbortSignal.any(signal === undefined ? [timeout] : [signal, timeout]);
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill("SIGKILL");
  };
  stopped.addEventListener("abort", stop, { once: true });
  if (stopped.aborted) stop();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.output += text;
    if (said.output.length > probeLimit) stop();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.complaint = (said.complaint + text).slice(-complaintLimit);
  });
  const { isMissing, isKilled, isSent } = await whenEnded(child);
  stopped.removeEventListener("abort", stop);
  signal?.throwIfAborted();
  if (isMissing) throw notInstalled();
  if (isSent && !isStopped) throw killedByOthers();
  if (isKilled) throw new AudioError("notAudio", "Finding out what this file holds takes too long.");
  return { output: said.output, complaint: withoutPath(said.complaint, args.at(-1) ?? "") };
}

/** ffmpeg's messages contain the file's path, which must not be matched as an error message. */
function withoutPath(complaint: string, input: string): string {
  return complaint.replaceAll(input.replace(/^file:/, ""), "");
}

/** Runs ffmpeg to the end and returns its error messages. */
async function decode(input: string, take: (chunk: Buffer) => Promise<void>, signal: AbortSignal | undefined): Promise<string> {
  const reading = ["-nostdin", "-hide_banner", "-loglevel", "warning", ...openingOptions, "-vn", "-sn", "-dn", "-i", input];
  const shape = ["-map", "0:a:0", "-ac", "1", "-ar", String(pcmRate), "-filter_threads", "1"];
  const child = startTool("ffmpeg", [...reading, ...shape, "-f", "s16le", "-c:a", "pcm_s16le", "pipe:1"], decodeLimits);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintLimit);
  });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill("SIGKILL");
  };
  signal?.addEventListener("abort", stop, { once: true });
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
    const { isMissing, isKilled, isSent } = await ended;
    signal?.throwIfAborted();
    if (isMissing) throw notInstalled();
    if (isSent && !isStopped) throw killedByOthers();
    if (isKilled) throw new AudioError("notAudio", "Decoding this file takes too long.");
    return withoutPath(complaint, input);
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", stop);
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

/** ffmpeg's messages about truncated files. */
const cutOff =
  /truncat|partial file|moov atom not found|end of file|ended prematurely|incomplete|packet corrupt|corrupt input packet/i;

/**
 * Tolerated difference between the container's duration and the decoded one, in seconds and as a share: encoder padding and
 * rounding.
 */
const slackSeconds = 0.3;
const slackShare = 0.01;

function isTruncated(complaint: string, seconds: number, { expectedSeconds }: Sound): boolean {
  if (cutOff.test(complaint)) return true;
  return expectedSeconds !== undefined && seconds < expectedSeconds * (1 - slackShare) - slackSeconds;
}

function nothingDecoded(complaint: string, { expectedSeconds }: Sound): AudioError {
  if (cutOff.test(complaint)) return new AudioError("truncated", "The file was cut off before its sound begins.");
  if (expectedSeconds === undefined || expectedSeconds === 0) return new AudioError("emptyFile", "The file is 0 seconds long.");
  return new AudioError("notAudio", "The sound in this file can't be decoded.");
}

function unreadable(complaint: string): AudioError {
  if (cutOff.test(complaint))
    return new AudioError("truncated", "The file is cut off: the part that describes its sound is missing.");
  return new AudioError("notAudio", "This is not an audio or video file that can be read.");
}

/** That says nothing about the file: decoding it is tried again. */
function killedByOthers(): AudioError {
  return new AudioError("internal", "ffmpeg was killed from outside.");
}

function notInstalled(): AudioError {
  return new AudioError("internal", "ffmpeg could not be started. Install it: apt-get install ffmpeg");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
