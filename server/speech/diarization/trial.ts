import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { MeasuredSpeed } from "#contract/index.ts";
import { ModelTrialError, type TryModel } from "#server/models/trial.ts";
import { ServiceError, ServiceProcess } from "#server/threads/service-process.ts";
import { theServer } from "#server/threads/slots.ts";
import { pcmRate } from "#speech/bytes.ts";
import { trialError } from "../trial.ts";
import { wavHeader } from "../wav.ts";
import { diarizationProgram, findNetwork } from "./diarizer.ts";
import { type DiarizationModels, type DiarizationWindow, WindowTurns } from "./protocol.ts";

export interface SpeakersTrialOptions {
  now: () => number;
  /** Timeout of loading and recognizing (ms). */
  timeoutMs?: number;
}

const asset = (name: string) => fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
/**
 * Stand-in models of a few kB for the part that is not tried: any loud sound is speech, and nearly all voices are alike
 * (assets/README.md).
 */
const standIns = { segmentation: asset("stand-in-segmentation.onnx"), embedding: asset("stand-in-embedding.onnx") };
const recording = asset("jfk.wav");

/**
 * Loads a speaker model in its own process and runs it twice on eleven seconds of a real voice; the second run measures
 * its speed.
 */
export function speakersTrial({ now, timeoutMs = 120_000 }: SpeakersTrialOptions): TryModel {
  return async ({ folder, kind }, signal) => {
    if (kind !== "speakerSegmentation" && kind !== "speakerEmbedding")
      throw new ModelTrialError("wrongKind", `This is not a model for speaker identification, but "${kind}".`);
    const network = await findNetwork(folder);
    if (network === undefined) throw new ModelTrialError("wrongKind", "It has no .onnx file.");
    const threads = Math.max(1, availableParallelism() >> 1);
    const own = kind === "speakerSegmentation" ? { segmentation: network } : { embedding: network };
    const models: DiarizationModels = { ...standIns, ...own, threads };
    const service = new ServiceProcess({
      name: "The model of speakers",
      program: diarizationProgram,
      args: [JSON.stringify(models)],
      timeoutMs,
    });
    try {
      const window = await wholeRecording();
      const listen = async () => v.parse(WindowTurns, await service.ask(window, { person: theServer }, signal));
      await listen();
      const start = performance.now();
      requireVoice(await listen());
      const factor = (performance.now() - start) / 1000 / (window.samples / pcmRate);
      return { speed: { factor, threads, at: new Date(now()).toISOString() } satisfies MeasuredSpeed };
    } catch (error) {
      signal.throwIfAborted();
      throw trialError(error, ServiceError);
    } finally {
      await service.close();
    }
  };
}

/** The audio after the file's header: 2-byte samples. */
async function wholeRecording(): Promise<DiarizationWindow> {
  const head = wavHeader(0).length / 2;
  const { size } = await stat(recording);
  return { pcm: recording, from: head, samples: size / 2 - head };
}

/** @throws ModelTrialError */
function requireVoice({ turns, voices }: WindowTurns): void {
  if (turns.length === 0) throw new ModelTrialError("unusable", "It finds no speaker in a recording of a voice.");
  if (voices.every((voice) => voice.every((value) => value === 0)))
    throw new ModelTrialError("unusable", "It gives no voice embedding.");
}
