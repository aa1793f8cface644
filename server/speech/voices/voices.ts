import { availableParallelism } from "node:os";
import type { VoiceOptions } from "#contract/index.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { keepsUpWithSpeech } from "#server/models/fit.ts";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import type { MemoryBudget } from "#server/threads/budget.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { espeakInfo, type Speaking, type SpeechSynthesizer } from "../espeak.ts";
import { wavHeader } from "../wav.ts";
import { VoiceProcesses } from "./processes.ts";

/** eSpeak NG's id among the choices. */
const espeakId = "espeak";

export interface VoicesConfig {
  models: InstalledModels;
  /** Speaks languages without an installed voice, and replaces a voice that fails. */
  espeak: SpeechSynthesizer;
  log: Pick<Log, "warn">;
  /** Processor cores for a voice. Default: half of them. */
  threads?: number;
  /** The memory shared with other models; default: a budget of their own. */
  budget?: MemoryBudget;
  timeoutMs?: number;
  idleMs?: number;
}

export interface Voices extends SpeechSynthesizer {
  stream(speaking: Speaking): AsyncIterable<Buffer>;
  options(): VoiceOptions[];
  /** Ids of the running processes. */
  readonly pids: readonly number[];
  close(): Promise<void>;
}

/** The installed voices, each in its own process, and eSpeak NG: the chosen one for each language. */
export function openVoices({ models, espeak, log, threads, budget, timeoutMs, idleMs }: VoicesConfig): Voices {
  const processes = new VoiceProcesses({
    models,
    threads: threads ?? Math.max(1, availableParallelism() >> 1),
    budget,
    timeoutMs,
    idleMs,
  });
  const stream = async function* (speaking: Speaking): AsyncGenerator<Buffer> {
    const { language, signal } = speaking;
    const voice = chosenVoice(models, espeak, language);
    let hasBegun = false;
    try {
      for await (const { pcm, rate } of voice === undefined ? [] : processes.speak(voice, speaking)) {
        if (!hasBegun) yield wavHeader(Number.POSITIVE_INFINITY, rate);
        hasBegun = true;
        yield pcm;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (hasBegun || !espeak.supports(language)) throw error;
      log.warn(`the voice ${voice?.id} failed, eSpeak NG speaks instead`, describeError(error));
    }
    if (!hasBegun) yield await espeak.speak(speaking);
  };
  return {
    get languages() {
      const own = voicesOf(models).flatMap(({ languages }) => languages.map(baseLanguage));
      const all = new Set([...own.filter((code) => code.length === 2), ...(espeak.languages ?? [])]);
      return all.size === 0 ? undefined : [...all].sort();
    },
    supports: (language) => chosenVoice(models, espeak, language) !== undefined || espeak.supports(language),
    speak: async (speaking) => {
      const parts: Buffer[] = [];
      for await (const part of stream(speaking)) parts.push(part);
      return wholeWav(parts);
    },
    stream,
    options: () => optionsOf(models, espeak),
    infos: () => [
      ...voicesOf(models).map(({ id, entry }) => ({ id, name: entry?.name ?? id, offline: true, available: true })),
      espeakInfo(espeak),
    ],
    get pids() {
      return processes.pids;
    },
    close: () => processes.close(),
  };
}

function voicesOf(models: InstalledModels): InstalledModel[] {
  return models.all().filter(({ kind }) => kind === "tts");
}

/** The voices of a language, best first: those that are fast enough here, then those made for fewer languages. */
function candidatesFor(models: InstalledModels, language: string): InstalledModel[] {
  const base = baseLanguage(language);
  const isSlow = ({ speed }: InstalledModel) => (speed === undefined || keepsUpWithSpeech(speed.factor) ? 0 : 1);
  return voicesOf(models)
    .filter(({ languages }) => languages.some((code) => baseLanguage(code) === base))
    .sort((one, other) => isSlow(one) - isSlow(other) || one.languages.length - other.languages.length);
}

/** Undefined when eSpeak NG, or nothing, is chosen. */
function chosenVoice(models: InstalledModels, espeak: SpeechSynthesizer, language: string): InstalledModel | undefined {
  const chosen = models.choices().voices[baseLanguage(language)];
  if (chosen === espeakId && espeak.supports(language)) return undefined;
  const candidates = candidatesFor(models, language);
  return candidates.find(({ id }) => id === chosen) ?? candidates[0];
}

function optionsOf(models: InstalledModels, espeak: SpeechSynthesizer): VoiceOptions[] {
  const languages = new Set(voicesOf(models).flatMap((voice) => voice.languages.map(baseLanguage)));
  return [...languages].sort().flatMap((language) => {
    const own = candidatesFor(models, language).map(({ id, entry }) => ({ id, name: entry?.name ?? id }));
    const candidates = espeak.supports(language) ? [...own, { id: espeakId, name: "eSpeak NG" }] : own;
    if (candidates.length < 2) return [];
    return [{ language, candidates, chosen: chosenVoice(models, espeak, language)?.id ?? espeakId }];
  });
}

/** The WAV file with its length in its header. */
function wholeWav([head = Buffer.alloc(0), ...parts]: Buffer[]): Buffer {
  if (parts.length === 0) return head;
  const pcm = Buffer.concat(parts);
  return Buffer.concat([wavHeader(pcm.length / 2, head.readUInt32LE(24)), pcm]);
}
