import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

type Tool = "ffmpeg" | "ffprobe";

/** What one run may use. Whoever uses more is ended by the system. */
interface ToolLimits {
  /** Of processor time, in seconds. */
  cpuSeconds: number;
}

/**
 * Address space, in KiB. ffmpeg and its libraries take 0.4 GiB of it to start; decoding sound takes a few megabytes more, whatever the
 * file's length.
 */
const memoryKiB = 1024 * 1024;
/** Largest picture that is looked at (pixels): a cover of 16,000² took 800 MB and 20 s, only to learn that it is a cover. */
const maxPixels = 40_000_000;
/** A film has some dozens of streams. */
const maxStreams = 128;
/** What a shell answers when there is no such program (POSIX, "Command Search and Execution"). */
const notFound = 127;

/**
 * Containers that hold their own sound. Playlists and scripts of ffmpeg (hls, dash, concat, sdp, ...) are left out because they make it
 * open other files, raw formats without a header because anything at all would be "decoded" to noise.
 */
const containers =
  "wav,w64,aiff,caf,au,mp3,aac,ac3,eac3,flac,ogg,matroska,webm,mov,mp4,avi,asf,amr,flv,mpegts,mpeg,wv,ape,tta,aax,dsf,voc,loas,mxf,rm";

/** How a file from a stranger is opened: it alone, with one thread, and no more of it than sound needs. */
export const openingOptions: readonly string[] = [
  ...["-protocol_whitelist", "file,pipe", "-format_whitelist", containers],
  ...["-max_streams", String(maxStreams), "-max_pixels", String(maxPixels), "-threads", "1"],
];

/**
 * The one place where ffmpeg and ffprobe are started: within limits of processor time and memory, unable to write any file or to leave
 * a core behind, with nothing of this process's environment but where programs are found.
 * Where there is no POSIX shell (Windows) the limits of the system are left out.
 */
export function startTool(
  tool: Tool,
  args: readonly string[],
  { cpuSeconds }: ToolLimits,
): ChildProcessByStdio<null, Readable, Readable> {
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, LC_ALL: "C" };
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  if (process.platform === "win32") return spawn(tool, args, { stdio, env });
  // What a system does not know (-v on macOS) is left out.
  const limits = ["-c 0", "-f 0", `-t ${cpuSeconds}`, `-v ${memoryKiB}`].map((limit) => `ulimit ${limit} 2>/dev/null`);
  return spawn("/bin/sh", ["-c", `${limits.join("; ")}; exec "$0" "$@"`, tool, ...args], { stdio, env });
}

/** How a run has ended. */
export interface ToolEnd {
  /** It, or a shell to start it with, is not there. */
  isMissing: boolean;
  /** It was ended from outside: by a limit of the system, or by us. */
  isKilled: boolean;
}

/** Resolves when it has ended and everything that it has said was read. Never rejects. */
export function whenEnded(child: ChildProcessByStdio<null, Readable, Readable>): Promise<ToolEnd> {
  return new Promise((resolve) => {
    child.once("error", () => resolve({ isMissing: true, isKilled: false }));
    child.once("close", (code, signal) => resolve({ isMissing: code === notFound, isKilled: signal !== null }));
  });
}
