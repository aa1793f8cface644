import type { Segment, Transcription } from "#contract/index.ts";
import { type Labels, languageName, oneLine, speakerName } from "./labels.ts";

/**
 * The transcript as plain text: a line per segment, then the translation; the speaker is named where it changes. With two
 * languages, each line names its own and is followed by its translation.
 */
export function asText(transcription: Transcription, labels: Labels): string {
  const { segments, text, translatedText } = transcription;
  const spoken = segments.filter((segment) => oneLine(segment.text) !== "");
  if (spoken.some(({ language }) => language !== undefined)) return conversation(transcription, spoken, labels);
  const lines = spoken.map((segment, i) => `${speakerBefore(segment, spoken[i - 1], labels)}${oneLine(segment.text)}`);
  const original = lines.length > 0 ? lines.join("\n") : text.trim();
  const translated = segments.map((segment) => oneLine(segment.translation ?? "")).filter((line) => line !== "");
  const translation = translated.length > 0 ? translated.join("\n") : translatedText.trim();
  return `${[original, translation].filter((part) => part !== "").join("\n\n")}\n`;
}

function speakerBefore(segment: Segment, before: Segment | undefined, labels: Labels): string {
  const name = speakerName(segment, labels);
  return name === "" || segment.speaker === before?.speaker ? "" : `${name}: `;
}

function conversation({ sourceLanguage }: Transcription, spoken: readonly Segment[], labels: Labels): string {
  const lines = spoken.map((segment) => {
    const language = segment.language ?? sourceLanguage;
    const names = [speakerName(segment, labels), language === "auto" ? "" : languageName(language, labels)];
    const name = names.filter((part) => part !== "").join(", ");
    const translation = oneLine(segment.translation ?? "");
    return `${name === "" ? "" : `${name}: `}${oneLine(segment.text)}${translation === "" ? "" : `\n→ ${translation}`}`;
  });
  return `${lines.join("\n\n")}\n`;
}
