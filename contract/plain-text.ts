import type { ExportContent, Segment, Transcription } from "./transcription.ts";

/** The text without line breaks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export type Texts = Pick<Transcription, "segments" | "text" | "translatedText" | "sourceLanguage" | "targetLanguage">;

/**
 * A transcription as a document shows it: with its translation, without, or with the translation in place of the
 * original. Where a translation is missing, the original stays, so that nothing spoken is lost.
 */
export function shownOf<Whole extends Texts>(transcription: Whole, content: ExportContent): Whole {
  const { segments, text, translatedText, sourceLanguage, targetLanguage } = transcription;
  if (content === "both") return transcription;
  if (content === "original") return { ...transcription, segments: segments.map(untranslated), translatedText: "" };
  return {
    ...transcription,
    segments: segments.map(inTranslation),
    text: oneLine(translatedText) === "" ? text : translatedText,
    translatedText: "",
    sourceLanguage: targetLanguage ?? sourceLanguage,
  };
}

function untranslated({ translation: _, translationLanguage: __, ...segment }: Segment): Segment {
  return segment;
}

/** The times are still those of the original words. */
function inTranslation({ translation = "", translationLanguage, ...segment }: Segment): Segment {
  if (oneLine(translation) === "") return segment;
  const language = translationLanguage === undefined ? {} : { language: translationLanguage };
  return { ...segment, ...language, text: translation, words: [] };
}

export interface Names {
  /** A speaker's display name; "" for none. */
  speaker: (segment: Pick<Segment, "speaker">) => string;
  language: (code: string) => string;
  /** The time of a segment; absent: no times. */
  time?: (segment: Pick<Segment, "start">) => string;
}

/**
 * A transcript as plain text: a line per segment, then the translation. The speaker is named where it changes. With two
 * languages, each line names its own and is followed by its translation.
 */
export function plainTextOf({ segments, text, translatedText, sourceLanguage }: Texts, names: Names): string {
  const spoken = segments.filter((segment) => oneLine(segment.text) !== "");
  if (spoken.some(({ language }) => language !== undefined)) return conversation(spoken, sourceLanguage, names);
  const lines = spoken.map(
    (segment, i) => `${timeOf(segment, names)}${speakerBefore(segment, spoken[i - 1], names)}${oneLine(segment.text)}`,
  );
  const original = lines.length > 0 ? lines.join("\n") : text.trim();
  const translated = segments.map((segment) => oneLine(segment.translation ?? "")).filter((line) => line !== "");
  const translation = translated.length > 0 ? translated.join("\n") : translatedText.trim();
  return [original, translation].filter((part) => part !== "").join("\n\n");
}

const timeOf = (segment: Segment, { time }: Names): string => (time === undefined ? "" : `${time(segment)} `);

function speakerBefore(segment: Segment, before: Segment | undefined, names: Names): string {
  const name = names.speaker(segment);
  return name === "" || segment.speaker === before?.speaker ? "" : `${name}: `;
}

function conversation(spoken: readonly Segment[], sourceLanguage: string, names: Names): string {
  const lines = spoken.map((segment) => {
    const language = segment.language ?? sourceLanguage;
    const name = [names.speaker(segment), language === "auto" ? "" : names.language(language)]
      .filter((part) => part !== "")
      .join(", ");
    const translation = oneLine(segment.translation ?? "");
    return `${timeOf(segment, names)}${name === "" ? "" : `${name}: `}${oneLine(segment.text)}${translation === "" ? "" : `\n→ ${translation}`}`;
  });
  return lines.join("\n\n");
}
