import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { sentencesOf } from "#server/common/sentences.ts";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import { ServiceError, ServiceProcess } from "#server/threads/service-process.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { plain, type Speaking, SpeakingError } from "../espeak.ts";
import { findVoice } from "./files.ts";
import { VoiceAnswer, type VoiceRequest } from "./protocol.ts";

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** The longest answer (ms): loading a large voice from a slow disk, and a sentence on a slow machine. */
const defaultTimeout = 60_000;
/** Longer sentences are spoken in parts (characters): the first is to be heard soon. */
export const longestPart = 200;
/** Between sentences (seconds); within one, the voice itself pauses. */
const pause = 0.15;

export interface VoiceProcessesOptions {
  models: InstalledModels;
  /** Processor cores for a voice. */
  threads: number;
  /** Voices that are loaded at a time. */
  maxLoaded: number;
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}

/** PCM (s16le, mono). */
export interface SpokenPart {
  pcm: Buffer;
  /** Samples per second. */
  rate: number;
}

interface Loaded {
  model: string;
  speaker: number;
  service: ServiceProcess;
}

/** The processes of the voices that are in use; the least recently used one makes room for another. */
export class VoiceProcesses {
  readonly #options: VoiceProcessesOptions;
  /** By model and language, because some models are loaded for one; the one that was used last is the last. */
  readonly #loaded = new Map<string, Loaded>();
  readonly #stop: () => void;

  constructor(options: VoiceProcessesOptions) {
    this.#options = options;
    const { models } = options;
    this.#stop = models.onChange(() => this.#endIdle(({ model }) => models.find(model) === undefined));
  }

  /** The processes that run. */
  get pids(): number[] {
    return [...this.#loaded.values()].flatMap(({ service }) => service.pid ?? []);
  }

  /**
   * Speaks a text, part by part.
   * @throws SpeakingError, also when the voice has no sound for any of it; the signal's reason when it is aborted
   */
  async *speak(model: InstalledModel, { text, language, rate, signal }: Speaking): AsyncGenerator<SpokenPart> {
    await using _held = await this.#options.models.hold(model.id).catch((error: unknown) => {
      throw new SpeakingError("The voice was removed.", { cause: error });
    });
    const { service, speaker } = await this.#load(model, baseLanguage(language));
    let spoken = 0;
    for (const sentence of sentencesOf(plain(text).toWellFormed(), longestPart)) {
      const parts = sentence.map((part) => part.trim()).filter((part) => /[\p{L}\p{N}]/u.test(part));
      for (const [at, part] of parts.entries()) {
        const answer = await ask(service, { text: part, speaker, rate }, signal);
        if (answer.pcm.length === 0) continue;
        const pcm = Buffer.from(answer.pcm);
        const silence = Buffer.alloc(at === 0 && spoken > 0 ? Math.round(pause * answer.rate) * 2 : 0);
        spoken += 1;
        yield { pcm: Buffer.concat([silence, pcm]), rate: answer.rate };
      }
    }
    if (spoken === 0) throw new SpeakingError("The voice has no sounds for this text.");
  }

  async close(): Promise<void> {
    this.#stop();
    await Promise.all([...this.#loaded.values()].map(({ service }) => service.close()));
  }

  async #load({ id, folder }: InstalledModel, language: string): Promise<Loaded> {
    const { threads, maxLoaded, timeoutMs = defaultTimeout, idleMs } = this.#options;
    const key = `${id} ${language}`;
    const found = await findVoice(folder, language, threads);
    if (typeof found === "string") throw new SpeakingError(`The voice ${id} can't be used: ${found}.`);
    const { config, speaker } = found;
    const known = this.#loaded.get(key);
    if (known === undefined) this.#endIdle(() => this.#loaded.size >= maxLoaded);
    const args = [JSON.stringify(config)];
    const loaded = known ?? {
      model: id,
      speaker,
      service: new ServiceProcess({ name: `The voice ${id}`, program, args, timeoutMs, idleMs }),
    };
    this.#loaded.delete(key);
    this.#loaded.set(key, loaded);
    return loaded;
  }

  /** Ends the processes that nobody waits for, the least recently used first. */
  #endIdle(isToEnd: (loaded: Loaded) => boolean): void {
    for (const [key, loaded] of this.#loaded) {
      if (!loaded.service.isIdle || !isToEnd(loaded)) continue;
      this.#loaded.delete(key);
      void loaded.service.close();
    }
  }
}

async function ask(service: ServiceProcess, request: VoiceRequest, signal: AbortSignal | undefined): Promise<VoiceAnswer> {
  try {
    return v.parse(VoiceAnswer, await service.ask(request, signal));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new SpeakingError(error.message, { late: error.kind === "late", cause: error.cause });
  }
}
