import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as v from "valibot";
import { pcmRate } from "./engine.ts";

/** A file that can't be listened to; `code` names the sentence (contract/error.ts). */
export class AudioError extends Error {
  readonly code: "notAudio" | "emptyFile" | "noSound" | "truncated" | "internal";
  constructor(code: AudioError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AudioError";
    this.code = code;
  }
}

export interface DecodeOptions {
  signal?: AbortSignal | undefined;
  /** Takes whole samples (s16le, mono, 16,000 Hz) in order; decoding waits for what it returns. */
  onPcm(chunk: Buffer): void | Promise<void>;
}

export interface Decoded {
  durationSeconds: number;
  /** The file ends before its own header says, or could only be read in part. What could be read was given to `onPcm`. */
  truncated: boolean;
}

/**
 * Containers that hold their own sound. Playlists and scripts of ffmpeg (hls, dash, concat, sdp, ...) are left out because they make it
 * open other files, raw formats without a header because anything at all would be "decoded" to noise.
 */
const containers =
  "wav,w64,aiff,caf,au,mp3,aac,ac3,eac3,flac,ogg,matroska,webm,mov,mp4,avi,asf,amr,flv,mpegts,mpeg,wv,ape,tta,aax,dsf,voc,loas,mxf,rm";

/** Of what ffmpeg writes to stderr, only this much of its end is kept (characters). */
const complaintLimit = 4_000;

const openingOptions = ["-protocol_whitelist", "file,pipe", "-format_whitelist", containers];

const Seconds = v.pipe(v.string(), v.transform(Number), v.finite());
const Probe = v.object({
  streams: v.optional(
    v.array(
      v.object({
        codec_type: v.optional(v.string()),
        start_time: v.optional(v.fallback(Seconds, 0)),
        duration: v.optional(v.fallback(Seconds, 0)),
        tags: v.optional(v.object({ DURATION: v.optional(v.string()) })),
        disposition: v.optional(v.object({ attached_pic: v.optional(v.number()) })),
      }),
    ),
    [],
  ),
  format: v.optional(
    v.object({ start_time: v.optional(v.fallback(Seconds, 0)), duration: v.optional(v.fallback(Seconds, 0)) }),
    {},
  ),
});
type Probe = v.InferOutput<typeof Probe>;

interface Sound {
  /** What the container says, in seconds; undefined when it says nothing dependable. */
  expectedSeconds: number | undefined;
  /** How much later than the picture the sound starts, in seconds: players keep that gap, so words must too. */
  delaySeconds: number;
}

/**
 * Decodes any audio or video file to PCM with ffmpeg, as a stream: memory stays flat whatever the file's length. The file's name and
 * contents are not trusted: the name can't be read as an option, protocol or playlist, and no other file is opened.
 * @throws AudioError `emptyFile` (no bytes, or no sound in zero seconds), `notAudio`, `noSound` (a video without an audio stream),
 *   `truncated` (cut off so that nothing of it can be read), `internal` (ffmpeg is not installed).
 */
export async function decodeToPcm(source: string, { signal, onPcm }: DecodeOptions): Promise<Decoded> {
  const file = await stat(source);
  if (file.size === 0) throw new AudioError("emptyFile", "The file is empty.");
  // "file:" and an absolute path: nothing in the name has a meaning for ffmpeg any more.
  const input = `file:${resolve(source)}`;
  const sound = await probe(input, signal);

  let samples = 0;
  const take = async (chunk: Buffer) => {
    samples += chunk.length / 2;
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

async function probe(input: string, signal: AbortSignal | undefined): Promise<Sound> {
  const show =
    "stream=codec_type,start_time,duration:stream_tags=DURATION:stream_disposition=attached_pic:format=start_time,duration";
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
  return soundOf(parsed.output, audio, complaint);
}

function soundOf({ streams, format }: Probe, audio: Probe["streams"][number], complaint: string): Sound {
  // Without an index ffmpeg multiplies size by bit rate: no promise that the file could have broken.
  const isGuess = complaint.includes("Estimating duration from bitrate");
  const isAlone = streams.every(
    (stream) => stream === audio || stream.disposition?.attached_pic === 1 || stream.codec_type === "data",
  );
  const expected = audio.duration ?? clockSeconds(audio.tags?.DURATION) ?? (isAlone ? format.duration : undefined);
  const delay = (audio.start_time ?? 0) - (format.start_time ?? 0);
  const ceiling = Math.min(3600, format.duration ?? 0);
  return {
    expectedSeconds: isGuess ? undefined : expected,
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

function runProbe(args: string[], signal: AbortSignal | undefined): Promise<{ output: string; complaint: string }> {
  return new Promise((done, fail) => {
    const options = { signal, maxBuffer: 4 * 1024 * 1024, killSignal: "SIGKILL" } as const;
    const child = execFile("ffprobe", args, options, (error, output, complaint) => {
      if (error?.name === "AbortError") return fail(signal?.reason ?? error);
      if (error?.code === "ENOENT") return fail(notInstalled(error));
      done({ output, complaint: withoutPath(complaint, args.at(-1) ?? "") });
    });
    child.stdin?.end();
  });
}

/** ffmpeg repeats the file's name: what a folder or file is called must not be read as a complaint. */
function withoutPath(complaint: string, input: string): string {
  return complaint.replaceAll(input.replace(/^file:/, ""), "");
}

/** Runs ffmpeg to the end and gives back what it complained about. */
async function decode(input: string, take: (chunk: Buffer) => Promise<void>, signal: AbortSignal | undefined): Promise<string> {
  const reading = ["-nostdin", "-hide_banner", "-loglevel", "warning", ...openingOptions, "-vn", "-sn", "-dn", "-i", input];
  const writing = ["-map", "0:a:0", "-ac", "1", "-ar", String(pcmRate), "-f", "s16le", "-c:a", "pcm_s16le", "pipe:1"];
  const child = spawn("ffmpeg", [...reading, ...writing], { stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintLimit);
  });
  const stop = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", stop, { once: true });
  const closed = whenClosed(child);
  try {
    signal?.throwIfAborted();
    for await (const chunk of wholeSamples(child.stdout)) {
      await take(chunk);
      signal?.throwIfAborted();
    }
    await closed;
    signal?.throwIfAborted();
    return withoutPath(complaint, input);
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
    // A failed start has already thrown above, or is what `closed` tells while another error is on its way.
    await closed.catch(() => undefined);
  }
}

async function whenClosed(child: ChildProcess): Promise<void> {
  try {
    await once(child, "close");
  } catch (error) {
    throw notInstalled(error);
  }
}

/** A pipe may break in the middle of a sample: the odd byte waits for the next chunk. */
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

/** What ffmpeg says of a file that stops in the middle of its data. */
const cutOff =
  /truncat|partial file|moov atom not found|end of file|ended prematurely|incomplete|packet corrupt|corrupt input packet/i;

/** Tolerated between what the container says and what came out, in seconds and as a share: encoder padding and rounding. */
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

function notInstalled(error: unknown): AudioError {
  return new AudioError("internal", "ffmpeg could not be started. Install it: apt-get install ffmpeg", { cause: error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
