import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import { ServiceError, ServiceProcess } from "#server/threads/service-process.ts";
import { theServer } from "#server/threads/slots.ts";
import { pcmRate } from "#speech/bytes.ts";
import { SpeechError } from "../engine.ts";
import { type Diarized, joinWindows } from "./clusters.ts";
import { type DiarizationModels, type DiarizationWindow, WindowTurns, windowSeconds } from "./protocol.ts";

/** The program of the process (program.ts). */
export const diarizationProgram = fileURLToPath(new URL("./program.ts", import.meta.url));
const name = "The diarization";
/** Time of a window after which it hangs (ms): slow machines need 0.25 s per second of audio, this allows 3. */
const timeoutMs = windowSeconds * 3 * 1000;

interface DiarizationRequest {
  /** A file of decoded audio: s16le, 16 kHz, mono. */
  pcmPath: string;
  samples: number;
  /** How many speakers there are; undefined to find out. */
  speakers?: number | undefined;
  signal: AbortSignal;
  /** Called with the fraction that is done, 0 to 1. */
  onProgress?(fraction: number): void;
}

export interface Diarization extends Diarized {
  /** The id of the model that the voices come from. */
  model: string;
}

/** Finds out who spoke when. */
export interface Diarizer {
  /** Whether the models for it are installed. */
  isAvailable(): boolean;
  /** The id of the model that voices are compared with: voices of another can't be. */
  voiceModel(): string | undefined;
  /**
   * @throws SpeechError `engineUnavailable` without models, `engineTimeout`, `engineFailed`; the signal's reason when it is aborted
   */
  diarize(request: DiarizationRequest): Promise<Diarization>;
}

export interface DiarizerConfig {
  /** Processor cores that it may use. Default: half of them, so that speech goes on beside it. */
  threads?: number;
  /** Seconds of a window. Default: `windowSeconds`. */
  window?: number;
}

/** Diarization with the installed models of speaker segmentation and speaker embeddings; each recording in a process of its own. */
export function openDiarizer(models: InstalledModels, config: DiarizerConfig = {}): Diarizer {
  const threads = config.threads ?? Math.max(1, availableParallelism() >> 1);
  const first = (kind: InstalledModel["kind"]) => models.all().find((model) => model.kind === kind);
  const pair = () => {
    const [segmentation, embedding] = [first("speakerSegmentation"), first("speakerEmbedding")];
    return segmentation === undefined || embedding === undefined ? undefined : { segmentation, embedding };
  };
  return {
    isAvailable: () => pair() !== undefined,
    voiceModel: () => first("speakerEmbedding")?.id,
    diarize: async ({ pcmPath, samples, speakers, signal, onProgress }) => {
      const installed = pair();
      if (installed === undefined) throw new SpeechError("engineUnavailable", "No models for diarization are installed.");
      await using _segmentation = await models.hold(installed.segmentation.id);
      await using _embedding = await models.hold(installed.embedding.id);
      const windows = windowsOf(pcmPath, samples, (config.window ?? windowSeconds) * pcmRate);
      const order: DiarizationModels = {
        segmentation: await onnxIn(installed.segmentation),
        embedding: await onnxIn(installed.embedding),
        threads,
        // The wished number holds for the whole: with several windows it is only known once all have been diarized.
        ...(speakers !== undefined && windows.length === 1 && { speakers }),
      };
      const turns = await diarizeAll(order, windows, signal, onProgress);
      return { ...joinWindows(turns, speakers), model: installed.embedding.id };
    },
  };
}

function windowsOf(pcm: string, samples: number, length: number): DiarizationWindow[] {
  return Array.from({ length: Math.max(1, Math.ceil(samples / length)) }, (_, index) => {
    const from = index * length;
    return { pcm, from, samples: Math.min(length, samples - from) };
  });
}

async function onnxIn({ folder, id }: InstalledModel): Promise<string> {
  const file = await findNetwork(folder);
  if (file === undefined) throw new SpeechError("engineUnavailable", `The model ${id} has no .onnx file.`);
  return file;
}

/** A process of its own for each recording: its memory is free when it is over. */
async function diarizeAll(
  order: DiarizationModels,
  windows: readonly DiarizationWindow[],
  signal: AbortSignal,
  onProgress: DiarizationRequest["onProgress"],
): Promise<WindowTurns[]> {
  const service = new ServiceProcess({ name, program: diarizationProgram, args: [JSON.stringify(order)], timeoutMs });
  try {
    const turns: WindowTurns[] = [];
    for (const window of windows) {
      turns.push(v.parse(WindowTurns, await service.ask(window, { person: theServer }, signal)));
      onProgress?.(turns.length / windows.length);
    }
    signal.throwIfAborted();
    return turns;
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof ServiceError && error.kind === "late";
    throw new SpeechError(isLate ? "engineTimeout" : "engineFailed", `${name} failed.`, { cause: error });
  } finally {
    await service.close();
  }
}

/** The file of a model of speakers, absolute: the int8 one where there are two; undefined when there is none. */
export async function findNetwork(folder: string): Promise<string | undefined> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".onnx")).sort();
  const file = files.find((one) => one.includes("int8")) ?? files[0];
  return file === undefined ? undefined : join(folder, file);
}
