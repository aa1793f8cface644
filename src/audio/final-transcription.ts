import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import { type FinalTranscription, type Segment, titleOfWords } from "#contract/index.ts";
import type { CaptionLine } from "./captions.ts";
import type { RecordingRow } from "./recording-db.ts";
import { frameSeconds } from "./recordings.ts";

/** The data to save for a recording. @param dateOf makes the title of a recording without words; takes ISO 8601 */
export function finalTranscriptionOf(
  row: RecordingRow,
  lines: readonly CaptionLine[],
  dateOf: (iso: string) => string,
): FinalTranscription {
  const date = new Date(row.startedAt + row.base * frameSeconds * 1000).toISOString();
  const text = textOf(lines);
  return {
    clientId: row.clientId,
    ...(row.reached && { recordingId: row.recordingId }),
    title: titleIn(text, row.sourceLanguage, () => dateOf(date)),
    text,
    translatedText: translatedTextOf(lines),
    segments: lines.map(segmentOf),
    sourceLanguage: row.sourceLanguage,
    targetLanguage: row.targetLanguage,
    date,
  };
}

function segmentOf({ start, end, text, words, translation }: CaptionLine): Segment {
  return { start, end, text, words, ...(translation !== undefined && { translation }) };
}

/** With language detection, the server makes the title, because it depends on the detected language. */
function titleIn(text: string, language: string, otherwise: () => string): string {
  if (language === "auto" && text !== "") return "";
  return titleOfWords(text, language) || otherwise();
}
