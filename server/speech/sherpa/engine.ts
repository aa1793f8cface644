import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";
import { type MeasuredSpeed, type Segment, type SpeechLanguage, speechLanguages } from "#contract/index.ts";
import type { InstalledModel } from "#server/models/model.ts";
import { machineMemory } from "#server/threads/budget.ts";
import type { Loan, ModelMemory } from "#server/threads/memory.ts";
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
import type { EngineChild } from "../process/child.ts";
import { isOutOfMemory } from "../process/limits.ts";
import type { Wishes } from "../process/protocol.ts";
import type { VoiceActivity } from "../silero/silero.ts";
import { languageFor, measureSpeed, trialPcm } from "../trial.ts";
import { type InterimText, openUtteranceStream, rehearing } from "../utterance-stream.ts";
import { findVoice, type Voice, voiceIn, voiceOfUtterance } from "../voice.ts";
import { joined, shifted, upperFirst } from "../words.ts";
import { findFiles, isSherpaKind, isStreamingKind, takesHotwords } from "./model.ts";
import { name, startWorker } from "./start.ts";
import { plain, Recognised, segmentsFromTokens } from "./tokens.ts";

/** Where to download models, for the operator. */
export const modelsPage = "https://k2-fsa.github.io/sherpa/onnx/pretrained_models/";
/** A model that could not be loaded is not chosen for this long (ms): there may be more memory later. */
const faultMs = 10 * 60_000;

/** Whisper and Moonshine ignore audio beyond 29.5 s: it is split into parts of this length, at pauses (seconds). */
const shortParts = { shortest: 10, wanted: 28, longest: 28 };
/** What is translated while it is heard has one translation for each part, which is one segment (seconds). */
const translatedParts = { shortest: 4, wanted: 10, longest: 15 };

export interface SherpaParts {
  memory: ModelMemory<EngineChild>;
  /** Processor cores that it may use. */
  threads: number;
  /** SPEECH_MODEL. */
  named?: string | undefined;
  /** Who tells voices from noise. Default: energy does. */
  activity?: VoiceActivity | undefined;
  hold(id: string): Promise<AsyncDisposable>;
}

/** An installed model, heard through sherpa-onnx in processes that are started when they are wanted. */
export class SherpaEngine implements SpeechEngine {
  readonly id: string;
  readonly name: string;
  readonly offline = true;
  readonly languages: readonly SpeechLanguage[];
  /** One piece at a time uses all cores. */
  readonly parallel = 1;
  readonly #parts: SherpaParts;
  #model: InstalledModel;
  #fault: { sentence: string; since: number } | undefined;
  /** SentencePiece's pieces, by which expected words are found. */
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

  /** Loads the model, to find out early whether it is broken. @returns false when it is: `unavailable` says so */
  async load(): Promise<boolean> {
    try {
      using _ = await this.#lend("files", {});
      return true;
    } catch {
      return false;
    }
  }

  /** Hears eleven seconds of a real voice with a watch. */
  async measure(): Promise<MeasuredSpeed> {
    await using _ = await this.hold();
    using loan = await this.#lend("files", {});
    const { factor } = await measureSpeed(loan.child, await trialPcm(), languageFor(this.#model));
    return { factor, threads: this.#parts.threads, at: new Date().toISOString() };
  }

  hold(): Promise<AsyncDisposable> {
    return this.#parts.hold(this.id);
  }

  /** Whether it can translate while it hears. @param target a two-letter code */
  translates(language: SpeechLanguage, target: string): boolean {
    const { entry, kind, id } = this.#model;
    const source = isoOf(language);
    if (source === target) return false;
    if (entry !== undefined) {
      return entry.translatesSpeech.some((pair) => pair.target === target && (source === undefined || pair.source === source));
    }
    // Whisper's turbo was not trained to translate, the English ones have nothing to.
    if (kind === "whisper") return target === "en" && this.languages.includes("auto") && !/turbo/.test(id);
    return kind === "canary" && canaryLanguages.includes(source ?? "") && canaryLanguages.includes(target);
  }

  async transcribe(pcm: Buffer, { language, signal, vocabulary, target }: TranscribeOptions): Promise<Segment[]> {
    await using _ = await this.hold();
    const wanted: Heeded = {
      vocabulary: this.#expected(vocabulary),
      target: target !== undefined && this.translates(language, target) ? target : undefined,
    };
    const segments: Segment[] = [];
    for (const part of this.#partsOf(pcm, wanted)) {
      signal?.throwIfAborted();
      // Lent part by part: a dictation that needs the memory waits for no more than one.
      using loan = await this.#lend("files", wanted, signal);
      const voice = await findVoice(pcm.subarray(part.startSample * 2, part.endSample * 2), this.#parts.activity);
      const heard = await hear(loan.child, voice, language, wanted);
      segments.push(...heard.map((segment) => shifted(segment, part.startSample / pcmRate)));
    }
    signal?.throwIfAborted();
    return segments;
  }

  async openStream({ language, vocabulary, onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    await using held = new AsyncDisposableStack();
    held.use(await this.hold());
    const wanted: Heeded = { vocabulary: this.#expected(vocabulary), target: undefined };
    const { child } = held.use(await this.#lend("live", wanted));
    const { activity } = this.#parts;
    const find = activity === undefined ? voiceIn : voiceOfUtterance;
    const transcribe = (pcm: Buffer) => hear(child, find(pcm), language, wanted);
    const id = this.#nextStream;
    this.#nextStream += 1;
    const interim = isStreamingKind(this.#model.kind) ? interimOf(child, id, language, wanted) : rehearing(transcribe);
    const own = held.move();
    const onClose = () => {
      child.discard(id);
      void own.disposeAsync();
    };
    return openUtteranceStream({ activity, transcribe, interim, onEvent, onError, onClose });
  }

  /** The memory is closed by its owner. */
  async close(): Promise<void> {
    await this.#parts.memory.drop(this.id);
  }

  get #bytes(): number {
    return this.#model.entry?.memoryBytes ?? this.#model.bytes;
  }

  async #lend(use: Use, { vocabulary }: Partial<Heeded>, signal?: AbortSignal): Promise<Loan<EngineChild>> {
    const plainly = { model: this.id, use, bytes: this.#bytes, start: () => this.#start([]) };
    if (vocabulary === undefined || !this.vocabulary) return this.#parts.memory.lend(plainly, signal);
    // Searching with expected words is slower: a process of its own does it; where words are loaded with the model, one for each vocabulary.
    const own = isStreamingKind(this.#model.kind) ? createHash("sha256").update(vocabulary).digest("hex") : "";
    const start = () => this.#start(["vocabulary"]);
    try {
      return await this.#parts.memory.lend({ ...plainly, variant: `vocabulary ${own}`, start }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#fault === undefined) throw error;
      // The words matter less than the text.
      this.#fault = undefined;
      this.#hasPieces = false;
      return this.#parts.memory.lend(plainly, signal);
    }
  }

  async #start(options: readonly string[]): Promise<EngineChild> {
    const { folder, kind } = this.#model;
    const files = isSherpaKind(kind) ? await findFiles(folder, kind) : "it does not hear";
    if (typeof files === "string") throw this.#broken(`The model folder ${basename(folder)} can't be used: ${files}.`);
    try {
      return await startWorker(files, this.#parts.threads, options);
    } catch (error) {
      if (isOutOfMemory(error)) throw this.#broken(`The model ${this.id} needs more memory than there is.`, error);
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

  #partsOf(pcm: Buffer, { target }: Heeded): { startSample: number; endSample: number }[] {
    const isShort = this.#model.kind === "whisper" || this.#model.kind === "moonshine";
    if (!isShort && target === undefined) return [{ startSample: 0, endSample: pcm.length / 2 }];
    const cutter = new PieceCutter(target === undefined ? shortParts : translatedParts);
    return [...cutter.push(pcm), ...cutter.finish()];
  }
}

/** Wishes that this model can fulfil. */
interface Heeded {
  vocabulary: string | undefined;
  target: string | undefined;
}

const canaryLanguages = ["en", "es", "de", "fr"];

/** At most 120 s. There is no signal: killing the process would cost all other callers a restart. */
async function hear(child: EngineChild, voice: Voice | undefined, language: SpeechLanguage, heeded: Heeded): Promise<Segment[]> {
  const { vocabulary, target } = heeded;
  if (voice === undefined) return [];
  const ask = async (wishes: Wishes) => {
    const heard = v.safeParse(Recognised, await child.transcribe(voice.pcm, language, undefined, wishes));
    if (!heard.success) throw new SpeechError("engineFailed", `${name} gave an answer that can't be understood.`);
    return heard.output;
  };
  const segments = segmentsFromTokens(await ask(vocabulary === undefined ? {} : { vocabulary }), voice);
  if (target === undefined) return segments;
  const translation = await ask({ target }).then(
    ({ text }) => plain(text),
    () => undefined,
  );
  // The words are worth more than their translation, whose lack is noticed.
  if (translation === undefined) return segments;
  return joined(segments).map((segment) => ({ ...segment, translation }));
}

function interimOf(child: EngineChild, stream: number, language: string, { vocabulary }: Heeded): InterimText {
  return {
    begin: () => child.begin(stream, language, vocabulary === undefined ? {} : { vocabulary }),
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
