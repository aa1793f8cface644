import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { safeParse } from "valibot";
import { unlessAborted } from "#server/common/unless-aborted.ts";
import { TranslationError } from "../engine.ts";
import type { BergamotFiles } from "./files.ts";
import { Answer, type Request } from "./protocol.ts";

/** The longest answer (ms): loading two large models from a slow disk, and a batch on a slow machine. */
const defaultTimeout = 120_000;
/** After this time without a request the process ends, and its memory is free (ms). */
const defaultIdle = 5 * 60_000;
/** Only the end of what the process writes to standard error is kept (characters). */
const complaintLimit = 2_000;

export interface BergamotProcessOptions {
  /** Models that may be loaded at a time. */
  maxLoaded: number;
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}

/** Bergamot's process: started when it is needed, ended when it is idle. After a crash the next request starts a new one. */
export class BergamotProcess {
  readonly #options: BergamotProcessOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** One request at a time: the process computes with one thread. */
  #queue: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #isClosed = false;

  constructor(options: BergamotProcessOptions) {
    this.#options = options;
  }

  /** Of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Translates with one model, or with two, one after the other. When it is aborted, what is computed is not waited for.
   * @returns a text for each text
   * @throws TranslationError; the signal's reason when it is aborted
   */
  async translate(models: readonly BergamotFiles[], texts: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const asked = this.#queue.then(() => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new TranslationError("translationUnavailable", "Bergamot was stopped.");
      return this.#ask({ id: this.#nextId++, models: [...models], texts: [...texts] });
    });
    this.#queue = asked.catch(() => undefined);
    return signal === undefined ? asked : unlessAborted(signal, asked);
  }

  /** Ends the process for ever, and with it what it computes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.kill("SIGKILL");
    await gone;
  }

  async #ask(request: Request): Promise<string[]> {
    clearTimeout(this.#idle);
    const child = this.#running();
    holdOpen(child, true);
    try {
      const { texts, isLast } = await answerOf(child, request, this.#options.timeoutMs ?? defaultTimeout);
      if (isLast) this.#child = undefined;
      return texts;
    } finally {
      // Nothing waits for an idle process, which ends with this one.
      holdOpen(child, false);
      this.#idle = setTimeout(() => child.kill("SIGKILL"), this.#options.idleMs ?? defaultIdle).unref();
    }
  }

  #running(): ChildProcess {
    if (this.#child === undefined || hasEnded(this.#child)) this.#child = start(this.#options.maxLoaded);
    return this.#child;
  }
}

type Translated = Extract<Answer, { texts: string[] }>;

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));

function start(maxLoaded: number): ChildProcess {
  // No inherited options: an inspector's port or a test runner's loader must not be shared.
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, String(maxLoaded)], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE },
  });
  child.on("error", () => undefined);
  return child;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.killed || child.pid === undefined;
}

/** @throws TranslationError when the process ends before it answers, or takes too long, which ends it */
function answerOf(child: ChildProcess, request: Request, timeoutMs: number): Promise<Translated> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    let reason: string | undefined;
    const listen = (text: Buffer) => {
      complaint = (complaint + text).slice(-complaintLimit);
    };
    const settle = (then: () => void) => {
      clearTimeout(timer);
      child.off("message", hear).off("close", end).off("error", fail);
      child.stderr?.off("data", listen);
      then();
    };
    const refuse = (message: string, cause?: unknown) =>
      settle(() => reject(new TranslationError("translationFailed", message, { cause })));
    const hear = (message: unknown) => {
      const answer = safeParse(Answer, message);
      if (!answer.success || answer.output.id !== request.id) return;
      const { output } = answer;
      // What it has written to standard error says more, and comes with its end.
      if ("error" in output) reason = `Bergamot failed: ${output.error}`;
      else settle(() => resolve(output));
    };
    const end = (code: number | null, signal: NodeJS.Signals | null) =>
      refuse(
        reason ?? `Bergamot stopped unexpectedly (${signal ?? `code ${code}`}).`,
        complaint === "" ? undefined : new Error(complaint.trim()),
      );
    const fail = (error: Error) => refuse("Bergamot could not be started.", error);
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      refuse("Bergamot took too long.");
    }, timeoutMs);
    child.on("message", hear).once("close", end).once("error", fail);
    child.stderr?.on("data", listen);
    // It has ended already: "close" says so.
    child.send(request, () => undefined);
  });
}

/** Refs or unrefs a child: the process, its channel and its pipe. */
function holdOpen(child: ChildProcess, hold: boolean): void {
  const pipe = child.stderr instanceof Socket ? [child.stderr] : [];
  for (const handle of [child, child.channel, ...pipe]) {
    if (hold) handle?.ref();
    else handle?.unref();
  }
}
