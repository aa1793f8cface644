import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import * as v from "valibot";
import { type MeasuredSpeed, type ModelKind, speechLanguages } from "#contract/index.ts";
import { ModelTrialError, type TrialCandidate, type TryModel } from "#server/models/trial.ts";
import { pcmRate, SpeechError } from "./engine.ts";
import { isoOf } from "./languages.ts";
import type { EngineChild } from "./process/child.ts";
import { isOutOfMemory } from "./process/limits.ts";
import { findFiles, isSherpaKind } from "./sherpa/model.ts";
import { startWorker } from "./sherpa/start.ts";
import { Recognised } from "./sherpa/tokens.ts";
import { wavHeader } from "./wav.ts";

const recording = new URL("./assets/jfk.wav", import.meta.url);
/** What is said in the recording with which models are tried. */
export const trialText =
  "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.";

export interface TrialOptions {
  /** Processor cores that it may use. Default: all. */
  threads?: number;
  /** What its process may take (bytes). Default: what is left. */
  memory?: number;
  now?: () => number;
}

/** Tries models that hear speech: each is loaded in a process of its own, where it has to hear eleven seconds of a real voice. */
export function createHearingTrial({ threads = availableParallelism(), memory, now = Date.now }: TrialOptions = {}): TryModel {
  return async (candidate, signal) => {
    const child = await loadCandidate(candidate, { threads, ...(memory !== undefined && { memory }) });
    const stop = () => child.kill();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      const { factor } = await measureSpeed(child, await trialPcm(), languageFor(candidate));
      return { speed: { factor, threads, at: new Date(now()).toISOString() } satisfies MeasuredSpeed };
    } catch (error) {
      signal.throwIfAborted();
      throw trialError(error);
    } finally {
      signal.removeEventListener("abort", stop);
      await child.close();
    }
  };
}

/** @throws ModelTrialError */
export async function loadCandidate(
  { folder, kind }: { folder: string; kind: ModelKind },
  { threads, memory }: { threads: number; memory?: number },
): Promise<EngineChild> {
  if (!isSherpaKind(kind)) throw new ModelTrialError("wrongKind", `A ${kind} model does not hear speech.`);
  const files = await findFiles(folder, kind);
  if (typeof files === "string") throw new ModelTrialError("wrongKind", `It is no ${kind} model: ${files}.`);
  try {
    return await startWorker(files, threads, [], memory ?? "left");
  } catch (error) {
    throw trialError(error);
  }
}

export interface Measured {
  text: string;
  /** Seconds of work per second of audio. */
  factor: number;
}

/** Lets a model hear the audio with a watch, after it has warmed up with two seconds of it. @param pcm at most 28 s */
export async function measureSpeed(child: EngineChild, pcm: Buffer, language: string): Promise<Measured> {
  await child.transcribe(pcm.subarray(0, pcmRate * 2), language);
  return hearTimed(child, pcm, language);
}

/** @param pcm at most 28 s */
export async function hearTimed(child: EngineChild, pcm: Buffer, language: string): Promise<Measured> {
  const before = performance.now();
  const heard = v.parse(Recognised, await child.transcribe(pcm, language));
  const seconds = (performance.now() - before) / 1000;
  return { text: heard.text.trim(), factor: round(seconds / (pcm.length / 2 / pcmRate)) };
}

export async function trialPcm(): Promise<Buffer> {
  return (await readFile(recording)).subarray(wavHeader(0).length);
}

/** English where the model knows it, since English is what it hears; else the first of its languages. */
export function languageFor({ languages }: Pick<TrialCandidate, "languages">): string {
  const [first] = languages.includes("en") ? ["en"] : languages;
  return speechLanguages.find((code) => isoOf(code) === first) ?? "en";
}

/** Three digits that count. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

function trialError(error: unknown): unknown {
  if (isOutOfMemory(error)) return new ModelTrialError("memory", "It needs more memory than there is.", { cause: error });
  const isOwn = error instanceof SpeechError || error instanceof v.ValiError;
  return isOwn ? new ModelTrialError("unusable", sayWhy(error), { cause: error }) : error;
}

function sayWhy(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause.message.trim().split("\n").at(-1) : undefined;
  return cause === undefined ? error.message : `${error.message} ${cause}`;
}
