import { type ChildProcess, spawn } from "node:child_process";
import * as v from "valibot";
import { setBackground } from "#server/threads/priority.ts";
import { inRotation } from "#server/threads/queues.ts";
import { Slots, theServer } from "#server/threads/slots.ts";
import { pcmRate } from "#speech/bytes.ts";
import { SpeechError } from "../engine.ts";
import { limitMemory } from "./limits.ts";
import { NotBegunError } from "./not-begun.ts";
import { Answer, type Request, type Wishes } from "./protocol.ts";

/**
 * Timeout of the start (ms): it takes half a second to a few seconds on a desktop, longer on a small board with a cold
 * disk.
 */
const startTimeout = 60_000;
/**
 * Timeout of an answer: this long (ms), plus a multiple of the audio's duration. A slower engine is useless for live
 * speech.
 */
const answerTimeout = 30_000;
const answerTimeoutPerDuration = 4;
/** Only this much of the end of the process's stderr is kept (characters). */
const complaintLimit = 2_000;
/** Most characters that a process may write to stderr between two answers: native code logs now and then. */
const maxChatter = 16 * 1024 * 1024;
/** 120 s of PCM (bytes): pieces are at most 60 s long. */
const maxPcm = 120 * 2 * pcmRate;

interface Waiter {
  /** Id of the request; 0: the start. */
  id: number;
  resolve(answer: Answer): void;
  reject(error: SpeechError): void;
}

export interface ChildOptions {
  /** The engine's display name, for messages. */
  name: string;
  /** The program to run (TypeScript) and its arguments. */
  program: string;
  args: readonly string[];
  /** Timeout of an answer in addition to its audio's duration (ms). Default 30,000. */
  timeoutMs?: number | undefined;
  /** Timeout of the start (ms). Default 60,000. */
  startTimeoutMs?: number | undefined;
  /** Memory limit: the memory that is left, or this much (bytes). Used for models of any size. */
  memory?: "left" | number;
  /** Whether the process recognizes files; dictations take precedence over it. */
  isBackground?: boolean;
}

/**
 * A process that holds a native speech engine (see serve.ts). It answers one request at a time, and users take turns.
 * When it ends, the request in progress fails with the reason, waiting and later requests fail with `NotBegunError`,
 * and `isAlive` stays false.
 */
export class EngineChild {
  readonly #name: string;
  readonly #timeout: number;
  readonly #process: ChildProcess;
  /** The queue of requests: the process handles one, the others wait for their turn. */
  readonly #slots = new Slots(inRotation(1));
  #waiter: Waiter | undefined;
  #nextId = 1;
  #complaint = "";
  /** Characters written to stderr since the last answer. */
  #chatter = 0;
  #end: SpeechError | undefined;

  /** @throws SpeechError `engineUnavailable` when it does not start */
  static async start(options: ChildOptions): Promise<EngineChild> {
    const child = new EngineChild(options);
    const { memory } = options;
    if (memory !== undefined && child.pid !== undefined) void limitMemory(child.pid, memory === "left" ? undefined : memory);
    await child.#wait(0, options.startTimeoutMs ?? startTimeout);
    return child;
  }

  private constructor({ name, program, args, timeoutMs = answerTimeout, isBackground = false }: ChildOptions) {
    this.#name = name;
    this.#timeout = timeoutMs;
    // No inherited options: an inspector's port or a test runner's loader must not be shared.
    const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE };
    const child = spawn(process.execPath, [program, ...args], {
      // Native code may print anything to stdout.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
      env,
    });
    this.#process = child;
    // Set before the process has threads.
    if (isBackground) this.setBackground(true);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintLimit);
      this.#tolerate(text.length);
    });
    child.on("message", (said) => this.#hear(said));
    child.on("error", (error) =>
      this.#fail(new SpeechError("engineUnavailable", `${name} could not be started.`, { cause: error })),
    );
    child.on("close", (code, signal) => {
      const cause = this.#complaint === "" ? undefined : { cause: new Error(this.#complaint.trim()) };
      const reason = signal === null ? `code ${code}` : signal;
      this.#fail(new SpeechError("engineFailed", `${name} stopped unexpectedly (${reason}).`, cause));
    });
  }

  get isAlive(): boolean {
    return this.#end === undefined;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Lowers the process's priority, or restores it. */
  setBackground(isBackground: boolean): void {
    setBackground(this.pid, isBackground);
  }

  /** Transcribes a whole utterance (at most 120 s of PCM); the result is not validated. Aborting kills the process. */
  async transcribe(
    pcm: Uint8Array,
    language: string,
    signal?: AbortSignal,
    wishes: Wishes = {},
    person = theServer,
  ): Promise<unknown> {
    const stop = () => this.kill();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const answer = await this.#ask({ kind: "transcribe", stream: 0, language, pcm, ...wished(wishes) }, person);
      if ("recognized" in answer) return answer.recognized;
      throw new SpeechError("engineFailed", `${this.#name} gave an invalid answer.`);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Starts a streamed utterance. */
  begin(stream: number, language: string, wishes: Wishes = {}): void {
    this.#send({ kind: "begin", id: 0, stream, language, pcm: new Uint8Array(0), ...wished(wishes) });
  }

  /** Streams more of the utterance. @returns its text so far, in the engine's format */
  async feed(stream: number, pcm: Uint8Array, person = theServer): Promise<string> {
    const answer = await this.#ask({ kind: "feed", stream, language: "", pcm }, person);
    if ("text" in answer) return answer.text;
    throw new SpeechError("engineFailed", `${this.#name} gave an invalid answer.`);
  }

  discard(stream: number): void {
    this.#send({ kind: "discard", id: 0, stream, language: "", pcm: new Uint8Array(0) });
  }

  /** Resolves when the process has exited. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => this.#process.once("close", () => resolve()));
    this.kill();
    await gone;
  }

  kill(): void {
    this.#process.kill("SIGKILL");
    this.#fail(new SpeechError("engineFailed", `${this.#name} was stopped.`));
  }

  async #ask(request: Omit<Request, "id">, person: string): Promise<Answer> {
    const id = this.#nextId;
    this.#nextId += 1;
    const duration = (request.pcm.length / 2 / pcmRate) * 1000;
    const work = () => {
      this.#send({ ...request, id });
      return this.#wait(id, this.#timeout + duration * answerTimeoutPerDuration);
    };
    const given = await this.#slots.run(new AbortController().signal, work, { person });
    if ("error" in given) throw new SpeechError("engineFailed", `${this.#name} failed: ${given.error}`);
    return given;
  }

  #send(request: Request): void {
    if (request.pcm.length > maxPcm) throw new RangeError("More than 120 s of PCM in one request.");
    // A broken channel is also reported by "close", with the reason.
    if (this.#end === undefined) this.#process.send(request, () => undefined);
  }

  #wait(id: number, timeoutMs: number): Promise<Answer> {
    if (this.#end !== undefined) {
      return Promise.reject(new NotBegunError(`${this.#name} has already ended.`, { cause: this.#end }));
    }
    const timer = setTimeout(() => this.#expire(), timeoutMs);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiter = { id, resolve, reject };
    return promise.finally(() => clearTimeout(timer));
  }

  #expire(): void {
    this.#fail(new SpeechError("engineTimeout", `${this.#name} took too long.`));
    this.kill();
  }

  #hear(said: unknown): void {
    const answer = v.safeParse(Answer, said);
    const id = answer.success && "id" in answer.output ? answer.output.id : 0;
    if (!answer.success || this.#waiter?.id !== id) return;
    this.#chatter = 0;
    this.#waiter.resolve(answer.output);
    this.#waiter = undefined;
  }

  /** Ends a process that floods the server with log output. */
  #tolerate(characters: number): void {
    this.#chatter += characters;
    if (this.#chatter <= maxChatter || this.#end !== undefined) return;
    this.#fail(new SpeechError("engineFailed", `${this.#name} sends an endless answer.`));
    this.kill();
  }

  /** Fails the request in progress. Only the first reason counts. */
  #fail(error: SpeechError): void {
    if (this.#end !== undefined) return;
    const isStarting = this.#waiter?.id === 0;
    this.#end = isStarting ? new SpeechError("engineUnavailable", error.message, { cause: error.cause }) : error;
    this.#waiter?.reject(this.#end);
    this.#waiter = undefined;
  }
}

function wished(wishes: Wishes): Pick<Request, "wishes"> {
  return wishes.vocabulary === undefined && wishes.target === undefined ? {} : { wishes };
}
