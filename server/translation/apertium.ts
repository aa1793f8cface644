import { execFile } from "node:child_process";
import { translateLines } from "#translation/lines.ts";
import { baseLanguage, keyOfPair, type LanguagePair, type TranslationEngine, TranslationError } from "./engine.ts";
import { Pipelines } from "./pipelines.ts";
import { withCapitalsOf } from "./tidy.ts";

/**
 * Timeout of a batch (ms), so that a hanging pipe does not block a job. A batch is text of one recording: a hundred
 * sentences take half a second.
 */
const defaultTimeout = 60_000;

export interface ApertiumConfig {
  /** The program. Default "apertium", looked up in PATH. */
  program?: string;
  /** Timeout of one batch, in milliseconds. Default 60,000. */
  timeoutMs?: number;
}

/** Rule-based translation without a network, in the directions whose packages are installed (`apertium -l`). */
export async function openApertium({
  program = "apertium",
  timeoutMs = defaultTimeout,
}: ApertiumConfig = {}): Promise<TranslationEngine> {
  const modes = await installedModes(program);
  const missing = modes === undefined || modes.size === 0;
  const pipelines = new Pipelines(program);
  return {
    id: "apertium",
    name: "Apertium",
    offline: true,
    unavailable: missing
      ? "Apertium is not installed. Install it with a language pair: apt-get install apertium apertium-eng-spa"
      : undefined,
    pairs: [...(modes?.values() ?? [])].map(({ source, target }) => ({ source, target })),
    translate: async (texts, options) => {
      const mode = modes?.get(pairKey(options));
      if (mode === undefined) throw new TranslationError("translationUnavailable", "Apertium has no package for this pair.");
      const limit = AbortSignal.timeout(timeoutMs);
      const either = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
      try {
        return await translateLines(texts, async (lines) => {
          const translated = await run(pipelines, mode.name, lines, either);
          return lines.map((line, at) => withCaseOf(line, translated[at] ?? ""));
        });
      } catch (error) {
        options.signal?.throwIfAborted();
        throw limit.aborted ? new TranslationError("translationFailed", "Apertium took too long.", { cause: error }) : error;
      }
    },
  };
}

type Mode = LanguagePair & { name: string };

function pairKey({ source, target }: LanguagePair): string {
  return keyOfPair({ source: baseLanguage(source), target: baseLanguage(target) });
}

/** The installed directions by pair; undefined without Apertium. */
async function installedModes(program: string): Promise<Map<string, Mode> | undefined> {
  const listing = await new Promise<string | undefined>((resolve) => {
    execFile(program, ["-l"], { timeout: 10_000, killSignal: "SIGKILL" }, (error, output) =>
      resolve(error === null ? output : undefined),
    );
  });
  if (listing === undefined) return undefined;
  const modes = new Map<string, Mode>();
  for (const name of listing.split(/\s+/).filter(Boolean)) {
    const mode = modeOf(name);
    if (mode === undefined) continue;
    const key = pairKey(mode);
    const known = modes.get(key);
    // "spa-eng_US" counts only without a "spa-eng".
    if (known === undefined || name.length < known.name.length) modes.set(key, mode);
  }
  return modes;
}

/**
 * The language pair of a mode such as "eng-spa", "en-es", or "spa-eng_US"; undefined for modes that don't translate
 * ("eng-spa-tagger").
 */
function modeOf(name: string): Mode | undefined {
  const match = /^([a-z]{2,3})(?:_\w+)?-([a-z]{2,3})(?:_\w+)?$/.exec(name);
  if (match === null) return undefined;
  const [, source = "", target = ""] = match;
  return { name, source: baseLanguage(source), target: baseLanguage(target) };
}

/**
 * Restores the case of the source. Apertium moves capitals with its words ("EL agua..."), and capitalizes the line
 * after the end of a sentence. Restored are the case of sentences (tidy.ts), all-caps lines, and capitals within a line
 * only where the source has some.
 */
function withCaseOf(line: string, translated: string): string {
  if (!/\p{Ll}/u.test(line) && /\p{Lu}.*\p{Lu}/u.test(line)) return translated.toUpperCase();
  const isShouting = /\p{Lu}{2}/u.test(line);
  const calm = isShouting
    ? translated
    : translated.replace(/\p{Lu}{2,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
  return withCapitalsOf(line, calm);
}

/**
 * Translates all lines with one pipeline. Apertium's text format escapes special characters (^ $ / < > { } [ ] \ @). An
 * empty line ends a sentence, so that nothing is translated across lines.
 */
async function run(pipelines: Pipelines, mode: string, lines: string[], signal: AbortSignal): Promise<string[]> {
  const output = await pipelines.pass(mode, `${lines.join("\n\n")}\n`, signal);
  const translated = output.trim().split(/\n\n+/);
  if (translated.length === lines.length) return translated.map((line) => line.trim());
  // A line became empty, or two lines: the halves are translated separately, so that no line is shifted.
  if (lines.length === 1) return [output.trim()];
  const middle = Math.ceil(lines.length / 2);
  const halves = [lines.slice(0, middle), lines.slice(middle)];
  return (await Promise.all(halves.map((half) => run(pipelines, mode, half, signal)))).flat();
}
