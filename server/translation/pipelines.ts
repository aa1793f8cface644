import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { TranslationError } from "./engine.ts";

/** Idle time of a pipeline (ms): long enough to think about the next sentence. */
const waitingMs = 5 * 60_000;

/** Time for a pipeline to clean up before it is killed (ms). */
const graceMs = 2_000;
/** Limits of a translation's length, relative to its text and in characters. A longer one never ends. */
const maxGrowth = 20;
const slack = 64 * 1024;

type Pipeline = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Apertium's pipelines of a dozen programs. Starting one takes longer than translating, so each use of a direction
 * starts a spare one, which has loaded its dictionaries when the next text arrives.
 */
export class Pipelines {
  readonly #program: string;
  readonly #waiting = new Map<string, { pipeline: Pipeline; timer: NodeJS.Timeout }>();

  constructor(program: string) {
    this.#program = program;
  }

  /**
   * @param mode Apertium's name of the direction
   * @returns the translation
   * @throws TranslationError; the signal's reason when it is aborted
   */
  async pass(mode: string, text: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const pipeline = this.#take(mode) ?? this.#start(mode);
    const stop = () => stopGroup(pipeline);
    signal.addEventListener("abort", stop, { once: true });
    const parts: string[] = [];
    let room = text.length * maxGrowth + slack;
    pipeline.stdout.setEncoding("utf8").on("data", (part: string) => {
      if (room < 0) return;
      room -= part.length;
      if (room < 0) stop();
      else parts.push(part);
    });
    holdOpen(pipeline, true);
    pipeline.stdin.end(text);
    try {
      const [code] = await once(pipeline, "close");
      signal.throwIfAborted();
      if (room < 0) throw new TranslationError("translationFailed", "Apertium sends an endless answer.");
      if (code !== 0) throw new TranslationError("translationFailed", `Apertium ended with code ${code}.`);
      this.#prepare(mode);
      return parts.join("");
    } catch (error) {
      if (error instanceof TranslationError || signal.aborted) throw error;
      throw new TranslationError("translationFailed", "Apertium could not be started.", { cause: error });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #take(mode: string): Pipeline | undefined {
    const spare = this.#waiting.get(mode);
    this.#waiting.delete(mode);
    clearTimeout(spare?.timer);
    return spare?.pipeline.exitCode === null && spare.pipeline.signalCode === null ? spare.pipeline : undefined;
  }

  #prepare(mode: string): void {
    if (this.#waiting.has(mode)) return;
    let pipeline: Pipeline;
    try {
      pipeline = this.#start(mode);
    } catch {
      // The next text starts its own pipeline, and reports the error.
      return;
    }
    // An idle pipeline must not keep this process alive. When this process ends, the pipeline's input closes, and it
    // ends, too.
    holdOpen(pipeline, false);
    const timer = setTimeout(() => {
      if (this.#waiting.get(mode)?.pipeline === pipeline) this.#waiting.delete(mode);
      stopGroup(pipeline);
    }, waitingMs);
    timer.unref();
    this.#waiting.set(mode, { pipeline, timer });
  }

  #start(mode: string): Pipeline {
    // `cat` provides a pipe: Apertium opens /dev/stdin, which fails for the socket that Node gives its children. A
    // process group is needed because Apertium is a script with a pipeline, all of which has to be killed. If the
    // script is ended early, it leaves its temporary file. So the folder is removed here, or by the shell if this
    // process is gone.
    const folder = mkdtempSync(join(tmpdir(), "parlance-apertium-"));
    const script = 'cat | "$0" "$@"; code=$?; rmdir "$TMPDIR" 2>/dev/null; exit $code';
    const pipeline = spawn("sh", ["-c", script, this.#program, "-u", mode], {
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
      env: { ...process.env, LC_ALL: "C.UTF-8", TMPDIR: folder },
    });
    pipeline.stdin.on("error", () => undefined);
    // Errors are reported through `once(…, "close")`.
    pipeline.on("error", () => undefined);
    pipeline.once("close", () => rm(folder, { recursive: true, force: true }).catch(() => undefined));
    return pipeline;
  }
}

/** Refs or unrefs a child: the process and its pipes. */
function holdOpen(pipeline: Pipeline, hold: boolean): void {
  const pipes = [pipeline.stdin, pipeline.stdout].filter((pipe) => pipe instanceof Socket);
  for (const handle of [pipeline, ...pipes]) {
    if (hold) handle.ref();
    else handle.unref();
  }
}

/** Ends all processes of the group: SIGTERM first, so that the script removes its temporary file, then SIGKILL. */
function stopGroup(pipeline: Pipeline): void {
  signalGroup(pipeline.pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pipeline.pid, "SIGKILL"), graceMs);
  timer.unref();
  pipeline.once("close", () => clearTimeout(timer));
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}
