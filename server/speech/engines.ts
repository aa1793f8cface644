import {
  type EngineInfo,
  type ModelChoices,
  type ModelOptions,
  type SpeechLanguage,
  type SpeechOption,
  speechLanguages,
} from "#contract/index.ts";
import type { Log } from "#server/log/log.ts";
import { enginesFor, modelOptions } from "./choose.ts";
import type { SpeechEngine, Use } from "./engine.ts";

export interface SpeechConfig {
  /** The data folder; speech models are in `<dataDir>/models`. */
  dataDir: string;
  /** Base URL of an OpenAI-compatible API ("https://api.openai.com/v1"). Without it, that engine is absent. */
  apiUrl?: string;
  apiKey?: string;
  /** Default "whisper-1". */
  apiModel?: string;
  /** Timeout of one piece of audio, in milliseconds. Default 120,000. */
  apiTimeoutMs?: number;
  /** The installed model that is preferred for its languages. */
  model?: string;
  /** Whether users will dictate: then the models for live speech are started at once. */
  isLive?: boolean;
  /** Processor cores for recognition. Default: all. */
  parallel?: number;
  log?: Pick<Log, "warn">;
}

export interface EngineChoice {
  engine: SpeechEngine;
  /** The code to pass to the engine: `auto` is resolved where no engine detects languages. */
  language: SpeechLanguage;
}

/** The engines of this machine, and their combined features. Models installed later are picked up without a restart. */
export interface SpeechEngines {
  /** The current engines, in order of preference. */
  all(): readonly SpeechEngine[];
  /** The engine for a language; undefined when none supports it. */
  forLanguage(language: SpeechLanguage, use: Use): EngineChoice | undefined;
  /** One entry for each of the contract's speech languages, in its order. */
  options(): SpeechOption[];
  infos(): EngineInfo[];
  /** The choices at /admin/models, for each language that can be recognized here. */
  modelOptions(): ModelOptions[];
  close(): Promise<void>;
}

export interface EngineSource {
  /** In order of preference. */
  all(): readonly SpeechEngine[];
  choices(): ModelChoices;
  close(): Promise<void>;
}

/** Two-letter codes of the languages that an engine may translate into while it recognizes. */
const targetCodes = [...new Set(speechLanguages.filter((code) => code !== "auto").map((code) => code.slice(0, 2)))];

const noChoices: ModelChoices = { live: {}, files: {}, translation: {}, voices: {} };

/** @param all in order of preference */
export function gatherEngines(all: readonly SpeechEngine[]): SpeechEngines {
  return combineEngines({
    all: () => all,
    choices: () => noChoices,
    close: async () => {
      await Promise.all(all.map((engine) => engine.close()));
    },
  });
}

export function combineEngines(source: EngineSource): SpeechEngines {
  const usable = () => source.all().filter((engine) => engine.unavailable === undefined);
  const best = (language: SpeechLanguage, use: Use) => enginesFor(usable(), language, use, source.choices())[0];

  const forLanguage = (language: SpeechLanguage, use: Use): EngineChoice | undefined => {
    const engine = best(language, use);
    if (engine !== undefined) return { engine, language };
    return language === "auto" ? recognizedInsteadOfAuto(usable(), (code) => best(code, use)) : undefined;
  };

  return {
    all: source.all,
    forLanguage,
    options: () =>
      speechLanguages.map((code) => optionFor(code, forLanguage(code, "files"), forLanguage(code, "live"), source.all())),
    infos: () => source.all().map(infoOf),
    modelOptions: () => speechLanguages.flatMap((code) => modelOptions(usable(), code, source.choices()) ?? []),
    close: source.close,
  };
}

/** If no engine detects languages, `auto` means the preferred engine's first language: English where supported. */
function recognizedInsteadOfAuto(
  usable: readonly SpeechEngine[],
  best: (language: SpeechLanguage) => SpeechEngine | undefined,
): EngineChoice | undefined {
  const language = best("en") === undefined ? usable.find((candidate) => candidate.languages.length > 0)?.languages[0] : "en";
  const engine = language === undefined ? undefined : best(language);
  return engine !== undefined && language !== undefined ? { engine, language } : undefined;
}

function optionFor(
  code: SpeechLanguage,
  choice: EngineChoice | undefined,
  live: EngineChoice | undefined,
  all: readonly SpeechEngine[],
): SpeechOption {
  if (choice !== undefined && live !== undefined) {
    // All engines emit interim text: on their own, or through utterance-stream.ts.
    const { id, speakers = false, vocabulary = false } = choice.engine;
    const translatesTo = targetCodes.filter((target) => choice.engine.translates?.(choice.language, target) === true);
    const option: SpeechOption = {
      code,
      available: true,
      engine: id,
      live: true,
      ...(live.engine.id !== id && { liveEngine: live.engine.id }),
      ...(live.engine.keepsUp === false && { keepsUp: false }),
      ...(speakers && { speakers }),
      ...(vocabulary && { vocabulary }),
      ...(translatesTo.length > 0 && { translatesTo }),
    };
    return choice.language === code ? option : { ...option, resolvesTo: choice.language };
  }
  const candidates = all.filter((engine) => engine.languages.includes(code) || (code === "auto" && engine.languages.length > 0));
  if (candidates.length === 0) return { code, available: false, live: false, reason: "noEngine" };
  const broken = candidates.some((engine) => engine.fault === "broken");
  return { code, available: false, live: false, reason: broken ? "engineBroken" : "engineMissing" };
}

function infoOf(engine: SpeechEngine): EngineInfo {
  const { id, name, offline, unavailable } = engine;
  const info: EngineInfo = { id, name, offline, available: unavailable === undefined };
  return unavailable === undefined ? info : { ...info, detail: unavailable };
}
