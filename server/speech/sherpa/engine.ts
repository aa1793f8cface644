import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { type Segment, type SpeechLanguage, speechLanguages } from "#contract/index.ts";
import type { InstalledModel } from "#server/models/model.ts";
import { keepsUp } from "../choose.ts";
import { PieceCutter } from "../cut.ts";
import {
  pcmRate,
  type Quality,
  type SpeechEngine,
  SpeechError,
  type SpeechStream,
  type StreamOptions,
  type TranscribeOptions,
  type Use,
} from "../engine.ts";
import { isoOf } from "../languages.ts";
import { EngineChild } from "../process/child.ts";
import { type ModelMemory, machineMemory } from "../process/memory.ts";
import { type InterimText, openUtteranceStream, rehearing } from "../utterance-stream.ts";
import { voiceIn } from "../voice.ts";
import { shifted, upperFirst } from "../words.ts";
import { findFiles, isSherpaKind, isStreamingKind } from "./model.ts";
import { plain, Recognised, segmentsFromTokens } from "./tokens.ts";

const workerProgram = fileURLToPath(new URL("./worker.ts", import.meta.url));
const name = "sherpa-onnx";
/** Where to download models, for the operator. */
export const modelsPage = "https://k2-fsa.github.io/sherpa/onnx/pretrained_models/";
/** Large models on a small machine are slower than real time (ms). */
const timeoutMs = 300_000;
/** A model that could not be loaded is not chosen for this long (ms): there may be more memory later. */
const faultMs = 10 * 60_000;

/** Whisper and Moonshine ignore audio beyond 30 s: it is split into parts of this length, at pauses (seconds). */
const shortParts = { shortest: 10, wanted: 28, longest: 28 };

export interface SherpaParts {
  memory: ModelMemory;
  /** Processor cores that it may use. */
  threads: number;
  /** SPEECH_MODEL. */
  named?: string | undefined;
  hold(id: string): Promise<AsyncDisposable>;
}

/** An installed model, heard through sherpa-onnx in processes that are started when they are wanted. */
export class SherpaEngine implements SpeechEngine {
  readonly id: string;
  readonly name: string;
  readonly offline = true;
  readonly languages: readonly SpeechLanguage[];
  readonly vocabulary: boolean;
  /** One piece at a time uses all cores. */
  readonly parallel = 1;
  readonly #parts: SherpaParts;
  #model: InstalledModel;
  #fault: { sentence: string; since: number } | undefined;
  #nextStream = 1;

  constructor(model: InstalledModel, parts: SherpaParts) {
    this.#model = model;
    this.#parts = parts;
    this.id = model.id;
    this.name = `${name} (${model.id})`;
    this.languages = languagesOf(model);
    this.vocabulary = model.entry?.takesVocabulary ?? false;
  }

  get quality(): Quality {
    const { entry, speed, id } = this.#model;
    return {
      wordErrors: entry?.wordErrors?.percent,
      factor: speed?.factor,
      fits: this.#bytes <= machineMemory(),
      isNamed: id === this.#parts.named,
    };
  }

  get keepsUp(): boolean | undefined {
    return keepsUp(this.quality);
  }

  get unavailable(): string | undefined {
    if (this.#fault !== undefined && performance.now() - this.#fault.since > faultMs) this.#fault = undefined;
    return this.#fault?.sentence;
  }

  get fault(): "broken" | undefined {
    return this.unavailable === undefined ? undefined : "broken";
  }

  /** The same model, whose figures may have changed. @returns false when it is another one, and needs an engine of its own */
  update(model: InstalledModel): boolean {
    const { folder, kind, languages, bytes, entry } = this.#model;
    const isSame =
      folder === model.folder &&
      kind === model.kind &&
      bytes === model.bytes &&
      entry === model.entry &&
      languages.join() === model.languages.join();
    if (isSame) this.#model = model;
    return isSame;
  }

  /** Loads the model, to find out early whether it is broken: `unavailable` says so. */
  async load(): Promise<void> {
    try {
      using _ = await this.#lend("files");
    } catch {
      // `unavailable` says why.
    }
  }

  hold(): Promise<AsyncDisposable> {
    return this.#parts.hold(this.id);
  }

  async transcribe(pcm: Buffer, { language, signal }: TranscribeOptions): Promise<Segment[]> {
    await using _ = await this.hold();
    const segments: Segment[] = [];
    for (const part of this.#partsOf(pcm)) {
      signal?.throwIfAborted();
      // Lent part by part: a dictation that needs the memory waits for no more than one.
      using loan = await this.#lend("files", signal);
      const heard = await this.#hear(loan.child, pcm.subarray(part.startSample * 2, part.endSample * 2), language);
      segments.push(...heard.map((segment) => shifted(segment, part.startSample / pcmRate)));
    }
    signal?.throwIfAborted();
    return segments;
  }

  async openStream({ language, onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    await using held = new AsyncDisposableStack();
    held.use(await this.hold());
    const { child } = held.use(await this.#lend("live"));
    const transcribe = (pcm: Buffer) => this.#hear(child, pcm, language);
    const id = this.#nextStream;
    this.#nextStream += 1;
    const interim = isStreamingKind(this.#model.kind) ? interimOf(child, id, language) : rehearing(transcribe);
    const own = held.move();
    const onClose = () => {
      child.discard(id);
      void own.disposeAsync();
    };
    return openUtteranceStream({ transcribe, interim, onEvent, onError, onClose });
  }

  /** The memory is closed by its owner. */
  async close(): Promise<void> {
    await this.#parts.memory.drop(this.id);
  }

  get #bytes(): number {
    return this.#model.entry?.memoryBytes ?? this.#model.bytes;
  }

  #lend(use: Use, signal?: AbortSignal) {
    const wanted = { model: this.id, use, bytes: this.#bytes, start: () => this.#start() };
    return this.#parts.memory.lend(wanted, signal);
  }

  async #start(): Promise<EngineChild> {
    const { folder, kind } = this.#model;
    const files = isSherpaKind(kind) ? await findFiles(folder, kind) : "it does not hear";
    if (typeof files === "string") throw this.#broken(`The model folder ${basename(folder)} can't be used: ${files}.`);
    const args = [JSON.stringify(files), String(this.#parts.threads)];
    try {
      return await EngineChild.start({ name, program: workerProgram, args, timeoutMs });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${lastLine(error.cause.message)})` : "";
      throw this.#broken(`The model ${this.id} can't be loaded. Download it again from ${modelsPage}${cause}`, error);
    }
  }

  #broken(sentence: string, cause?: unknown): SpeechError {
    this.#fault = { sentence, since: performance.now() };
    return new SpeechError("engineUnavailable", sentence, { cause });
  }

  /** At most 120 s. There is no signal: killing the process would cost all other callers a restart. */
  async #hear(child: EngineChild, pcm: Buffer, language: SpeechLanguage): Promise<Segment[]> {
    const voice = voiceIn(pcm);
    if (voice === undefined) return [];
    const heard = v.safeParse(Recognised, await child.transcribe(voice.pcm, language));
    if (!heard.success) throw new SpeechError("engineFailed", `${name} gave an answer that can't be understood.`);
    return segmentsFromTokens(heard.output, voice);
  }

  #partsOf(pcm: Buffer): { startSample: number; endSample: number }[] {
    const isShort = this.#model.kind === "whisper" || this.#model.kind === "moonshine";
    if (!isShort) return [{ startSample: 0, endSample: pcm.length / 2 }];
    const cutter = new PieceCutter(shortParts);
    return [...cutter.push(pcm), ...cutter.finish()];
  }
}

function interimOf(child: EngineChild, stream: number, language: string): InterimText {
  return {
    begin: () => child.begin(stream, language),
    feed: async (pcm) => upperFirst(plain(await child.feed(stream, pcm))),
  };
}

/** "auto" only where the model finds out by itself which language is spoken. */
function languagesOf({ kind, id, languages, entry }: InstalledModel): SpeechLanguage[] {
  const detects =
    entry?.detects ?? (languages.length > 1 && (kind === "whisper" || kind === "senseVoice" || /parakeet.*v3/i.test(id)));
  return speechLanguages.filter((code) => {
    const iso = isoOf(code);
    return iso === undefined ? detects : languages.includes(iso);
  });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
