import { is } from "valibot";
import { type Segment, type SpeechLanguage, SpeechLanguage as SpeechLanguageSchema } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { Problem } from "#server/errors/problem.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { TranslateOptions } from "#server/translation/engine.ts";
import { type Translation, TranslationError } from "#server/translation/index.ts";

/** Batch size: small enough that a failure costs little, large enough to amortize the engine's start. */
const batchSize = 200;

/** The claimant of the translation. */
type TranslatedBy = Pick<TranslateOptions, "person" | "isPatient" | "signal">;

/** Translation for transcripts. Failures are Problems `translationUnavailable` and `translationFailed`. */
export interface Translator {
  /** Whether this pair is supported. True when the source is only detected during recognition. */
  supports(source: string, target: string): boolean;
  /**
   * Whether the speech engine for files in `source` translates, too. It does only where no text engine supports the
   * pair. Text engines see whole sentences, their order is chosen at /admin/models, and corrections can be translated
   * again. If the language is only detected during recognition, nobody knows which pairs apply: then only a text engine
   * that detects languages takes precedence.
   */
  isEngineTranslated(source: string, target: string): boolean;
  /** Translates each segment without a translation. */
  translateSegments(segments: readonly Segment[], source: string, target: string, by: TranslatedBy): Promise<Segment[]>;
  /** Translates each text separately. */
  translateTexts(texts: readonly string[], source: string, target: string, by: TranslatedBy): Promise<string[]>;
  /** Translates a text of several lines, line by line. */
  translateText(text: string, source: string, target: string, by: TranslatedBy): Promise<string>;
}

export function createTranslator(translation: Translation, engines: Pick<SpeechEngines, "forLanguage">): Translator {
  const spoken = (source: string) => (is(SpeechLanguageSchema, source) ? recognizedLanguage(engines, source) : source);
  const translate = async (texts: readonly string[], source: string, target: string, by: TranslatedBy) => {
    const translated: string[] = [];
    for (let from = 0; from < texts.length; from += batchSize) {
      const batch = texts.slice(from, from + batchSize);
      append(translated, await attempt(by.signal, () => translation.translate(batch, { source: spoken(source), target, ...by })));
    }
    return translated;
  };
  return {
    supports: (source, target) => spoken(source) === "auto" || translation.supports(spoken(source), target),
    isEngineTranslated: (source, target) => {
      const choice = is(SpeechLanguageSchema, source) ? engines.forLanguage(source, "files") : undefined;
      if (choice === undefined || translation.supports(choice.language, target)) return false;
      return choice.engine.translates?.(choice.language, target) === true;
    },
    translateSegments: async (segments, source, target, by) => {
      const missing = segments.filter(needsTranslation);
      const translated = await translate(
        missing.map(({ text }) => text),
        source,
        target,
        by,
      );
      let next = 0;
      return segments.map((segment) =>
        needsTranslation(segment) ? { ...segment, translation: translated[next++] ?? "" } : segment,
      );
    },
    translateTexts: translate,
    translateText: async (text, source, target, by) => {
      const lines = text.split("\n");
      const full = lines.filter((line) => line.trim() !== "");
      const translated = await translate(full, source, target, by);
      let next = 0;
      return lines.map((line) => (line.trim() === "" ? line : (translated[next++] ?? ""))).join("\n");
    },
  };
}

function needsTranslation(segment: Segment): boolean {
  return segment.translation === undefined && segment.text.trim() !== "";
}

/** Replaces `auto` by the language that the engine recognizes, if it can't detect languages. */
function recognizedLanguage(engines: Pick<SpeechEngines, "forLanguage">, source: SpeechLanguage): string {
  return engines.forLanguage(source, "files")?.language ?? source;
}

/** Maps every engine error to a Problem, except an abort. */
async function attempt<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Problem) throw error;
    if (!(error instanceof TranslationError)) throw new Problem("translationFailed", undefined, { cause: error });
    throw new Problem(error.code, error.message, { cause: error });
  }
}
