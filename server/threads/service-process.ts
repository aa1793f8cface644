import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import * as v from "valibot";
import { endFirst } from "./priority.ts";
import { inRotation } from "./queues.ts";
import { type Claimant, Slots } from "./slots.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** Idle time after which the process ends, to free its memory (ms). */
const defaultIdle = 5 * 60_000;
/** Only this much of the end of the process's stderr is kept (characters). */
const complaintLimit = 2_000;

export interface ServiceOptions {
  /** For messages ("Bergamot"). */
  name: string;
  /** The program (TypeScript), which calls `serveRequests`, and its arguments. */
  program: string;
  args: readonly string[];
  /** Timeout of an answer, including the start of the process (ms). */
  timeoutMs: number;
  /** Default: five minutes. */
  idleMs?: number | undefined;
}

/** `late`: timed out. `closed`: ended on purpose. `failed`: crashed, or refused. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: "late" | "closed" | "failed";
  constructor(kind: ServiceError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A message from a service process: an answer, after which it may end, or an error, after which it ends. */
export const ServiceAnswer = v.union([
  v.object({ id: v.number(), answer: v.unknown(), isLast: v.boolean() }),
  v.object({ id: v.number(), error: v.string() }),
]);
export type ServiceAnswer = v.InferOutput<typeof ServiceAnswer>;
type Answered = Extract<ServiceAnswer, { isLast: boolean }>;

/**
 * A process for native code that may crash, hang or leak memory. It is started on demand and ended when idle. After a
 * crash, the next request starts a new one.
 */
export class ServiceProcess {
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** One request at a time, because each uses all resources of the process. */
  readonly #slots = new Slots(inRotation(1));
  #waiting = 0;
  #nextId = 1;
  #isClosed = false;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Id of the running process; undefined when there is none. */
  get pid(): number | undefined {
    return this.#child === undefined || hasEnded(this.#child) ? undefined : this.#child.pid;
  }

  /** Whether it has not been closed. A crashed process is restarted at the next request. */
  get isAlive(): boolean {
    return !this.#isClosed;
  }

  /** Whether nobody waits for an answer. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /**
   * Requests an answer, in turns with others. When aborted, it does not wait for a computation in progress.
   * @returns unvalidated
   * @throws ServiceError; the signal's reason when it is aborted
   */
  async ask(request: unknown, claimant: Claimant, signal?: AbortSignal): Promise<unknown> {
    this.#waiting += 1;
    const work = async () => {
      if (this.#isClosed) throw new ServiceError("closed", `${this.#options.name} was stopped.`);
      return this.#ask(request);
    };
    const asked = this.#slots.run(signal ?? new AbortController().signal, work, claimant).finally(() => this.#waiting--);
    return signal === undefined ? asked : unlessAborted(signal, asked);
  }

  /** Ends the process for good, with its computation. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    holdOpen(child, true);
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.kill("SIGKILL");
    await gone;
  }

  async #ask(request: unknown): Promise<unknown> {
    clearTimeout(this.#idle);
    if (this.#child === undefined || hasEnded(this.#child)) this.#child = start(this.#options);
    const child = this.#child;
    holdOpen(child, true);
    try {
      const { answer, isLast } = await answerOf(child, { id: this.#nextId++, request }, this.#options);
      if (isLast) this.#child = undefined;
      return answer;
    } finally {
      // An idle process does not keep this one alive.
      holdOpen(child, false);
      this.#idle = setTimeout(() => child.kill("SIGKILL"), this.#options.idleMs ?? defaultIdle).unref();
    }
  }
}

function start({ program, args }: ServiceOptions): ChildProcess {
  // No inherited options: an inspector's port or a test runner's loader must not be shared.
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...args], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
    env: { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE },
  });
  child.on("error", () => undefined);
  void endFirst(child.pid);
  return child;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.killed || child.pid === undefined;
}

/** @throws ServiceError when the process ends before it answers, or times out, which ends it */
function answerOf(
  child: ChildProcess,
  message: { id: number; request: unknown },
  { name, timeoutMs }: ServiceOptions,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    let refusal: string | undefined;
    const listen = (text: Buffer) => {
      complaint = (complaint + text).slice(-complaintLimit);
    };
    const settle = (then: () => void) => {
      clearTimeout(timer);
      child.off("message", hear).off("close", end).off("error", fail);
      child.stderr?.off("data", listen);
      then();
    };
    const hear = (said: unknown) => {
      const parsed = v.safeParse(ServiceAnswer, said);
      // There is one request at a time. A process that sends anything else can't be relied on.
      if (!parsed.success || parsed.output.id !== message.id) {
        child.kill("SIGKILL");
        settle(() => reject(new ServiceError("failed", `${name} gave an invalid answer.`)));
        return;
      }
      const { output } = parsed;
      // Standard error says more, and is complete once the process has ended.
      if ("error" in output) refusal = `${name} failed: ${output.error}`;
      else settle(() => resolve(output));
    };
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      const reason = refusal ?? `${name} stopped unexpectedly (${signal ?? `code ${code}`}).`;
      const cause = complaint === "" ? undefined : new Error(complaint.trim());
      settle(() => reject(new ServiceError("failed", reason, { cause })));
    };
    const fail = (cause: Error) => settle(() => reject(new ServiceError("failed", `${name} could not be started.`, { cause })));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      settle(() => reject(new ServiceError("late", `${name} took too long.`)));
    }, timeoutMs);
    child.on("message", hear).once("close", end).once("error", fail);
    child.stderr?.on("data", listen);
    // If the process has already ended, "close" reports it.
    child.send(message, () => undefined);
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
