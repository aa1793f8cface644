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
/** Timeout of a window (ms): slow machines need 0.25 s per second of audio; this allows 3. */
const timeoutMs = windowSeconds * 3 * 1000;

interface DiarizationRequest {
  /** A file of decoded audio: s16le, 16 kHz, mono. */
  pcmPath: string;
  samples: number;
  /** Number of speakers; undefined: detected. */
  speakers?: number | undefined;
  signal: AbortSignal;
  /** Called with the finished fraction, 0 to 1. */
  onProgress?(fraction: number): void;
}

export interface Diarization extends Diarized {
  /** The id of the model that the voices come from. */
  model: string;
}

/** Detects who spoke when. */
export interface Diarizer {
  /** Whether the models for diarization are installed. */
  isAvailable(): boolean;
  /** The id of the model that makes voices. Voices of different models can't be compared. */
  voiceModel(): string | undefined;
  /**
   * @throws SpeechError `engineUnavailable` without models, `engineTimeout`, `engineFailed`; the signal's reason when
   *   it is aborted
   */
  diarize(request: DiarizationRequest): Promise<Diarization>;
}

export interface DiarizerConfig {
  /** Most processor cores to use. Default: half of them, so that speech recognition can run at the same time. */
  threads?: number;
  /** Length of a window in seconds. Default: `windowSeconds`. */
  window?: number;
}

/**
 * Diarization with the installed models of speaker segmentation and speaker embeddings; each recording has its own
 * process.
 */
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
      if (installed === undefined)
        throw new SpeechError("engineUnavailable", "No models for speaker identification are installed.");
      await using _segmentation = await models.hold(installed.segmentation.id);
      await using _embedding = await models.hold(installed.embedding.id);
      const windows = windowsOf(pcmPath, samples, (config.window ?? windowSeconds) * pcmRate);
      const order: DiarizationModels = {
        segmentation: await onnxIn(installed.segmentation),
        embedding: await onnxIn(installed.embedding),
        threads,
        // The wished number applies to the whole recording. With several windows it is applied when they are joined.
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

/** Starts a process for each recording, so that its memory is freed at the end. */
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

/** The model file in a folder, absolute: the int8 one where there are two; undefined when there is none. */
export async function findNetwork(folder: string): Promise<string | undefined> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".onnx")).sort();
  const file = files.find((one) => one.includes("int8")) ?? files[0];
  return file === undefined ? undefined : join(folder, file);
}
