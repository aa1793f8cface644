import type { VideoProblem } from "#contract/index.ts";
import {
  complaintLimit,
  longestBroadcastHole,
  openingOptions,
  startTool,
  type ToolEnd,
  whenEnded,
} from "#server/speech/index.ts";

/** The reason why a video could not be made. Any other error is unrelated to the file, and the video is tried again. */
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
  /** The working folder, initially empty; the result is `fileName` in it. */
  folder: string;
  /** Whether the picture is copied unchanged, unless captions are drawn into it. */
  isPlain: boolean;
  /** Number of the sound track, from 1. */
  track: number;
  /** Seconds to add to ffmpeg's times (VideoProbe). */
  shiftSeconds: number;
  /**
   * A subtitle file (ASS) in the folder, drawn into the picture. Its name is fixed, so that no user's text gets into a
   * filter.
   */
  captions?: typeof captionsName | undefined;
  /** Duration in seconds; 0 when unknown. */
  seconds: number;
  /** Longest result (seconds), and largest (bytes). */
  maxSeconds: number;
  maxBytes: number;
  signal: AbortSignal;
  /** Called with 0 to 1, a few times per second. */
  onProgress(fraction: number): void;
}

export const videoName = "video.mp4";
export const captionsName = "captions.ass";

/** CPU time, in seconds: an hour of 720p takes about half of an hour on a small board. */
const cpuSeconds = 3 * 60 * 60;
/** Address space, in KiB: decoded pictures of 40 megapixels, and the encoder's frames of 1280 × 720, with a reserve. */
const memoryKiB = 2 * 1024 * 1024;
/** Most missing characters that are counted. */
const maxUndrawn = 10_000;
/** ffmpeg's exit code after a signal to end. */
const interrupted = 255;
/** ffmpeg reports its progress twice a second. It is stopped when there is no progress for this long (milliseconds). */
const stuckMs = 180_000;

/** Limits each side to 1,280 pixels, rounded to even numbers, as H.264 needs. */
const scale = "scale=w='min(1280,iw)':h='min(1280,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2";
const encoder = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-pix_fmt", "yuv420p", "-threads", "1"];
/** At most 30 frames per second, and no duplicated frames: a file with one frame per hour is not filled up. */
const pace = ["-fps_mode", "vfr", "-fpsmax", "30"];

/**
 * Fills gaps in the sound with silence, as in the recognized audio. Browsers would play on and be early from then on.
 */
const sound = ["-af", "aresample=async=1:first_pts=0", "-c:a", "aac", "-b:a", "128k", "-ac", "2"];

function optionsOf({ source, isPlain, track, shiftSeconds, captions, maxSeconds }: Conversion): string[] {
  const filters = captions === undefined ? scale : `${scale},ass=${captionsName}`;
  const picture = isPlain && captions === undefined ? ["-c:v", "copy"] : ["-vf", filters, ...encoder, ...pace];
  return [
    ...["-nostdin", "-hide_banner", "-loglevel", "warning", "-nostats", "-progress", "pipe:1", "-filter_threads", "1"],
    ...["-dts_delta_threshold", String(longestBroadcastHole), "-itsoffset", String(shiftSeconds)],
    ...[...openingOptions, "-i", `file:${source}`],
    // Only the first moving picture and one sound track are copied.
    ...["-map", "0:V:0", "-map", `0:a:${track - 1}?`, "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"],
    ...[...picture, ...sound, "-t", String(maxSeconds), "-max_muxing_queue_size", "1024"],
    ...["-movflags", "+faststart", "-f", "mp4", "-n", `file:${videoName}`],
  ];
}

/**
 * Makes an MP4 that every browser plays.
 * @returns the number of different characters that no font has
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
    // ffmpeg repeats the message for each frame with the missing character.
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

/** The progress in seconds: the last `out_time_us` in ffmpeg's output. */
function secondsIn(text: string): number | undefined {
  const [, microseconds] = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1) ?? [];
  return microseconds === undefined ? undefined : Number(microseconds) / 1e6;
}

interface Exit {
  /**
   * Whether it was stopped by us, for lack of progress, or by the limit of CPU time, which ffmpeg answers by exiting.
   */
  stopped: boolean;
  code: number | null;
  signal: NodeJS.Signals | null;
}

function refuse({ isMissing, isSent }: ToolEnd, { stopped, code, signal }: Exit): void {
  if (isMissing) throw new VideoError("unavailable", "ffmpeg could not be started.");
  if (stopped || signal === "SIGXCPU") throw new VideoError("takesTooLong", "Making this video took too long.");
  if (signal === "SIGXFSZ") throw new VideoError("tooLarge", "The video would be larger than a file may be.");
  if (isSent || code === interrupted) throw new Error("Another program stopped ffmpeg.");
  if (code !== 0) throw new VideoError("unreadable", "The picture of this file can't be decoded.");
}
