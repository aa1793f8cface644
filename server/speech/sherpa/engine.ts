import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { Segment, SpeechLanguage } from "#contract/index.ts";
import { PieceCutter } from "../cut.ts";
import {
  pcmRate,
  type SpeechEngine,
  SpeechError,
  type SpeechStream,
  type StreamOptions,
  type TranscribeOptions,
} from "../engine.ts";
import { EngineChild } from "../process/child.ts";
import { type InterimText, openUtteranceStream, rehearing } from "../utterance-stream.ts";
import { voiceIn } from "../voice.ts";
import { shifted, upperFirst } from "../words.ts";
import { recogniseModel, type SherpaModel } from "./model.ts";
import { plain, Recognised, segmentsFromTokens } from "./tokens.ts";

const workerProgram = fileURLToPath(new URL("./worker.ts", import.meta.url));
const name = "sherpa-onnx";
/** Where to download models, for the operator. */
const modelsPage = "https://k2-fsa.github.io/sherpa/onnx/pretrained_models/";
/** Large models on a small machine are slower than real time (ms). */
const timeoutMs = 300_000;

/** Whisper and Moonshine ignore audio beyond 30 s: it is split into parts of this length, at pauses (seconds). */
const shortParts = { shortest: 10, wanted: 28, longest: 28 };

export interface SherpaConfig {
  /** Contains one folder per model. */
  modelsFolder: string;
  /** The model's folder in it; default: the only one. */
  model?: string | undefined;
  /** Processor cores it may use. */
  threads: number;
}

/**
 * Neural models on this machine. The model is loaded once at startup, to detect a broken one early.
 */
export async function openSherpa(config: SherpaConfig): Promise<SpeechEngine> {
  const found = await findModel(config);
  if ("unavailable" in found) return new SherpaEngine(undefined, config.threads, found);
  const engine = new SherpaEngine(found, config.threads, undefined);
  try {
    await engine.load();
    return engine;
  } catch (error) {
    await engine.close();
    const cause = error instanceof Error && error.cause instanceof Error ? ` ${lastLine(error.cause.message)}` : "";
    const unavailable = `The model ${basename(found.folder)} can't be loaded. Download it again from ${modelsPage}${cause === "" ? "" : ` (${cause.trim()})`}`;
    return new SherpaEngine(found, config.threads, { unavailable, fault: "broken" });
  }
}

interface Fault {
  unavailable: string;
  fault: "missing" | "broken";
}

class SherpaEngine implements SpeechEngine {
  readonly id = "sherpa";
  readonly name: string;
  readonly offline = true;
  readonly languages: readonly SpeechLanguage[];
  readonly unavailable: string | undefined;
  readonly fault: Fault["fault"] | undefined;
  /** One piece at a time uses all cores. */
  readonly parallel = 1;
  readonly #model: SherpaModel | undefined;
  readonly #pieces: SharedChild;
  /** A second copy of the model, loaded for dictation, which must not wait for files. */
  readonly #dictations: SharedChild;
  #nextStream = 1;

  constructor(model: SherpaModel | undefined, threads: number, fault: Fault | undefined) {
    this.#model = model;
    this.name = model === undefined ? name : `${name} (${basename(model.folder)})`;
    this.languages = model?.languages ?? [];
    this.unavailable = fault?.unavailable;
    this.fault = fault?.fault;
    const args = [JSON.stringify(model ?? {}), String(threads)];
    this.#pieces = new SharedChild(args);
    this.#dictations = new SharedChild(args);
  }

  async load(): Promise<void> {
    await this.#pieces.get();
  }

  async transcribe(pcm: Buffer, { language, signal }: TranscribeOptions): Promise<Segment[]> {
    return this.#hear(await this.#pieces.get(), pcm, language, signal);
  }

  async openStream({ language, onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    const child = await this.#dictations.get();
    const transcribe = (pcm: Buffer) => this.#hear(child, pcm, language, undefined);
    const id = this.#nextStream;
    this.#nextStream += 1;
    const isStreaming = this.#model?.kind === "streamingTransducer" || this.#model?.kind === "streamingParaformer";
    const interim = isStreaming ? interimOf(child, id, language) : rehearing(transcribe);
    return openUtteranceStream({ transcribe, interim, onEvent, onError, onClose: () => child.discard(id) });
  }

  async close(): Promise<void> {
    await Promise.all([this.#pieces.close(), this.#dictations.close()]);
  }

  /** The signal is only checked between parts: killing the process would cost all other callers a restart. */
  async #hear(child: EngineChild, pcm: Buffer, language: SpeechLanguage, signal: AbortSignal | undefined): Promise<Segment[]> {
    const segments: Segment[] = [];
    for (const part of this.#partsOf(pcm)) {
      signal?.throwIfAborted();
      const voice = voiceIn(pcm.subarray(part.startSample * 2, part.endSample * 2));
      if (voice === undefined) continue;
      const heard = v.safeParse(Recognised, await child.transcribe(voice.pcm, language));
      if (!heard.success) throw new SpeechError("engineFailed", `${name} gave an answer that can't be understood.`);
      const start = part.startSample / pcmRate;
      segments.push(...segmentsFromTokens(heard.output, voice).map((segment) => shifted(segment, start)));
    }
    signal?.throwIfAborted();
    return segments;
  }

  #partsOf(pcm: Buffer): { startSample: number; endSample: number }[] {
    const isShort = this.#model?.kind === "whisper" || this.#model?.kind === "moonshine";
    if (!isShort) return [{ startSample: 0, endSample: pcm.length / 2 }];
    const cutter = new PieceCutter(shortParts);
    return [...cutter.push(pcm), ...cutter.finish()];
  }
}

/** One shared process; after a crash, the next caller starts a new one. */
class SharedChild {
  readonly #args: readonly string[];
  #child: Promise<EngineChild> | undefined;

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  async get(): Promise<EngineChild> {
    const current = await this.#child?.catch(() => undefined);
    if (current?.isAlive === true) return current;
    this.#child = EngineChild.start({ name, program: workerProgram, args: this.#args, timeoutMs });
    return this.#child;
  }

  async close(): Promise<void> {
    const child = await this.#child?.catch(() => undefined);
    await child?.close();
  }
}

function interimOf(child: EngineChild, stream: number, language: string): InterimText {
  return {
    begin: () => child.begin(stream, language),
    feed: async (pcm) => upperFirst(plain(await child.feed(stream, pcm))),
  };
}

async function findModel({ modelsFolder, model }: SherpaConfig): Promise<SherpaModel | Fault> {
  const folders = await foldersIn(modelsFolder);
  if (model === undefined && folders.length === 0) {
    return { unavailable: `There is no model in ${modelsFolder}. Unpack one from ${modelsPage} there.`, fault: "missing" };
  }
  if (model === undefined && folders.length > 1) {
    return {
      unavailable: `There are several models in ${modelsFolder}: name one with SPEECH_MODEL (${folders.join(", ")}).`,
      fault: "missing",
    };
  }
  const chosen = model ?? folders[0] ?? "";
  if (chosen !== basename(chosen) || !folders.includes(chosen)) {
    return { unavailable: `SPEECH_MODEL names "${chosen}", which is no folder in ${modelsFolder}.`, fault: "missing" };
  }
  const recognised = await recogniseModel(join(modelsFolder, chosen));
  if (typeof recognised !== "string") return recognised;
  return { unavailable: `The model folder ${chosen} can't be used: ${recognised}.`, fault: "broken" };
}

async function foldersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const kinds = await Promise.all(names.map(async (entry) => (await stat(join(folder, entry))).isDirectory()));
  return names.filter((_, at) => kinds[at]).sort();
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
