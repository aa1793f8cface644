import { type EngineInfo, type SpeechLanguage, type SpeechOption, speechLanguages } from "#contract/index.ts";
import type { SpeechEngine } from "./engine.ts";

export interface SpeechConfig {
  /** The data folder; speech models are in `<dataDir>/models`. */
  dataDir: string;
  /** Base of an OpenAI-compatible API ("https://api.openai.com/v1"); without it that engine is absent. */
  apiUrl?: string;
  apiKey?: string;
  /** Default "whisper-1". */
  apiModel?: string;
  /** Timeout of one piece of audio, in milliseconds. Default 120,000. */
  apiTimeoutMs?: number;
  /** The model's folder name under `<dataDir>/models`; default: the only folder there. */
  model?: string;
  /** Pieces recognised in parallel. Default: one per processor core. */
  parallel?: number;
}

export interface EngineChoice {
  engine: SpeechEngine;
  /** The code to pass to the engine: `auto` is resolved where no engine detects languages. */
  language: SpeechLanguage;
}

/** The engines of this machine in order of preference, and their combined features. */
export interface SpeechEngines {
  readonly all: readonly SpeechEngine[];
  /** The engine for a language; undefined when none supports it. */
  forLanguage(language: SpeechLanguage): EngineChoice | undefined;
  /** One entry for each of the contract's speech languages, in its order. */
  options(): SpeechOption[];
  infos(): EngineInfo[];
  close(): Promise<void>;
}

/** @param all in order of preference */
export function gatherEngines(all: readonly SpeechEngine[]): SpeechEngines {
  const usable = all.filter((engine) => engine.unavailable === undefined);

  const forLanguage = (language: SpeechLanguage): EngineChoice | undefined => {
    const engine = usable.find((candidate) => candidate.languages.includes(language));
    if (engine !== undefined) return { engine, language };
    return language === "auto" ? heardInsteadOfAuto(usable) : undefined;
  };

  return {
    all,
    forLanguage,
    options: () => speechLanguages.map((code) => optionFor(code, forLanguage(code), all)),
    infos: () => all.map(infoOf),
    close: async () => {
      await Promise.all(all.map((engine) => engine.close()));
    },
  };
}

/** Without an engine that detects languages, `auto` is the preferred engine's first language: English where supported. */
function heardInsteadOfAuto(usable: readonly SpeechEngine[]): EngineChoice | undefined {
  const english = usable.find((engine) => engine.languages.includes("en"));
  if (english !== undefined) return { engine: english, language: "en" };
  const engine = usable.find((candidate) => candidate.languages.length > 0);
  const language = engine?.languages[0];
  return engine !== undefined && language !== undefined ? { engine, language } : undefined;
}

function optionFor(code: SpeechLanguage, choice: EngineChoice | undefined, all: readonly SpeechEngine[]): SpeechOption {
  if (choice !== undefined) {
    // Every engine emits interim text: on its own, or through utterance-stream.ts.
    const { id, speakers = false, vocabulary = false } = choice.engine;
    const option: SpeechOption = {
      code,
      available: true,
      engine: id,
      live: true,
      ...(speakers && { speakers }),
      ...(vocabulary && { vocabulary }),
    };
    return choice.language === code ? option : { ...option, resolvesTo: choice.language };
  }
  const wouldHear = all.filter((engine) => engine.languages.includes(code) || (code === "auto" && engine.languages.length > 0));
  if (wouldHear.length === 0) return { code, available: false, live: false, reason: "noEngine" };
  const broken = wouldHear.some((engine) => engine.fault === "broken");
  return { code, available: false, live: false, reason: broken ? "engineBroken" : "engineMissing" };
}

function infoOf(engine: SpeechEngine): EngineInfo {
  const { id, name, offline, unavailable } = engine;
  const info: EngineInfo = { id, name, offline, available: unavailable === undefined };
  return unavailable === undefined ? info : { ...info, detail: unavailable };
}
