import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeError, type Log } from "#server/log/log.ts";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import { ServiceProcess } from "#server/threads/service-process.ts";

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** Timeout of an answer (ms), including the start of the process: a dictation's words wait for it. */
const defaultTimeout = 10_000;
/** Pause after a failure (ms): meanwhile, text stays unpunctuated. */
const restAfterFailure = 60_000;

/** Adds casing and punctuation to words that have neither. */
export interface Punctuator {
  /**
   * @param text words in lower case, separated by single spaces
   * @returns the same words; undefined when there is no model for the language, or it has failed: the text stays as
   *   it was
   */
  punctuate(
    text: string,
    language: string,
    by: { person: string; signal?: AbortSignal | undefined },
  ): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface PunctuatorOptions {
  models: InstalledModels;
  log: Log;
  timeoutMs?: number;
  idleMs?: number;
  /** Milliseconds of any clock. */
  now?: () => number;
}

/** The process of the installed punctuation model, started on demand and ended when idle. */
export function openPunctuator({ models, log, timeoutMs, idleMs, now = () => performance.now() }: PunctuatorOptions): Punctuator {
  let loaded: { id: string; service: ServiceProcess } | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const end = async () => {
    const service = loaded?.service;
    loaded = undefined;
    await service?.close();
  };
  const stop = models.onChange(() => {
    restsUntil = Number.NEGATIVE_INFINITY;
    if (loaded !== undefined && models.find(loaded.id) === undefined) void end();
  });
  const ask = async (model: InstalledModel, text: string, person: string, signal: AbortSignal | undefined) => {
    await using _held = await models.hold(model.id);
    if (loaded?.id !== model.id) {
      await end();
      loaded = { id: model.id, service: await startPunctuation(model.folder, { timeoutMs, idleMs }) };
    }
    return loaded.service.ask({ text }, { person }, signal);
  };
  return {
    punctuate: async (text, language, { person, signal }) => {
      const model = modelFor(models, language);
      if (model === undefined || now() < restsUntil) return undefined;
      try {
        return answerFor(text, await ask(model, text, person, signal));
      } catch (error) {
        signal?.throwIfAborted();
        restsUntil = now() + restAfterFailure;
        log.warn("punctuation failed", { model: model.id, ...describeError(error) });
        return undefined;
      }
    },
    close: async () => {
      stop();
      await end();
    },
  };
}

/** For servers and tests without a punctuation model. */
export const noPunctuation: Punctuator = {
  punctuate: async () => undefined,
  close: async () => undefined,
};

function modelFor(models: InstalledModels, language: string): InstalledModel | undefined {
  const base = language.split("-", 1)[0] ?? "";
  return models.all().find(({ purpose, languages }) => purpose === "punctuation" && languages.includes(base));
}

interface Times {
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}

/** @throws Error when the folder holds no punctuation model */
export async function startPunctuation(
  folder: string,
  { timeoutMs = defaultTimeout, idleMs }: Times = {},
): Promise<ServiceProcess> {
  const names = await readdir(folder);
  const model = ["model.int8.onnx", "model.onnx"].find((name) => names.includes(name));
  if (model === undefined || !names.includes("bpe.vocab")) throw new Error("model.onnx or bpe.vocab is missing");
  const args = [join(folder, model), join(folder, "bpe.vocab")];
  return new ServiceProcess({ name: "The punctuation model", program, args, timeoutMs, idleMs });
}

/** @throws Error when the answer has other words */
export function answerFor(text: string, answer: unknown): string {
  const bare = typeof answer === "string" ? answer.toLowerCase().replace(/[,.?]+(?= |$)/g, "") : undefined;
  if (typeof answer !== "string" || bare !== text) throw new Error("The punctuation model has changed the words.");
  return answer;
}
