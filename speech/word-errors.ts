import { normalForm } from "#contract/normal-form.ts";
export interface WordErrors {
  /** Words left out, inserted or substituted. */
  errors: number;
  /** Words of the reference. */
  words: number;
  /** Errors per word of the reference, in percent; 0 without words. */
  percent: number;
}

/** Words without case and punctuation, normalized (NFKC), for comparing two texts. */
export function wordsOf(text: string): string[] {
  return (
    normalForm(text, "NFKC")
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}']*/gu) ?? []
  );
}

/** The word error rate: the fewest changes that turn the recognized text into the reference. */
export function wordErrors(recognized: string, reference: string): WordErrors {
  const [said, wanted] = [wordsOf(recognized), wordsOf(reference)];
  let row = wanted.map((_, at) => at + 1);
  for (const [at, word] of said.entries()) {
    let diagonal = at;
    let left = at + 1;
    row = row.map((above, column) => {
      const change = diagonal + (wanted[column] === word ? 0 : 1);
      left = Math.min(change, above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  const errors = wanted.length === 0 ? said.length : (row.at(-1) ?? 0);
  return { errors, words: wanted.length, percent: wanted.length === 0 ? 0 : (100 * errors) / wanted.length };
}
