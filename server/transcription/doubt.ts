import { align } from "#contract/correcting/align.ts";
import type { Segment } from "#contract/index.ts";

/** The result of a second recognition of a stretch of a recording. */
export interface SecondOpinion {
  /** Times in seconds from the recording's beginning. */
  start: number;
  end: number;
  text: string;
}

/** A confidence below the page's limit for unsure words. */
const doubtful = 0.2;

/** A word's letters and digits, so that case and punctuation make no difference. */
const lettersOf = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The key changes when the word is corrected. */
const keyOf = ({ text, start }: { text: string; start: number }) => `${start.toFixed(3)} ${lettersOf(text)}`;

/**
 * Gives a low confidence to words that a second recognition of the same sound does not confirm. Words with a confidence
 * keep it, and corrected words stay unchanged.
 * @param current the transcript as it is now
 * @param recognized the transcript as it was recognized
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
