import { availableParallelism } from "node:os";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import type { InstalledModels } from "#server/models/model.ts";
import { asTrialError, ModelTrialError, type TryModel } from "#server/models/trial.ts";
import { theServer } from "#server/threads/slots.ts";
import { SpeakingError } from "../espeak.ts";
import { findVoice } from "./files.ts";
import { VoiceProcesses } from "./processes.ts";

export interface VoiceTrialOptions {
  now: () => number;
  /** Timeout of loading and speaking (ms). */
  timeoutMs?: number;
}

/** Loads a voice in its own process and lets it speak twice; the second run measures its speed. */
export function voiceTrial({ now, timeoutMs = 120_000 }: VoiceTrialOptions): TryModel {
  return async ({ folder, kind, languages }, signal) => {
    const threads = Math.max(1, availableParallelism() >> 1);
    const [language = "en"] = languages;
    if (kind !== "tts") throw new ModelTrialError("wrongKind", `This is not a voice, but "${kind}".`);
    const found = await findVoice(folder, language, threads);
    if (typeof found === "string") throw new ModelTrialError("wrongKind", `The voice does not work: ${found}.`);
    const model = {
      id: "candidate",
      folder,
      kind,
      purpose: "speaking",
      languages,
      entry: undefined,
      check: "none",
      bytes: 0,
      speed: undefined,
    } as const;
    const processes = new VoiceProcesses({ models: onTrial, threads, timeoutMs });
    const say = async (text: string) => {
      let seconds = 0;
      for await (const { pcm, rate } of processes.speak(model, { text, language, rate: 1, person: theServer, signal }))
        seconds += pcm.length / 2 / rate;
      return seconds;
    };
    try {
      await say(sampleOf(language));
      const start = performance.now();
      const seconds = await say(sampleOf(language));
      const factor = (performance.now() - start) / 1000 / seconds;
      return { speed: { factor, threads, at: new Date(now()).toISOString() } };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof SpeakingError ? asTrialError(error) : error;
    } finally {
      await processes.close();
    }
  };
}

/** The candidate is not installed, so nothing has to be held. */
const onTrial: InstalledModels = { ...onlyBuiltIn, hold: async () => ({ [Symbol.asyncDispose]: async () => undefined }) };

/** A sample text in a language: names of languages from the system. */
function sampleOf(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  return new Intl.ListFormat(language).format(["de", "en", "es", "fr", "it"].map((code) => names.of(code) ?? code));
}
