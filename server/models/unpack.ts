import { fork } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { InstallationProblem } from "./installation-problem.ts";
import { UnpackAnswer, type UnpackTask } from "./unpack-messages.ts";

const program = fileURLToPath(new URL("./unpack-program.ts", import.meta.url));

export type Unpacked = Extract<UnpackAnswer, { type: "unpacked" }>;

/** Bytes that an archive may unpack to, for each of its own. The neural networks in them hardly get smaller. */
const largestRatio = 20;
const smallArchive = 64 * 1024 * 1024;
const maxEntries = 20_000;

/**
 * @param archiveBytes of the packed archive
 * @param diskBytes the expected size of the model
 */
export function limitsFor(archiveBytes: number, diskBytes: number | undefined): UnpackTask["limits"] {
  const unpackedBytes = archiveBytes * largestRatio + smallArchive;
  return {
    entries: maxEntries,
    unpackedBytes,
    // Estimates are rough, and with the int8 files there may be others for a moment.
    keptBytes: diskBytes === undefined ? unpackedBytes : Math.min(unpackedBytes, diskBytes * 6 + smallArchive),
  };
}

/**
 * Unpacks in a process of its own, into an empty folder, which is removed when that fails.
 * @throws InstallationProblem; the signal's reason
 */
export async function unpack(task: UnpackTask, progressed: (done: number) => void, signal: AbortSignal): Promise<Unpacked> {
  await rm(task.staging, { recursive: true, force: true });
  await mkdir(task.staging, { recursive: true });
  try {
    return await runProgram(task, progressed, signal);
  } catch (error) {
    await rm(task.staging, { recursive: true, force: true });
    signal.throwIfAborted();
    throw error;
  }
}

function runProgram(task: UnpackTask, progressed: (done: number) => void, signal: AbortSignal): Promise<Unpacked> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = fork(program, [], {
    env: { PATH, NODE_COMPILE_CACHE },
    execArgv: ["--disable-warning=ExperimentalWarning", "--max-old-space-size=512"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    signal,
    killSignal: "SIGKILL",
  });
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-1_000);
  });
  let answer: UnpackAnswer | undefined;
  return new Promise<Unpacked>((resolve, reject) => {
    child.on("message", (message) => {
      const said = v.parse(UnpackAnswer, message);
      if (said.type === "progress") progressed(said.done);
      else answer = said;
    });
    child.on("error", (error) => signal.aborted || reject(error));
    // Only now all of its processes have ended.
    child.once("close", (code, killed) => {
      if (answer?.type === "unpacked") resolve(answer);
      else if (answer?.type === "failed") reject(new InstallationProblem(answer.failure, answer.detail));
      else reject(new InstallationProblem("unknown", `Unpacking stopped (${killed ?? code}). ${complaint.trim()}`));
    });
    child.send(task);
  });
}
