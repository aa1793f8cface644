import { access } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Segment } from "../../../src/api/contract/index.ts";
import { pcmRate, type SpeechEngine, SpeechError, type SpeechStream, type StreamOptions } from "../engine.ts";
import { type InterimText, openUtteranceStream } from "../utterance-stream.ts";
import { levelsOf, noiseLevel, vadFrame, voicedStretch } from "../vad.ts";
import type { DecoderChild } from "./child.ts";
import { audibility, readable, segmentsOf } from "./heard.ts";
import { DecoderPool } from "./pool.ts";

/** Where packages put PocketSphinx's American English model: Debian's pocketsphinx-en-us, and a build from source. */
const modelFolders = ["/usr/share/pocketsphinx/model/en-us", "/usr/local/share/pocketsphinx/model/en-us"];
const modelFiles = ["en-us/mdef", "en-us.lm.bin", "cmudict-en-us.dict"];

/** Kept on both sides of the voice (frames of 20 ms): the decoder wants to hear a little of the room. */
const margin = 15;

/** A dictation takes about a sixth of a core; more than this many per core would fall behind. */
const streamsPerCore = 5;

export interface PocketSphinxConfig {
  /** Pieces recognised side by side. */
  parallel: number;
  /** Where to look for the model, in this order. */
  folders?: readonly string[];
  /** What to run as decoder process; tests put a program there that misbehaves. */
  program?: string;
}

/** English without a network, from libpocketsphinx in processes of its own. */
export async function openPocketSphinx({ parallel, folders = modelFolders, program }: PocketSphinxConfig): Promise<SpeechEngine> {
  const modelFolder = await findModel(folders);
  const unavailable = (await missingLibrary()) ?? (modelFolder === undefined ? missingModel(folders) : undefined);
  return new PocketSphinx({ parallel, modelFolder: modelFolder ?? "", program, unavailable });
}

class PocketSphinx implements SpeechEngine {
  readonly id = "pocketsphinx";
  readonly name = "PocketSphinx";
  readonly offline = true;
  readonly languages = ["en"] as const;
  readonly unavailable: string | undefined;
  readonly fault = "missing";
  readonly parallel: number;
  readonly #pieces: DecoderPool;
  readonly #dictations: DecoderPool;
  #streams = 0;
  readonly #mostStreams: number;

  constructor(options: { parallel: number; modelFolder: string; program: string | undefined; unavailable: string | undefined }) {
    const { parallel, modelFolder, program, unavailable } = options;
    this.unavailable = unavailable;
    this.parallel = parallel;
    this.#mostStreams = streamsPerCore * availableParallelism();
    // Two pools: a dictation never waits for a file.
    this.#pieces = new DecoderPool({ modelFolder, program, size: parallel });
    this.#dictations = new DecoderPool({ modelFolder, program, size: this.#mostStreams });
  }

  async transcribe(pcm: Buffer, { signal }: { signal?: AbortSignal }): Promise<Segment[]> {
    this.#assertAvailable();
    return hear(pcm, (voice) => this.#pieces.use((child) => child.transcribe(voice, signal), signal));
  }

  async openStream({ onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    this.#assertAvailable();
    if (this.#streams >= this.#mostStreams) throw new SpeechError("engineUnavailable", "Too many dictations at the same time.");
    this.#streams += 1;
    const { child, giveBack } = await this.#borrow();
    return openUtteranceStream({
      transcribe: (pcm, signal) => hear(pcm, (voice) => child.transcribe(voice, signal)),
      interim: interimOf(child),
      onEvent,
      onError,
      onClose: giveBack,
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#pieces.close(), this.#dictations.close()]);
  }

  /** A decoder until it is given back. */
  async #borrow(): Promise<{ child: DecoderChild; giveBack: () => void }> {
    const borrowed = Promise.withResolvers<DecoderChild>();
    const returned = Promise.withResolvers<void>();
    const use = this.#dictations.use((child) => {
      borrowed.resolve(child);
      return returned.promise;
    });
    use.catch(borrowed.reject).finally(() => {
      this.#streams -= 1;
    });
    return { child: await borrowed.promise, giveBack: returned.resolve };
  }

  #assertAvailable(): void {
    if (this.unavailable !== undefined) throw new SpeechError("engineUnavailable", this.unavailable);
  }
}

/** Only the part with a voice is decoded; nothing at all when nobody speaks. */
async function hear(pcm: Buffer, decode: (voice: Buffer) => ReturnType<DecoderChild["transcribe"]>): Promise<Segment[]> {
  const levels = levelsOf(pcm);
  const floor = noiseLevel(levels);
  const voice = voicedStretch(levels, floor);
  if (voice === undefined) return [];
  const start = Math.max(voice.start - margin, 0);
  const end = voice.end + margin;
  const heard = await decode(pcm.subarray(start * vadFrame * 2, end * vadFrame * 2));
  return segmentsOf(heard, (start * vadFrame) / pcmRate, audibility(levels.slice(start, end), floor));
}

function interimOf(child: DecoderChild): InterimText {
  return {
    begin: () => child.begin(),
    feed: async (pcm) => readable(await child.feed(pcm)),
  };
}

async function findModel(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await Promise.all(modelFiles.map((file) => isThere(join(folder, file))));
    if (found.every(Boolean)) return folder;
  }
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** Loads the library once to know whether it can be: nothing of it runs in this process. */
async function missingLibrary(): Promise<string | undefined> {
  try {
    const { loadLibrary } = await import("./bindings.ts");
    loadLibrary();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `PocketSphinx is not installed (${reason}). Install it: apt-get install pocketsphinx pocketsphinx-en-us`;
  }
}

function missingModel(folders: readonly string[]): string {
  return `PocketSphinx's English model is not in ${folders.join(" or ")}. Install it: apt-get install pocketsphinx-en-us`;
}
