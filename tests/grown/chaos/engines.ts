import { setTimeout } from "node:timers/promises";
import type { WorkerOverrides } from "#server/processes/open-worker.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { gatherEngines, type SpeechEngines } from "#server/speech/engines.ts";
import { openEngines } from "#server/speech/index.ts";
import { openScriptedStream, scriptedTranslation, segment } from "#tests/server/jobs/scripted.ts";

/** A piece takes this long, so that many are killed half-way (milliseconds). */
const pieceMs = 40;
/** Whose recordings the real engine hears, as English: a language that the scripted engine does not have. */
export const realLanguage = "de-DE";

/** Knows beforehand what English says, and recognizes everything else with the built-in model, in processes of its own that can be killed. */
function chaosEngines(): SpeechEngines {
  const scripted: SpeechEngine = {
    id: "scripted",
    name: "Scripted",
    offline: true,
    unavailable: undefined,
    languages: ["en"],
    parallel: 3,
    transcribe: async (pcm) => {
      await setTimeout(pieceMs);
      return [segment("one two", 0, pcm.length / 32_000)];
    },
    openStream: openScriptedStream,
    close: async () => {},
  };
  // Loaded with the first that it hears: most servers are killed before.
  let opened: Promise<SpeechEngines> | undefined;
  const builtIn = async () => {
    opened ??= openEngines({ dataDir: "/nowhere", parallel: 1 });
    const [engine] = (await opened).all();
    if (engine === undefined) throw new Error("There is no built-in model.");
    return engine;
  };
  const real: SpeechEngine = {
    id: "built-in",
    name: "Built in",
    offline: true,
    unavailable: undefined,
    languages: [realLanguage],
    parallel: 1,
    transcribe: async (pcm, options) => (await builtIn()).transcribe(pcm, { ...options, language: "en" }),
    openStream: async (options) => (await builtIn()).openStream({ ...options, language: "en" }),
    close: async () => (await opened)?.close(),
  };
  return gatherEngines([scripted, real]);
}

/** What servers and workers of a chaos run jobs with. They poll often and wait briefly: each lives for a second or two. */
export function chaosParts() {
  return {
    engines: chaosEngines(),
    translation: scriptedTranslation(),
    workerTimes: { pollMs: 25, beatMs: 250, retryMs: [50, 200] },
  } satisfies WorkerOverrides;
}
