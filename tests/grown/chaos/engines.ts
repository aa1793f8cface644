import { setTimeout } from "node:timers/promises";
import type { WorkerOverrides } from "#server/processes/open-worker.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { gatherEngines, type SpeechEngines } from "#server/speech/engines.ts";
import { openEngines } from "#server/speech/index.ts";
import { openScriptedStream, scriptedTranslation, segment } from "#tests/server/jobs/scripted.ts";

/** Time to recognize a piece in ms, long enough for kills in the middle. */
const pieceMs = 40;
/** Recordings in this language go to the real engine, which treats them as English. The scripted engine lacks it. */
export const realLanguage = "de-DE";

/**
 * A scripted engine with a fixed text for English, and the built-in model in killable processes for the other language.
 */
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
  // Loaded on first use: most servers are killed before that.
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

/**
 * The engines and worker times of a chaos run. Polls and waits are short because each process lives for a second or
 * two.
 */
export function chaosParts() {
  return {
    engines: chaosEngines(),
    translation: scriptedTranslation(),
    workerTimes: { pollMs: 25, beatMs: 250, retryMs: [50, 200] },
  } satisfies WorkerOverrides;
}
