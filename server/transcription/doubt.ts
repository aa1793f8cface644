import { align } from "#contract/correcting/align.ts";
import type { Segment } from "#contract/index.ts";

/** What a second recognition made of a stretch of a recording. */
export interface SecondOpinion {
  /** In seconds from the recording's beginning. */
  start: number;
  end: number;
  text: string;
}

/** Below what the page marks as unsure. */
const doubtful = 0.2;

/** Of a word: its letters and digits, so that case and punctuation make no difference. */
const lettersOf = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Corrected since, it is another word. */
const keyOf = ({ text, start }: { text: string; start: number }) => `${start.toFixed(3)} ${lettersOf(text)}`;

/**
 * Gives a low confidence to those words of a transcript that a second recognition of the same sound does not have. Words that have a
 * confidence keep it, and so do all others that are not as they were recognized.
 * @param current as the transcript is now
 * @param recognized as it was recognized
 */
export function withDoubts(
  current: readonly Segment[],
  recognized: readonly Segment[],
  opinions: readonly SecondOpinion[],
): Segment[] {
  const all = recognized.flatMap(({ words }) => words);
  const doubted = new Set<string>();
  for (const { start, end, text } of opinions) {
    const words = all.filter((word) => (word.start + word.end) / 2 >= start && (word.start + word.end) / 2 < end);
    const confirmed = new Set(
      align(
        words.map((word) => lettersOf(word.text)),
        text.split(/\s+/).map(lettersOf),
      ),
    );
    for (const [at, word] of words.entries()) if (!confirmed.has(at)) doubted.add(keyOf(word));
  }
  return current.map((segment) => ({
    ...segment,
    words: segment.words.map((word) =>
      word.confidence === undefined && doubted.has(keyOf(word)) ? { ...word, confidence: doubtful } : word,
    ),
  }));
}
