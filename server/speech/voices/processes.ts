import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import type { MemoryBudget } from "#server/threads/budget.ts";
import { ModelMemory } from "#server/threads/memory.ts";
import { ServiceError, ServiceProcess } from "#server/threads/service-process.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { sentencesOf } from "#translation/sentences.ts";
import { plain, type Speaking, SpeakingError } from "../espeak.ts";
import { findVoice } from "./files.ts";
import { VoiceAnswer, type VoiceRequest } from "./protocol.ts";

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** Timeout of an answer (ms): loading a large voice from a slow disk, and a sentence on a slow machine. */
const defaultTimeout = 60_000;
/** Longer sentences are spoken in parts (characters), so that sound begins soon. */
export const longestPart = 200;
/** Pause between sentences (seconds); within a sentence, the voice itself pauses. */
const pause = 0.15;

export interface VoiceProcessesOptions {
  models: InstalledModels;
  /** Processor cores for a voice. */
  threads: number;
  /** Shared with other models; default: a budget of its own. */
  budget?: MemoryBudget | undefined;
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}

/** PCM (s16le, mono). */
export interface SpokenPart {
  pcm: Buffer;
  /** Samples per second. */
  rate: number;
}

/** Rough memory of a model in addition to its files (bytes): the program and its buffers. */
const besideModel = 100 * 1024 ** 2;
/** Longest wait for memory (ms). After it, another voice speaks instead. */
const longestWait = 5_000;

/** The processes of the voices in use. */
export class VoiceProcesses {
  readonly #options: VoiceProcessesOptions;
  /** By model and language, because some models are loaded for a single language. */
  readonly #memory: ModelMemory<ServiceProcess>;
  readonly #stop: () => void;

  constructor(options: VoiceProcessesOptions) {
    const { models, budget, idleMs } = options;
    this.#options = options;
    const refuse = (why: string) => new SpeakingError(why);
    this.#memory = new ModelMemory({ budget, idleMs, liveWaitMs: longestWait, mayExceed: true, refuse });
    this.#stop = models.onChange(() => {
      const gone = this.#memory.loaded.filter(({ model }) => models.find(model) === undefined);
      for (const { model } of gone) void this.#memory.drop(model);
    });
  }

  /** Ids of the running processes. */
  get pids(): number[] {
    return this.#memory.children.flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Speaks a text, part by part.
   * @throws SpeakingError, also when the voice has no sound for any of it; the signal's reason when it is aborted
   */
  async *speak(model: InstalledModel, { text, language, rate, person, signal }: Speaking): AsyncGenerator<SpokenPart> {
    await using _held = await this.#options.models.hold(model.id).catch((error: unknown) => {
      throw new SpeakingError("The voice was removed.", { cause: error });
    });
    const { loan, speaker } = await this.#lend(model, baseLanguage(language), signal);
    using _lent = loan;
    let spoken = 0;
    for (const sentence of sentencesOf(plain(text).toWellFormed(), longestPart)) {
      const parts = sentence.map((part) => part.trim()).filter((part) => /[\p{L}\p{N}]/u.test(part));
      for (const [at, part] of parts.entries()) {
        const answer = await ask(loan.child, { text: part, speaker, rate }, { person, signal });
        if (answer.pcm.length === 0) continue;
        const pcm = Buffer.from(answer.pcm);
        const silence = Buffer.alloc(at === 0 && spoken > 0 ? Math.round(pause * answer.rate) * 2 : 0);
        spoken += 1;
        yield { pcm: Buffer.concat([silence, pcm]), rate: answer.rate };
      }
    }
    if (spoken === 0) throw new SpeakingError("The voice can't speak this text.");
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#memory.close();
  }

  async #lend({ id, folder, entry, bytes }: InstalledModel, language: string, signal: AbortSignal | undefined) {
    const { threads, timeoutMs = defaultTimeout, idleMs } = this.#options;
    const found = await findVoice(folder, language, threads);
    if (typeof found === "string") throw new SpeakingError(`The voice ${id} does not work: ${found}.`);
    const { config, speaker } = found;
    const args = [JSON.stringify(config)];
    const start = async () => new ServiceProcess({ name: `The voice ${id}`, program, args, timeoutMs, idleMs });
    const size = entry?.memoryBytes ?? bytes + besideModel;
    const loan = await this.#memory.lend({ model: id, variant: language, use: "live", bytes: size, start }, signal);
    return { loan, speaker };
  }
}

async function ask(
  service: ServiceProcess,
  request: VoiceRequest,
  { person, signal }: Pick<Speaking, "person" | "signal">,
): Promise<VoiceAnswer> {
  try {
    const answer = v.safeParse(VoiceAnswer, await service.ask(request, { person }, signal));
    if (answer.success) return answer.output;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new SpeakingError(error.message, { late: error.kind === "late", cause: error.cause });
  }
  throw new SpeakingError("The voice gave an invalid answer.");
}
