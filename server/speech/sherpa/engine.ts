import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type MeasuredSpeed, type Segment, type SpeechLanguage, speechLanguages } from "#contract/index.ts";
import type { InstalledModel } from "#server/models/model.ts";
import { machineMemory } from "#server/threads/budget.ts";
import type { Loan, ModelMemory } from "#server/threads/memory.ts";
import { pcmRate } from "#speech/bytes.ts";
import { type NotUnderstood, recognizeWithRetry } from "#speech/recognize-with-retry.ts";
import { repeatedRecognition } from "#speech/repeated-recognition.ts";
import type { SpeechStream } from "#speech/stream.ts";
import { openUtteranceStream } from "#speech/utterance-stream.ts";
import { findVoice, type IsVoice, type Voice, voiceIn, voiceOfUtterance } from "#speech/voice.ts";
import type { VoiceActivity } from "#speech/voice-activity.ts";
import { shifted } from "#speech/words.ts";
import { withTidyJoins } from "#speech/written/joins.ts";
import { keepsUp } from "../choose.ts";
import {
  isoOf,
  type Quality,
  type SpeechEngine,
  SpeechError,
  type StreamOptions,
  type TranscribeOptions,
  type Use,
} from "../engine.ts";
import type { EngineChild } from "../process/child.ts";
import { isOutOfMemory } from "../process/limits.ts";
import { untilBegun } from "../process/not-begun.ts";
import { languageFor, measureThreads } from "../trial.ts";
import { findFiles, isGenerative, isSherpaKind, isStreamingKind, takesHotwords } from "./model.ts";
import { partsOf, utteranceLimits } from "./parts.ts";
import { type Heeded, interimOf, recognize } from "./recognize.ts";
import { name, startWorker } from "./start.ts";

/** Where to download models, for the operator. */
const modelsPage = "https://k2-fsa.github.io/sherpa/onnx/pretrained_models/";
/** A model that could not be loaded is not chosen for this long (ms). There may be more memory later. */
const faultMs = 10 * 60_000;

export interface SherpaParts {
  memory: ModelMemory<EngineChild>;
  /** Most processor cores to use. */
  threads: number;
  /** SPEECH_MODEL. */
  named?: string | undefined;
  /** Detects voices in noise. Default: by energy. */
  activity?: VoiceActivity | undefined;
  /** Called when a voice got no text. */
  onNotUnderstood?: NotUnderstood | undefined;
  hold(id: string): Promise<AsyncDisposable>;
}

/** An installed model, run by sherpa-onnx in processes that are started on demand. */
export class SherpaEngine implements SpeechEngine {
  readonly id: string;
  readonly name: string;
  readonly offline = true;
  readonly languages: readonly SpeechLanguage[];
  readonly #parts: SherpaParts;
  #model: InstalledModel;
  #fault: { sentence: string; since: number } | undefined;
  /** Whether SentencePiece's pieces are available, which expected words need. */
  #hasPieces: boolean;
  #nextStream = 1;

  constructor(model: InstalledModel, parts: SherpaParts) {
    this.#model = model;
    this.#parts = parts;
    this.id = model.id;
    this.name = model.entry?.name ?? `${name} (${model.id})`;
    this.languages = languagesOf(model);
    this.#hasPieces = ["bpe.vocab", "bpe.model"].some((file) => existsSync(join(model.folder, file)));
  }

  /** Threads of one process. Moonshine is slower with two threads than with one. */
  get #threads(): number {
    const { speed, kind } = this.#model;
    return speed?.threads ?? (kind === "moonshine" ? 1 : this.#parts.threads);
  }

  /** One piece per process; together, the processes use all cores. */
  get parallel(): number {
    return Math.max(1, Math.floor(this.#parts.threads / this.#threads));
  }

  get confidence(): false | undefined {
    return isGenerative(this.#model.kind) ? false : undefined;
  }

  get vocabulary(): boolean {
    return this.#hasPieces && takesHotwords(this.#model.kind);
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

  /** Updates the figures of the same model. @returns false for a different model, which needs an engine of its own */
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

  /**
   * Loads the model, to find out early whether it is broken. @returns false when it is broken; `unavailable` gives the
   * reason
   */
  async load(): Promise<boolean> {
    try {
      using _ = await this.#lend("files", {});
      return true;
    } catch {
      return false;
    }
  }

  /** Measures the speed with eleven seconds of a real voice. */
  async measure(): Promise<MeasuredSpeed> {
    await using _ = await this.hold();
    const load = (threads: number) => this.#start([], threads);
    const measured = await measureThreads(load, { cores: this.#parts.threads, language: languageFor(this.#model) });
    return { ...measured, at: new Date().toISOString() };
  }

  hold(): Promise<AsyncDisposable> {
    return this.#parts.hold(this.id);
  }

  /** Whether it can translate while it recognizes. @param target a two-letter code */
  translates(language: SpeechLanguage, target: string): boolean {
    const { entry, kind, id } = this.#model;
    const source = isoOf(language);
    if (source === target) return false;
    if (entry !== undefined) {
      return entry.translatesSpeech.some((pair) => pair.target === target && (source === undefined || pair.source === source));
    }
    // Whisper's turbo was not trained to translate, and the English-only models have nothing to translate.
    if (kind === "whisper") return target === "en" && this.languages.includes("auto") && !/turbo/.test(id);
    return kind === "canary" && canaryLanguages.includes(source ?? "") && canaryLanguages.includes(target);
  }

  async transcribe(pcm: Uint8Array, options: TranscribeOptions): Promise<Segment[]> {
    const { language, signal, vocabulary, target } = options;
    await using _ = await this.hold();
    const wanted: Heeded = {
      vocabulary: this.#expected(vocabulary),
      target: target !== undefined && this.translates(language, target) ? target : undefined,
    };
    const texts: Segment[][] = [];
    for (const part of partsOf(pcm, { kind: this.#model.kind, translates: wanted.target !== undefined, cut: options.cut })) {
      const voice = await findVoice(pcm.subarray(part.startSample * 2, part.endSample * 2), this.#parts.activity);
      // When memory is short, pieces of several recordings wait for one process.
      const recognized = await untilBegun(async () => {
        signal?.throwIfAborted();
        // Lent for each part, so that a dictation that needs the memory waits for one part only.
        using loan = await this.#lend("files", wanted, signal);
        return await this.#recognizeWithRetry(loan.child, voice, language, wanted);
      });
      texts.push(recognized.map((segment) => shifted(segment, part.startSample / pcmRate)));
    }
    signal?.throwIfAborted();
    return withTidyJoins(texts, language);
  }

  async openStream({ person, language, vocabulary, onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    await using held = new AsyncDisposableStack();
    held.use(await this.hold());
    const wanted: Heeded = { vocabulary: this.#expected(vocabulary), target: undefined };
    const { child } = held.use(await this.#lend("live", wanted));
    const { activity } = this.#parts;
    const find: (pcm: Uint8Array, isVoice?: IsVoice) => Voice | undefined = activity === undefined ? voiceIn : voiceOfUtterance;
    // Pauses, at which passages begin, are detected as in files.
    const transcribe = (pcm: Uint8Array, _: AbortSignal, isVoice?: IsVoice) =>
      this.#recognizeWithRetry(child, find(pcm, isVoice), language, wanted, person);
    const recognizeAgain = (voice: Voice) => recognize(child, voice, language, wanted, person);
    const id = this.#nextStream;
    this.#nextStream += 1;
    const interim = isStreamingKind(this.#model.kind)
      ? interimOf(child, id, language, wanted, person)
      : repeatedRecognition(find, recognizeAgain);
    const own = held.move();
    const onClose = () => {
      child.discard(id);
      void own.disposeAsync();
    };
    const limits = utteranceLimits[this.#model.kind];
    return openUtteranceStream({ activity, transcribe, interim, limits, onEvent, onError, onClose });
  }

  /** The memory itself is closed by its owner. */
  async close(): Promise<void> {
    await this.#parts.memory.drop(this.id);
  }

  get #bytes(): number {
    return this.#model.entry?.memoryBytes ?? this.#model.bytes;
  }

  async #lend(use: Use, { vocabulary }: Partial<Heeded>, signal?: AbortSignal): Promise<Loan<EngineChild>> {
    const plainly = { model: this.id, use, bytes: this.#bytes, copies: this.parallel, start: () => this.#start([]) };
    if (vocabulary === undefined || !this.vocabulary) return this.#parts.memory.lend(plainly, signal);
    // Decoding with expected words is slower, so it has its own process. Streaming models load the words with the
    // model: one process per vocabulary.
    const own = isStreamingKind(this.#model.kind) ? createHash("sha256").update(vocabulary).digest("hex") : "";
    const start = () => this.#start(["vocabulary"]);
    try {
      return await this.#parts.memory.lend({ ...plainly, variant: `vocabulary ${own}`, start }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#fault === undefined) throw error;
      // The text matters more than the expected words.
      this.#fault = undefined;
      this.#hasPieces = false;
      return this.#parts.memory.lend(plainly, signal);
    }
  }

  async #start(options: readonly string[], threads = this.#threads): Promise<EngineChild> {
    const { folder, kind } = this.#model;
    const files = isSherpaKind(kind) ? await findFiles(folder, kind) : "it does not recognize";
    if (typeof files === "string") throw this.#broken(`The model folder ${basename(folder)} can't be used: ${files}.`);
    try {
      return await startWorker(files, threads, options);
    } catch (error) {
      if (isOutOfMemory(error)) throw this.#broken(`The model ${this.id} needs more memory than is free.`, error);
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${lastLine(error.cause.message)})` : "";
      throw this.#broken(`The model ${this.id} can't be loaded. Download it again from ${modelsPage}${cause}`, error);
    }
  }

  #broken(sentence: string, cause?: unknown): SpeechError {
    this.#fault = { sentence, since: performance.now() };
    return new SpeechError("engineUnavailable", sentence, { cause });
  }

  #expected(vocabulary: readonly string[] = []): string | undefined {
    return this.vocabulary && vocabulary.length > 0 ? vocabulary.join("\n") : undefined;
  }

  #recognizeWithRetry(
    child: EngineChild,
    voice: Voice | undefined,
    language: SpeechLanguage,
    wanted: Heeded,
    person?: string,
  ): Promise<Segment[]> {
    if (voice === undefined) return Promise.resolve([]);
    const { onNotUnderstood } = this.#parts;
    const mayLoop = isGenerative(this.#model.kind);
    return recognizeWithRetry(voice, (part) => recognize(child, part, language, wanted, person), { mayLoop, onNotUnderstood });
  }
}

const canaryLanguages = ["en", "es", "de", "fr"];

/** The supported languages; "auto" only where the model detects the spoken language. */
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
