import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import { pcmRate, SpeechError } from "../engine.ts";
import { type Diarized, joinWindows } from "./clusters.ts";
import { DiarizationLine, type DiarizationOrder, type WindowTurns, windowSeconds } from "./protocol.ts";

const program = fileURLToPath(new URL("./program.ts", import.meta.url));
const name = "The diarization";
/** Time without a finished window after which it hangs (ms): slow machines need 0.25 s per second of audio, this allows 3. */
const silenceLimit = windowSeconds * 3 * 1000;
/** Only this much of the end of the process's stderr is kept (characters). */
const complaintLimit = 2_000;

export interface DiarizationRequest {
  /** A file of decoded audio: s16le, 16 kHz, mono. */
  pcmPath: string;
  samples: number;
  /** How many speakers there are; undefined to find out. */
  speakers?: number | undefined;
  signal: AbortSignal;
  /** Called with the share that is done, 0 to 1. */
  onProgress?(share: number): void;
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
  diarize(request: DiarizationRequest): Promise<Diarized>;
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
      const order: DiarizationOrder = {
        segmentation: await onnxIn(installed.segmentation),
        embedding: await onnxIn(installed.embedding),
        pcm: pcmPath,
        samples,
        windowSamples: (config.window ?? windowSeconds) * pcmRate,
        speakers,
        threads,
      };
      return joinWindows(await runProgram(order, signal, onProgress), speakers);
    },
  };
}

/** The model's file: the int8 one where there are two. */
async function onnxIn({ folder, id }: InstalledModel): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".onnx")).sort();
  const file = files.find((one) => one.includes("int8")) ?? files[0];
  if (file === undefined) throw new SpeechError("engineUnavailable", `The model ${id} has no .onnx file.`);
  return join(folder, file);
}

async function runProgram(
  order: DiarizationOrder,
  signal: AbortSignal,
  onProgress: DiarizationRequest["onProgress"],
): Promise<WindowTurns[]> {
  signal.throwIfAborted();
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE },
  });
  const ended = once(child, "close").catch((error: unknown) => {
    throw new SpeechError("engineUnavailable", `${name} could not be started.`, { cause: error });
  });
  // It is awaited at the end; until then its failure is no unhandled one.
  ended.catch(() => undefined);
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    kill();
  }, silenceLimit);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintLimit);
  });
  const windows: WindowTurns[] = [];
  try {
    let failure: string | undefined;
    let expected = 1;
    for await (const text of createInterface({ input: child.stdout })) {
      const line = parseLine(text);
      if (line === undefined) continue;
      late.refresh();
      if ("error" in line) {
        failure = line.error;
        continue;
      }
      windows.push(line.heard);
      expected = line.of;
      onProgress?.(line.window / line.of);
    }
    const [code, reason] = await ended;
    signal.throwIfAborted();
    if (isLate) throw new SpeechError("engineTimeout", `${name} took too long.`);
    if (code !== 0 || windows.length !== expected) {
      const cause = new Error(failure ?? complaint.trim());
      throw new SpeechError("engineFailed", `${name} stopped unexpectedly (${reason ?? `code ${code}`}).`, { cause });
    }
    return windows;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", kill);
    kill();
  }
}

/** Native code writes to the standard output, too: what is not ours is left out. */
function parseLine(text: string): v.InferOutput<typeof DiarizationLine> | undefined {
  try {
    const parsed = v.safeParse(DiarizationLine, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
