import * as v from "valibot";

/**
 * How much a person's vocabulary may hold. Lines beyond these hardly help: engines heed a few hundred words at most, and each
 * replacement costs time in everything that is recognized. `bytes`: of a request's body, read before it is parsed.
 */
export const vocabularyLimits = { lines: 2_000, characters: 60_000, lineCharacters: 200, bytes: 400_000 } as const;

/** What was recognized, and how it is written instead. */
export interface Replacement {
  heard: string;
  written: string;
}

/** What a vocabulary's lines say. */
export interface ParsedVocabulary {
  /** Names and terms, as they are written; those of replacements included. Each once, in order. */
  terms: string[];
  replacements: Replacement[];
  /** How many lines have an arrow and nothing on one side of it, or two arrows: they have no effect. */
  incomplete: number;
}

/** Between what is recognized and what is written; a tab comes from a table that was pasted. */
const arrow = /→|=>|->|\t/;

/** Reads a vocabulary: a line is one term, several between commas or semicolons, or "heard → written". It never fails. */
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

/** Why a vocabulary can't be kept: what there is too much of, how much there is, and how much there may be. */
export interface VocabularyProblem {
  kind: "lines" | "characters" | "line";
  count: number;
  max: number;
  /** Of `line`: which one is too long, from 1. */
  line?: number;
}

/** Checks the limits; null when it can be kept. */
export function vocabularyProblem(text: string): VocabularyProblem | null {
  const { lines: maxLines, characters, lineCharacters } = vocabularyLimits;
  // Before anything is split: a text can be of any size.
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
    `The vocabulary has ${count} lines; at most ${max} can be kept. Keep the names and terms that are misheard, and leave out ordinary words.`,
  characters: ({ count, max }: VocabularyProblem) =>
    `The vocabulary has ${count} characters; at most ${max} can be kept. Keep the names and terms that are misheard, and leave out ordinary words.`,
  line: ({ line, count, max }: VocabularyProblem) =>
    `Line ${line} of the vocabulary has ${count} characters; at most ${max} are possible. Put each name or term on a line of its own.`,
};

const VocabularyText = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const problem = vocabularyProblem(dataset.value);
    if (problem !== null) addIssue({ message: sentences[problem.kind](problem) });
  }),
);

/** GET /users/me/vocabulary; its `revision` grows with every change, 0 before the first. */
export const VocabularyAnswer = v.object({ text: v.string(), revision: v.number() });
export type VocabularyAnswer = v.InferOutput<typeof VocabularyAnswer>;

/**
 * PUT /users/me/vocabulary → VocabularyAnswer; `revision` is the one that was read. 409 `conflict` when it has another by now: it was
 * changed elsewhere. 400 `badRequest` beyond the limits, with a message that says which.
 */
export const VocabularyChange = v.object({ text: VocabularyText, revision: v.pipe(v.number(), v.integer(), v.minValue(0)) });
export type VocabularyChange = v.InferOutput<typeof VocabularyChange>;
