import * as v from "valibot";

/**
 * Limits of a user's vocabulary. More lines hardly help: engines use a few hundred words at most, and each replacement
 * slows down every recognition. `bytes`: limit of a request's body, checked before parsing.
 */
export const vocabularyLimits = { lines: 2_000, characters: 60_000, lineCharacters: 200, bytes: 400_000 } as const;

/** The recognized text, and its replacement. */
export interface Replacement {
  heard: string;
  written: string;
}

/** The content of a vocabulary. */
export interface ParsedVocabulary {
  /** Names and terms as written, including those of replacements. Each once, in order. */
  terms: string[];
  replacements: Replacement[];
  /** Number of lines with two arrows, or with nothing on one side of the arrow; they have no effect. */
  incomplete: number;
}

/** Separates the recognized text from its replacement; a tab comes from a pasted table. */
const arrow = /→|=>|->|\t/;

/**
 * Parses a vocabulary: a line is one term, several separated by commas or semicolons, or "heard → written". It never
 * fails.
 */
export function parseVocabulary(text: string): ParsedVocabulary {
  const terms = new Set<string>();
  const replacements: Replacement[] = [];
  let incomplete = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const parts = line.trim().split(arrow).map(tidy);
    const [heard = "", written = ""] = parts;
    if (parts.length === 1) {
      for (const term of heard.split(/[,;]/)) terms.add(tidy(term));
    } else if (parts.length === 2 && /[\p{L}\p{N}]/u.test(heard) && written !== "") {
      replacements.push({ heard, written });
      terms.add(written);
    } else incomplete += 1;
  }
  terms.delete("");
  return { terms: [...terms], replacements, incomplete };
}

const tidy = (text: string): string => text.trim().replace(/\s+/g, " ");

/** Why a vocabulary can't be saved: the exceeded limit, the actual number, and the maximum. */
export interface VocabularyProblem {
  kind: "lines" | "characters" | "line";
  count: number;
  max: number;
  /** For `line`: the number of the line that is too long, from 1. */
  line?: number;
}

/** Checks the limits; null when it can be saved. */
export function vocabularyProblem(text: string): VocabularyProblem | null {
  const { lines: maxLines, characters, lineCharacters } = vocabularyLimits;
  // Checked before splitting, because a text can be of any size.
  const count = countLines(text);
  if (count > maxLines) return { kind: "lines", count, max: maxLines };
  if (text.length > characters) return { kind: "characters", count: text.length, max: characters };
  const lines = text.split("\n");
  const long = lines.findIndex((line) => line.length > lineCharacters);
  if (long < 0) return null;
  return { kind: "line", count: lines[long]?.length ?? 0, max: lineCharacters, line: long + 1 };
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const sentences = {
  lines: ({ count, max }: VocabularyProblem) =>
    `The vocabulary has ${count} lines, and ${max} at most are saved. Keep the names and terms that are misrecognized, and leave out ordinary words.`,
  characters: ({ count, max }: VocabularyProblem) =>
    `The vocabulary has ${count} characters, and ${max} at most are saved. Keep the names and terms that are misrecognized, and leave out ordinary words.`,
  line: ({ line, count, max }: VocabularyProblem) =>
    `Line ${line} of the vocabulary has ${count} characters, and ${max} at most are allowed. Put each name or term on its own line.`,
};

const VocabularyText = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const problem = vocabularyProblem(dataset.value);
    if (problem !== null) addIssue({ message: sentences[problem.kind](problem) });
  }),
);

/** GET /users/me/vocabulary; its `revision` increases with every change, 0 before the first. */
export const VocabularyAnswer = v.object({ text: v.string(), revision: v.number() });
export type VocabularyAnswer = v.InferOutput<typeof VocabularyAnswer>;

/**
 * PUT /users/me/vocabulary → VocabularyAnswer; `revision` is the one that was read. 409 `conflict` when it has changed
 * since. 400 `badRequest` beyond the limits, with a message that names the limit.
 */
export const VocabularyChange = v.object({ text: VocabularyText, revision: v.pipe(v.number(), v.integer(), v.minValue(0)) });
export type VocabularyChange = v.InferOutput<typeof VocabularyChange>;
