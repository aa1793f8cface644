import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setBackground } from "#server/threads/priority.ts";

type Tool = "ffmpeg" | "ffprobe";

/** Resource limits of one run, enforced by the system. */
interface ToolLimits {
  /** CPU time, in seconds. */
  cpuSeconds: number;
  /** Address space, in KiB. Default: enough for audio. */
  memoryKiB?: number;
  /** Largest file that the tool may write, in bytes. Default: it may write none. */
  fileBytes?: number;
  /** Working folder; absolute. */
  cwd?: string;
  /** Wall time, in milliseconds. Default: unlimited. */
  timeout?: number;
  /** Kills the tool. */
  signal?: AbortSignal | undefined;
}

/** A block of `ulimit -f`, in bytes (POSIX). */
const blockBytes = 512;

/**
 * Address space, in KiB. ffmpeg and its libraries need 0.4 GiB to start. Decoding audio takes a few megabytes more,
 * whatever the file's length.
 */
const soundMemoryKiB = 1024 * 1024;
/** Limit of picture size (pixels): probing a cover of 16,000² pixels took 800 MB and 20 s. */
export const maxPixels = 40_000_000;
/** Maximum number of streams; a film has some dozens. */
const maxStreams = 128;
/** Only this much of the end of ffmpeg's stderr is kept (characters). */
export const complaintLimit = 4_000;
/** A shell's exit code for a missing program (POSIX, "Command Search and Execution"). */
const notFound = 127;

/**
 * Allowed containers. Playlists and scripts (hls, dash, concat, sdp, ...) are excluded, because they make ffmpeg open
 * other files. Raw formats without a header are excluded, because any data would be "decoded" to noise.
 */
const containers =
  "wav,w64,aiff,caf,au,mp3,aac,ac3,eac3,flac,ogg,matroska,webm,mov,mp4,avi,asf,amr,flv,mpegts,mpeg,wv,ape,tta,aax,dsf,voc,loas,mxf,rm";

/** Options for an untrusted file: no other file, one thread, and limited probing. */
export const openingOptions: readonly string[] = [
  ...["-protocol_whitelist", "file,pipe", "-format_whitelist", containers],
  ...["-max_streams", String(maxStreams), "-max_pixels", String(maxPixels), "-threads", "1"],
];

/**
 * The only place that starts ffmpeg and ffprobe. They run with limits of CPU time and memory, can't write core dumps,
 * can write files only up to a given size, and get only PATH from this process's environment. Without a POSIX shell
 * (Windows) the limits are not set.
 */
export function startTool(
  tool: Tool,
  args: readonly string[],
  { cpuSeconds, memoryKiB = soundMemoryKiB, fileBytes = 0, ...how }: ToolLimits,
): ChildProcessByStdio<null, Readable, Readable> {
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, LC_ALL: "C" };
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  const options = { stdio, env, killSignal: "SIGKILL", ...how } as const;
  if (process.platform === "win32") return spawn(tool, args, options);
  // Unsupported limits (-v on macOS) are ignored. At the soft limit of time, the tool ends by SIGXCPU, which differs
  // from a SIGKILL from outside.
  const time = [`-H -t ${cpuSeconds + 5}`, `-S -t ${cpuSeconds}`];
  const limits = ["-c 0", `-f ${Math.ceil(fileBytes / blockBytes)}`, ...time, `-v ${memoryKiB}`].map(
    (limit) => `ulimit ${limit} 2>/dev/null`,
  );
  const child = spawn("/bin/sh", ["-c", `${limits.join("; ")}; exec "$0" "$@"`, tool, ...args], options);
  // Dictations take precedence over decoding.
  setBackground(child.pid, true);
  return child;
}

/** How a run ended. */
export interface ToolEnd {
  /** The program, or a shell to start it, is missing. */
  isMissing: boolean;
  /** Killed: by a limit, by a crash, by us or from outside. */
  isKilled: boolean;
  /** Killed by a signal from outside: from the operator, or from a system without memory. */
  isSent: boolean;
}

/** Resolves when the tool has exited and all of its output was read. Never rejects. */
export function whenEnded(child: ChildProcessByStdio<null, Readable, Readable>): Promise<ToolEnd> {
  return new Promise((resolve) => {
    child.on("error", ({ name }) => {
      // After an abort by the signal, "close" follows: the tool did start.
      if (name !== "AbortError") resolve({ isMissing: true, isKilled: false, isSent: false });
    });
    child.once("close", (code, signal) => {
      const isSent = !child.killed && (signal === "SIGKILL" || signal === "SIGTERM");
      resolve({ isMissing: code === notFound, isKilled: signal !== null, isSent });
    });
  });
}

/** Collects the tool's error messages. @returns the end of them so far */
export function complaintOf({ stderr }: ChildProcessByStdio<null, Readable, Readable>): () => string {
  let complaint = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintLimit);
  });
  return () => complaint;
}
