import type { InstalledModels } from "#server/models/model.ts";
import type { MemoryBudget } from "#server/threads/budget.ts";
import { ModelMemory } from "#server/threads/memory.ts";
import type { NotUnderstood } from "#speech/recognize-with-retry.ts";
import type { VoiceActivity } from "#speech/voice-activity.ts";
import { type SpeechEngine, SpeechError } from "../engine.ts";
import type { EngineChild } from "../process/child.ts";
import { SherpaEngine } from "./engine.ts";
import { isSherpaKind } from "./model.ts";

export interface SherpaEngines {
  /** One engine for each installed recognition model, or one that says why there is none. */
  all(): readonly SpeechEngine[];
  close(): Promise<void>;
}

export interface SherpaOptions {
  models: InstalledModels;
  /** The models folder, shown to users. */
  modelsFolder: string;
  /** SPEECH_MODEL. */
  named: string | undefined;
  threads: number;
  /** Shared with other models; default: a budget of its own. */
  budget?: MemoryBudget | undefined;
  /** Idle time after which a model's memory is freed (ms). */
  idleMs?: number;
  /** Detects voices in noise. Default: by energy. */
  activity?: VoiceActivity;
  /** Called when a voice got no text. */
  onNotUnderstood?: NotUnderstood;
}

/** Follows the installed models: an engine lives as long as its model, whatever else changes. */
export async function openSherpa(options: SherpaOptions): Promise<SherpaEngines> {
  const { models, modelsFolder, named, threads, activity, onNotUnderstood } = options;
  const { budget, idleMs } = options;
  const refuse = (why: string) => new SpeechError("engineUnavailable", why);
  const memory = new ModelMemory<EngineChild>({ budget, idleMs, refuse });
  const parts = { memory, threads, named, activity, onNotUnderstood, hold: (id: string) => models.hold(id) };
  let engines: SherpaEngine[] = [];
  let missing: SpeechEngine[] = [];

  const gather = async () => {
    const before = engines;
    const recognizers = models.all().filter(({ purpose, kind }) => purpose === "hearing" && isSherpaKind(kind));
    engines = recognizers.map((model) => {
      const known = before.find(({ id }) => id === model.id);
      return known?.update(model) === true ? known : new SherpaEngine(model, parts);
    });
    const reason = whyNone(engines, modelsFolder, named);
    missing = reason === undefined ? [] : [missingEngine(reason)];
    await Promise.all(before.filter((engine) => !engines.includes(engine)).map((engine) => engine.close()));
    // A model that was unpacked by hand is loaded early to see whether it is broken; the others were tried before they
    // were installed.
    const untried = recognizers.filter(({ check, speed }) => check === "none" && speed === undefined).map(({ id }) => id);
    for (const engine of engines.filter(({ id }) => untried.includes(id))) {
      if (before.includes(engine) || !(await engine.load())) continue;
      // Nothing waits for the figure; without it, the model counts as fast enough.
      engine
        .measure()
        .then(
          (speed) => models.noteSpeed(engine.id, speed),
          () => undefined,
        )
        .catch(() => undefined);
    }
  };

  await gather();
  const stopListening = models.onChange(() => void gather());
  return {
    all: () => [...engines, ...missing],
    close: async () => {
      stopListening();
      await memory.close();
    },
  };
}

function whyNone(engines: readonly SpeechEngine[], folder: string, named: string | undefined): string | undefined {
  if (named !== undefined && !engines.some(({ id }) => id === named)) {
    return `SPEECH_MODEL is "${named}", but ${folder} has no such model.`;
  }
  return engines.length === 0 ? `${folder} has no model. Install one: npm run models` : undefined;
}

function missingEngine(unavailable: string): SpeechEngine {
  return {
    id: "sherpa",
    name: "sherpa-onnx",
    offline: true,
    unavailable,
    fault: "missing",
    languages: [],
    parallel: 1,
    transcribe: () => Promise.reject(new SpeechError("engineUnavailable", unavailable)),
    openStream: () => Promise.reject(new SpeechError("engineUnavailable", unavailable)),
    close: async () => undefined,
  };
}
