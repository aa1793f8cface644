import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { Segment } from "#contract/index.ts";
import { isThere } from "#server/common/files.ts";
import { type SpeechEngine, SpeechError, type SpeechStream, type StreamOptions } from "../engine.ts";
import type { EngineChild } from "../process/child.ts";
import { EnginePool } from "../process/pool.ts";
import type { VoiceActivity } from "../silero/silero.ts";
import { openUtteranceStream } from "../utterance-stream.ts";
import { findVoice, voiceIn, voiceOfUtterance } from "../voice.ts";
import { HeardWord, segmentsOf } from "./heard.ts";
import { decodeLive, type LiveDecoder } from "./live.ts";

/** Where packages install PocketSphinx's American English model: Debian's pocketsphinx-en-us, and a build from source. */
const modelFolders = ["/usr/share/pocketsphinx/model/en-us", "/usr/local/share/pocketsphinx/model/en-us"];
const decoderProgram = fileURLToPath(new URL("./decoder.ts", import.meta.url));
const modelFiles = ["en-us/mdef", "en-us.lm.bin", "cmudict-en-us.dict"];

/**
 * This much quiet ends a phrase (seconds): its final words are there within half a second of its end. On 3 minutes of flite, also quiet and
 * with a fan, the word errors at 0.3 to 0.6 s are the same within chance; pauses inside of sentences are mostly shorter than this.
 */
const livePause = 0.36;

/** A dictation takes about a sixth of a core; more than this many per core would fall behind. */
const streamsPerCore = 5;

export interface PocketSphinxConfig {
  /** Pieces recognised in parallel. */
  parallel: number;
  /** Model folders to try, in this order. */
  folders?: readonly string[];
  /** Who tells voices from noise. Default: energy does. */
  activity?: VoiceActivity | undefined;
  /** The decoder's program; tests replace it by a failing one. */
  program?: string;
}

/** Offline English, from libpocketsphinx in separate processes. */
export async function openPocketSphinx({
  parallel,
  folders = modelFolders,
  program = decoderProgram,
  activity,
}: PocketSphinxConfig): Promise<SpeechEngine> {
  const modelFolder = await findModel(folders);
  const unavailable = (await missingLibrary()) ?? (modelFolder === undefined ? missingModel(folders) : undefined);
  return new PocketSphinx({ parallel, program, args: [modelFolder ?? ""], unavailable, activity });
}

interface Started {
  program: string;
  args: string[];
  unavailable: string | undefined;
}

class PocketSphinx implements SpeechEngine {
  readonly id = "pocketsphinx";
  readonly name = "PocketSphinx";
  readonly offline = true;
  readonly languages = ["en"] as const;
  readonly unavailable: string | undefined;
  readonly fault = "missing";
  readonly keepsUp = true;
  readonly parallel: number;
  readonly #pieces: EnginePool;
  readonly #dictations: EnginePool;
  #streams = 0;
  readonly #maxStreams: number;
  readonly #activity: VoiceActivity | undefined;

  constructor(options: Pick<PocketSphinxConfig, "parallel" | "activity"> & Started) {
    const { parallel, program, args, unavailable, activity } = options;
    this.#activity = activity;
    const { name } = this;
    this.unavailable = unavailable;
    this.parallel = parallel;
    this.#maxStreams = streamsPerCore * availableParallelism();
    // Two pools: a dictation never waits for a file, nor for the processor time that files take.
    this.#pieces = new EnginePool({ name, program, args, size: parallel, isBackground: true });
    this.#dictations = new EnginePool({ name, program, args, size: this.#maxStreams });
  }

  async transcribe(pcm: Buffer, { signal }: { signal?: AbortSignal }): Promise<Segment[]> {
    this.#assertAvailable();
    // Decodes only the part with a voice; nothing without one.
    const voice = await findVoice(pcm, this.#activity);
    if (voice === undefined) return [];
    const heard = await this.#pieces.use((child) => child.transcribe(voice.pcm, "en", signal), signal);
    return segmentsOf(heardIn(heard), voice.offset, voice.isAudible);
  }

  async openStream({ heard, onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    this.#assertAvailable();
    if (this.#streams >= this.#maxStreams) throw new SpeechError("tooManyAtOnce", "Too many dictations at the same time.");
    this.#streams += 1;
    const { child, giveBack } = await this.#borrow();
    // Its process may be new, or have adapted to somebody else.
    if (heard !== undefined && heard.length > 0) child.begin(0, "en", {}, heard);
    return openUtteranceStream({
      decoder: decodeLive(liveOf(child), this.#activity === undefined ? voiceIn : voiceOfUtterance),
      activity: this.#activity,
      pause: livePause,
      onEvent,
      onError,
      onClose: giveBack,
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#pieces.close(), this.#dictations.close()]);
  }

  /** A decoder until it is released. */
  async #borrow(): Promise<{ child: EngineChild; giveBack: () => void }> {
    const borrowed = Promise.withResolvers<EngineChild>();
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

function heardIn(answer: unknown): HeardWord[] {
  const heard = v.safeParse(v.array(HeardWord), answer);
  if (!heard.success) throw new SpeechError("engineFailed", "PocketSphinx gave an answer that can't be understood.");
  return heard.output;
}

function liveOf(child: EngineChild): LiveDecoder {
  return {
    begin: () => child.begin(0, "en"),
    feed: (pcm) => child.feed(0, pcm),
    finish: async () => heardIn(await child.finish(0)),
  };
}

async function findModel(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await Promise.all(modelFiles.map((file) => isThere(join(folder, file))));
    if (found.every(Boolean)) return folder;
  }
  return undefined;
}

/** Loads the library once to test whether it can be loaded: nothing of it runs in this process. */
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
