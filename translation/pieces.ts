import { append } from "#contract/lists.ts";
import { translateLines } from "./lines.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * Limits of a call to the engine (characters, and texts): small enough that a canceled job ends soon and other users
 * get their turn.
 */
const batchCharacters = 4_000;
const batchTexts = 64;
/** Longer lines are cut at the ends of sentences (characters). */
const longestLine = 1_000;
/**
 * Longer sentences are cut at a mark between clauses, or at a space (characters). The engine itself would cut after 127
 * word pieces, and leave no space there.
 */
const longestSentence = 300;
/** The same limit for scripts that write a syllable or word in one or two characters. */
const longestDense = 100;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A part of a line, and the gap after it. */
interface Piece {
  text: string;
  gap: string;
}

/** Cuts a long line into pieces; pieces and gaps together are the line. */
export function cutLine(line: string): Piece[] {
  const longest = dense.test(line) ? longestDense : longestSentence;
  if (line.length <= longest) return [{ text: line, gap: "" }];
  const pieces: string[] = [];
  let piece = "";
  for (const parts of sentencesOf(line, longest)) {
    if (parts.length > 1 || piece.length + (parts[0]?.length ?? 0) > longestLine) {
      pieces.push(piece);
      append(pieces, parts.slice(0, -1));
      piece = "";
    }
    piece += parts.at(-1) ?? "";
  }
  return [...pieces, piece]
    .filter((whole) => whole !== "")
    .map((whole) => {
      const text = whole.trimEnd();
      return { text, gap: whole.slice(text.length) };
    });
}

/** Groups texts for one call to the engine each. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= batchTexts || characters + text.length > batchCharacters) {
      batches.push([text]);
      characters = text.length;
    } else {
      last.push(text);
      characters += text.length;
    }
  }
  return batches;
}

/**
 * Translates texts with Bergamot: line by line, and long lines in pieces, which are joined again.
 * @param translate gets the pieces of one call to the engine; its answer has the same length and order
 */
export function translateInPieces(
  texts: readonly string[],
  translate: (pieces: string[]) => Promise<string[]>,
): Promise<string[]> {
  return translateLines(texts, async (lines) => {
    const cut = lines.map((line) => cutLine(line.toWellFormed()));
    const translated: string[] = [];
    for (const batch of batchesOf(cut.flat().map(({ text }) => text))) append(translated, await translate(batch));
    const next = translated.values();
    return cut.map((pieces) => pieces.map(({ gap }) => (next.next().value ?? "") + gap).join(""));
  });
}
