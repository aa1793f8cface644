import type { MeasuredSpeed } from "#contract/index.ts";
import { asTrialError, ModelTrialError, type TryModel } from "#server/models/trial.ts";
import { theServer } from "#server/threads/slots.ts";
import { findFiles, pairOf } from "./bergamot/files.ts";
import { BergamotProcess } from "./bergamot/process.ts";
import { TranslationError } from "./engine.ts";

export interface TranslationTrialOptions {
  now: () => number;
  /** Timeout of loading and translating (ms). */
  timeoutMs?: number;
}

const languages = "ar de en es fi fr hi it ja ko nl pl pt ru sv tr uk zh".split(" ");

/** Loads a model in its own process and translates a few lines twice; the second run measures its speed. */
export function translationTrial({ now, timeoutMs = 120_000 }: TranslationTrialOptions): TryModel {
  return async ({ folder, kind, languages: named }, signal) => {
    const files = findFiles(folder);
    if (kind !== "bergamot") throw new ModelTrialError("wrongKind", `This is not a translation model, but "${kind}".`);
    if (typeof files === "string") throw new ModelTrialError("wrongKind", `The model does not work: ${files}.`);
    const lines = sampleOf(pairOf({ entry: undefined, folder })?.source ?? named[0] ?? "en");
    const child = new BergamotProcess({ maxLoaded: 1, timeoutMs });
    try {
      await child.translate([files], lines.slice(0, 1), theServer, signal);
      const start = performance.now();
      const translated = await child.translate([files], lines, theServer, signal);
      if (translated.every((line) => line.trim() === "")) throw new ModelTrialError("unusable", "Its translation is empty.");
      return { speed: speedOf(performance.now() - start, lines, now()) };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof TranslationError ? asTrialError(error) : error;
    } finally {
      await child.close();
    }
  };
}

/** Milliseconds per word. */
function speedOf(ms: number, lines: readonly string[], now: number): MeasuredSpeed {
  const words = lines.join(" ").split(/\s+/).length;
  return { factor: ms / words, threads: 1, at: new Date(now).toISOString() };
}

/** A few sample lines in a language: names of languages and countries from the system. */
function sampleOf(language: string): string[] {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const regions = new Intl.DisplayNames(language, { type: "region" });
  const list = new Intl.ListFormat(language);
  return [
    list.format(languages.slice(0, 6).map((code) => names.of(code) ?? code)),
    list.format(languages.slice(6).map((code) => names.of(code) ?? code)),
    list.format(["DE", "ES", "FR", "IN", "JP", "US"].map((code) => regions.of(code) ?? code)),
  ];
}
