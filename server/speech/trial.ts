import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import * as v from "valibot";
import { type MeasuredSpeed, type ModelKind, speechLanguages } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import { keepsUpWithSpeech } from "#server/models/fit.ts";
import { ModelTrialError, type TrialCandidate, type TryModel } from "#server/models/trial.ts";
import type { ServiceError } from "#server/threads/service-process.ts";
import { pcmRate } from "#speech/bytes.ts";
import { isoOf, SpeechError } from "./engine.ts";
import type { EngineChild } from "./process/child.ts";
import { isOutOfMemory } from "./process/limits.ts";
import { findFiles, isSherpaKind } from "./sherpa/model.ts";
import { startWorker } from "./sherpa/start.ts";
import { Recognized } from "./sherpa/tokens.ts";
import { wavHeader } from "./wav.ts";

const recording = new URL("./assets/jfk.wav", import.meta.url);
/** The words of the trial recording. */
export const trialText =
  "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.";

export interface TrialOptions {
  /** Most processor cores to use. Default: all. */
  threads?: number;
  /** Memory limit of the process (bytes). Default: the available memory. */
  memory?: number;
  now?: () => number;
}

/**
 * Tries models that recognize speech. Each is loaded in its own process and recognizes eleven seconds of a real voice;
 * then it runs in one process per core, with one thread each.
 */
export function createRecognitionTrial({
  threads = availableParallelism(),
  memory,
  now = Date.now,
}: TrialOptions = {}): TryModel {
  return async (candidate, signal) => {
    const load = (count: number) => loadCandidate(candidate, { threads: count, ...(memory !== undefined && { memory }) });
    try {
      const measured = await measureThreads(load, { cores: threads, language: languageFor(candidate), signal });
      return { speed: { ...measured, at: new Date(now()).toISOString() } satisfies MeasuredSpeed };
    } catch (error) {
      signal.throwIfAborted();
      throw trialError(error);
    }
  };
}

type TriedChild = Pick<EngineChild, "transcribe" | "kill" | "close">;

interface ThreadTrial {
  cores: number;
  language: string;
  signal?: AbortSignal;
}

/**
 * Compares one process with a thread per core to one single-threaded process per core. The latter is often faster,
 * because threads wait for each other. The way that is faster for the whole machine is kept, if it is fast enough for a
 * single recording.
 * @param load starts a process with a number of threads
 * @returns seconds of processing per second of audio in one process, and its threads
 */
export async function measureThreads(
  load: (threads: number) => Promise<TriedChild>,
  { cores, language, signal }: ThreadTrial,
): Promise<Omit<MeasuredSpeed, "at">> {
  const pcm = await trialPcm();
  const factorOf = async (threads: number, processes: number) => {
    await using children = new AsyncDisposableStack();
    const stop = new AbortController();
    const loaded = await Promise.allSettled(Array.from({ length: processes }, () => load(threads)));
    for (const one of loaded) {
      if (one.status === "rejected") continue;
      const child = one.value;
      children.defer(() => child.close());
      signal?.addEventListener("abort", () => child.kill(), { signal: stop.signal });
    }
    children.defer(() => stop.abort());
    signal?.throwIfAborted();
    const running = loaded.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return measureSpeed(one.value, pcm, language);
    });
    return largest((await Promise.all(running)).map(({ factor }) => factor));
  };
  const together = { factor: await factorOf(cores, 1), threads: cores };
  if (cores === 1) return together;
  // If the memory is too small for all processes, one process uses all cores.
  const alone = await factorOf(1, cores).catch(() => Number.POSITIVE_INFINITY);
  signal?.throwIfAborted();
  return alone < together.factor * cores && keepsUpWithSpeech(alone) ? { factor: alone, threads: 1 } : together;
}

/** @throws ModelTrialError */
export async function loadCandidate(
  { folder, kind }: { folder: string; kind: ModelKind },
  { threads, memory }: { threads: number; memory?: number },
): Promise<EngineChild> {
  if (!isSherpaKind(kind)) throw new ModelTrialError("wrongKind", `A ${kind} model does not recognize speech.`);
  const files = await findFiles(folder, kind);
  if (typeof files === "string") throw new ModelTrialError("wrongKind", `It is not a ${kind} model: ${files}.`);
  try {
    return await startWorker(files, threads, [], memory ?? "left");
  } catch (error) {
    throw trialError(error);
  }
}

export interface Measured {
  text: string;
  /** Seconds of processing per second of audio. */
  factor: number;
}

/** Measures how fast a model recognizes the audio, after a warm-up with two seconds of it. @param pcm at most 28 s */
export async function measureSpeed(child: TriedChild, pcm: Uint8Array, language: string): Promise<Measured> {
  await child.transcribe(pcm.subarray(0, pcmRate * 2), language);
  return recognizeTimed(child, pcm, language);
}

/** @param pcm at most 28 s */
export async function recognizeTimed(child: TriedChild, pcm: Uint8Array, language: string): Promise<Measured> {
  const before = performance.now();
  const recognized = v.parse(Recognized, await child.transcribe(pcm, language));
  const seconds = (performance.now() - before) / 1000;
  return { text: recognized.text.trim(), factor: round(seconds / (pcm.length / 2 / pcmRate)) };
}

export async function trialPcm(): Promise<Buffer> {
  return (await readFile(recording)).subarray(wavHeader(0).length);
}

/** English where the model supports it, because the trial recording is English; else its first language. */
export function languageFor({ languages }: Pick<TrialCandidate, "languages">): string {
  const [first] = languages.includes("en") ? ["en"] : languages;
  return speechLanguages.find((code) => isoOf(code) === first) ?? "en";
}

/** Rounds to three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

/**
 * Translates an error of a candidate's process for the operator; other errors stay as they are. @param Own class of the
 * process's errors
 */
export function trialError(error: unknown, Own: typeof SpeechError | typeof ServiceError = SpeechError): unknown {
  if (isOutOfMemory(error)) return new ModelTrialError("memory", "It needs more memory than is free.", { cause: error });
  const isOwn = error instanceof Own || error instanceof v.ValiError;
  return isOwn ? new ModelTrialError("unusable", sayWhy(error), { cause: error }) : error;
}

function sayWhy(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause.message.trim().split("\n").at(-1) : undefined;
  return cause === undefined ? error.message : `${error.message} ${cause}`;
}
