import type { FinalTranscription, Segment } from "#contract/index.ts";
import type { CaptionLine } from "./captions.ts";
import type { RecordingRow } from "./recording-db.ts";
import { frameSeconds } from "./recordings.ts";

/** The maximum length of a title made of the first words, in characters. */
const titleLength = 60;

/** What is saved of a recording. @param dateOf makes the title when nothing was recognised; ISO 8601 */
export function finalTranscriptionOf(
  row: RecordingRow,
  lines: readonly CaptionLine[],
  dateOf: (iso: string) => string,
): FinalTranscription {
  const date = new Date(row.startedAt + row.base * frameSeconds * 1000).toISOString();
  const text = joined(lines.map((line) => line.text));
  return {
    clientId: row.clientId,
    ...(row.reached && { recordingId: row.recordingId }),
    title: titleOf(text) || dateOf(date),
    text,
    translatedText: joined(lines.map(({ translation }) => translation ?? "")),
    segments: lines.map(segmentOf),
    sourceLanguage: row.sourceLanguage,
    targetLanguage: row.targetLanguage,
    date,
  };
}

function segmentOf({ start, end, text, words, translation }: CaptionLine): Segment {
  return { start, end, text, words, ...(translation !== undefined && { translation }) };
}

function joined(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(" ");
}

/** The first words, not cut; a single longer word, or a script without spaces, is cut. */
export function titleOf(text: string): string {
  const all = text.trim().replace(/\s+/g, " ");
  if (all.length <= titleLength) return all;
  const cut = all.lastIndexOf(" ", titleLength - 1);
  const kept = cut > 0 ? all.slice(0, cut) : beginningOf(all);
  return `${kept.replace(/[\s\p{P}]+$/u, "")}…`;
}

/** As many whole graphemes as leave room for the ellipsis. */
function beginningOf(text: string): string {
  let kept = "";
  for (const character of text) {
    if (kept.length + character.length >= titleLength) break;
    kept += character;
  }
  return kept;
}
