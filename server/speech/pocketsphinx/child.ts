import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { pcmRate, SpeechError } from "../engine.ts";
import { Answer, encodeRequest, type HeardWord, type RequestKind } from "./protocol.ts";

const program = fileURLToPath(new URL("./decoder.ts", import.meta.url));

/** Loading takes half a second on a desktop; a small board with a cold disk gets this long (ms). */
const startTimeout = 60_000;
/** A request may take this long (ms), and this many times its audio's duration: PocketSphinx needs about a tenth of it. */
const answerTimeout = 30_000;
const answerTimeoutPerDuration = 4;
/** Of what the process writes to stderr, only this much of its end is kept (characters). */
const complaintLimit = 2_000;

interface Waiter {
  resolve(answer: Answer): void;
  reject(error: SpeechError): void;
  timer: NodeJS.Timeout;
}

export interface ChildOptions {
  modelFolder: string;
  /** What to run instead of the decoder; tests put a program there that misbehaves. */
  program?: string | undefined;
}

/** A decoder process. When it ends, whatever the reason, everything that waits for it fails and `isAlive` is false for ever. */
export class DecoderChild {
  readonly #process: ChildProcess;
  readonly #stdin: Writable;
  readonly #waiters = new Map<number, Waiter>();
  #nextId = 1;
  #complaint = "";
  #end: SpeechError | undefined;

  /** @throws SpeechError `engineUnavailable` when it does not come up */
  static async start(options: ChildOptions): Promise<DecoderChild> {
    const child = new DecoderChild(options);
    await child.#wait(0, startTimeout);
    return child;
  }

  private constructor({ modelFolder, program: own = program }: ChildOptions) {
    // No inherited options: an inspector's port or a test runner's loader must not be taken over.
    const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH };
    const child = spawn(process.execPath, [own, modelFolder], { stdio: ["pipe", "pipe", "pipe"], env });
    this.#process = child;
    this.#stdin = child.stdin;
    // A broken pipe is told by "close" too, with the reason.
    child.stdin.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintLimit);
    });
    this.#listen(child.stdout);
    child.on("error", (error) =>
      this.#fail(new SpeechError("engineUnavailable", "PocketSphinx could not be started.", { cause: error })),
    );
    child.on("close", (code, signal) => {
      const cause = this.#complaint === "" ? undefined : { cause: new Error(this.#complaint.trim()) };
      const reason = signal === null ? `code ${code}` : signal;
      this.#fail(new SpeechError("engineFailed", `PocketSphinx stopped unexpectedly (${reason}).`, cause));
    });
  }

  get isAlive(): boolean {
    return this.#end === undefined;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The words of a whole utterance (at most 120 s of PCM), frames counted from its beginning. Aborting ends the process. */
  async transcribe(pcm: Buffer, signal?: AbortSignal): Promise<HeardWord[]> {
    const stop = () => this.kill();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const answer = await this.#ask("transcribe", pcm);
      if ("words" in answer) return answer.words;
      throw new SpeechError("engineFailed", "PocketSphinx answered something else than words.");
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Begins an utterance whose text is wanted as it comes. */
  begin(): void {
    this.#send("begin", 0, Buffer.alloc(0));
  }

  /** More of that utterance. @returns its text so far, as PocketSphinx writes it */
  async feed(pcm: Buffer): Promise<string> {
    const answer = await this.#ask("feed", pcm);
    if ("text" in answer) return answer.text;
    throw new SpeechError("engineFailed", "PocketSphinx answered something else than text.");
  }

  /** Resolves when the process has gone. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => this.#process.once("close", () => resolve()));
    this.kill();
    await gone;
  }

  kill(): void {
    this.#process.kill("SIGKILL");
    this.#fail(new SpeechError("engineFailed", "PocketSphinx was stopped."));
  }

  async #ask(kind: RequestKind, pcm: Buffer): Promise<Answer> {
    const id = this.#nextId;
    this.#nextId += 1;
    const duration = (pcm.length / 2 / pcmRate) * 1000;
    const answer = this.#wait(id, answerTimeout + duration * answerTimeoutPerDuration);
    this.#send(kind, id, pcm);
    const given = await answer;
    if ("error" in given) throw new SpeechError("engineFailed", `PocketSphinx failed: ${given.error}`);
    return given;
  }

  #send(kind: RequestKind, id: number, pcm: Buffer): void {
    if (this.#end === undefined) this.#stdin.write(encodeRequest({ kind, id, pcm }));
  }

  #wait(id: number, timeout: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end);
      const timer = setTimeout(() => this.#expire(), timeout);
      this.#waiters.set(id, { resolve, reject, timer });
    });
  }

  #expire(): void {
    this.#fail(new SpeechError("engineTimeout", "PocketSphinx took too long."));
    this.kill();
  }

  #listen(stdout: Readable): void {
    createInterface({ input: stdout }).on("line", (line) => {
      const answer = parseAnswer(line);
      if (answer === undefined) return;
      const id = "ready" in answer ? 0 : answer.id;
      const waiter = this.#waiters.get(id);
      if (waiter === undefined) return;
      this.#waiters.delete(id);
      clearTimeout(waiter.timer);
      waiter.resolve(answer);
    });
  }

  /** The first reason counts; everything that waits hears it. */
  #fail(error: SpeechError): void {
    if (this.#end !== undefined) return;
    const isStarting = this.#waiters.has(0);
    this.#end = isStarting ? new SpeechError("engineUnavailable", error.message, { cause: error.cause }) : error;
    for (const waiter of this.#waiters.values()) {
      clearTimeout(waiter.timer);
      waiter.reject(this.#end);
    }
    this.#waiters.clear();
  }
}

function parseAnswer(line: string): Answer | undefined {
  try {
    const parsed = v.safeParse(Answer, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Not ours: something native wrote to stdout.
    return undefined;
  }
}
