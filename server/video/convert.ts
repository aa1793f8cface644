import type { VideoProblem } from "#contract/index.ts";
import {
  complaintLimit,
  longestBroadcastHole,
  openingOptions,
  startTool,
  type ToolEnd,
  whenEnded,
} from "#server/speech/index.ts";

/** Why a video could not be made. Anything else that is thrown says nothing about the file: it is tried again. */
export class VideoError extends Error {
  readonly problem: VideoProblem;
  constructor(problem: VideoProblem, message: string) {
    super(message);
    this.name = "VideoError";
    this.problem = problem;
  }
}

/** One run of ffmpeg. */
export interface Conversion {
  /** Absolute path of the untrusted file. */
  source: string;
  /** An empty folder, in which it runs; the result is `fileName` in it. */
  folder: string;
  /** The picture stays as it is, unless captions are drawn into it. */
  isPlain: boolean;
  /** The sound track, from 1. */
  track: number;
  /** What has to be added to the times of the file (VideoProbe). */
  shiftSeconds: number;
  /** A file of subtitles (ASS) in the folder, drawn into the picture. It has a fixed name: nothing of anybody's is ever in a filter. */
  captions?: typeof captionsName | undefined;
  /** Its length, if it is known (seconds); otherwise 0. */
  seconds: number;
  /** Longest result (seconds), and largest (bytes). */
  maxSeconds: number;
  maxBytes: number;
  signal: AbortSignal;
  /** 0 to 1, some times a second. */
  onProgress(fraction: number): void;
}

export const videoName = "video.mp4";
export const captionsName = "captions.ass";

/** CPU time, in seconds: an hour of 720p takes about half of one on a small board. */
const cpuSeconds = 3 * 60 * 60;
/** Address space, in KiB: what is decoded of 40 megapixels, and the encoder's frames of 1280 × 720, with room. */
const memoryKiB = 2 * 1024 * 1024;
/** Missing characters that are counted. */
const maxUndrawn = 10_000;
/** ffmpeg's exit code when it was asked to end by a signal. */
const interrupted = 255;
/** It says how far it is twice a second; it is stopped when it has got no further for so long (milliseconds). */
const stuckMs = 180_000;

/** Pictures of at most 1,280 pixels to a side, even numbers of them, as H.264 needs. */
const scale = "scale=w='min(1280,iw)':h='min(1280,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2";
const encoder = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-pix_fmt", "yuv420p", "-threads", "1"];
/** No more pictures than 30 a second, and no more than there are: a file that has one an hour is not filled up. */
const pace = ["-fps_mode", "vfr", "-fpsmax", "30"];

/** Browsers play on where sound is missing, and are early from then on: silence goes there, as in what is recognized. */
const sound = ["-af", "aresample=async=1:first_pts=0", "-c:a", "aac", "-b:a", "128k", "-ac", "2"];

function optionsOf({ source, isPlain, track, shiftSeconds, captions, maxSeconds }: Conversion): string[] {
  const filters = captions === undefined ? scale : `${scale},ass=${captionsName}`;
  const picture = isPlain && captions === undefined ? ["-c:v", "copy"] : ["-vf", filters, ...encoder, ...pace];
  return [
    ...["-nostdin", "-hide_banner", "-loglevel", "warning", "-nostats", "-progress", "pipe:1", "-filter_threads", "1"],
    ...["-dts_delta_threshold", String(longestBroadcastHole), "-itsoffset", String(shiftSeconds)],
    ...[...openingOptions, "-i", `file:${source}`],
    // The first moving picture and one sound; nothing else of the file gets into the other.
    ...["-map", "0:V:0", "-map", `0:a:${track - 1}?`, "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"],
    ...[...picture, ...sound, "-t", String(maxSeconds), "-max_muxing_queue_size", "1024"],
    ...["-movflags", "+faststart", "-f", "mp4", "-n", `file:${videoName}`],
  ];
}

/**
 * Makes an MP4 that every browser plays.
 * @returns how many different characters no font has
 * @throws VideoError; the signal's reason; Error when it was killed from outside
 */
export async function convert(conversion: Conversion): Promise<number> {
  const { folder, seconds, maxBytes, signal, onProgress } = conversion;
  const limits = { cpuSeconds, memoryKiB, fileBytes: maxBytes, cwd: folder, signal };
  const child = startTool("ffmpeg", optionsOf(conversion), limits);
  const begunAt = performance.now();
  const undrawn = new Set<string>();
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(-complaintLimit);
    // Of each picture that they are missing in, again.
    for (const line of lines) {
      const [, code] = /failed to find any fallback with glyph 0x([0-9A-Fa-f]{1,6})/.exec(line) ?? [];
      if (code !== undefined && undrawn.size < maxUndrawn) undrawn.add(code);
    }
  });
  let isStuck = false;
  const stop = () => {
    isStuck = true;
    child.kill("SIGKILL");
  };
  let stuck = setTimeout(stop, stuckMs);
  let reached = -1;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const done = secondsIn(text);
    if (done === undefined || done <= reached) return;
    reached = done;
    clearTimeout(stuck);
    stuck = setTimeout(stop, stuckMs);
    if (seconds > 0) onProgress(Math.min(1, done / seconds));
  });
  try {
    const end = await whenEnded(child);
    signal.throwIfAborted();
    const isOutOfTime = child.exitCode === interrupted && performance.now() - begunAt >= cpuSeconds * 1000;
    refuse(end, { stopped: isStuck || isOutOfTime, code: child.exitCode, signal: child.signalCode });
    return undrawn.size;
  } finally {
    clearTimeout(stuck);
  }
}

/** How far it is: the last `out_time_us` of what it has said. */
function secondsIn(text: string): number | undefined {
  const [, microseconds] = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1) ?? [];
  return microseconds === undefined ? undefined : Number(microseconds) / 1e6;
}

interface Exit {
  /** By us, because it got no further; or by the limit of CPU time, which it answers with an end of its own. */
  stopped: boolean;
  code: number | null;
  signal: NodeJS.Signals | null;
}

function refuse({ isMissing, isSent }: ToolEnd, { stopped, code, signal }: Exit): void {
  if (isMissing) throw new VideoError("unavailable", "ffmpeg could not be started.");
  if (stopped || signal === "SIGXCPU") throw new VideoError("takesTooLong", "Making this video takes too long.");
  if (signal === "SIGXFSZ") throw new VideoError("tooLarge", "The video that would be made is larger than a file may be.");
  if (isSent || code === interrupted) throw new Error("ffmpeg was killed from outside.");
  if (code !== 0) throw new VideoError("unreadable", "The picture of this file can't be decoded.");
}
