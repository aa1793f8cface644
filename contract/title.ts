import { oneLine } from "./plain-text.ts";
import { contentStart } from "./title-skips.ts";
import type { TranscriptionSummary } from "./transcription.ts";

/** Longest title made of words, including an ellipsis (characters). */
const longest = 60;
/** Most words of a title that is cut where no clause ends. */
const maxWords = 8;
/** A shorter sentence or clause says too little (characters), so the title continues. */
const shortestSentence = 12;
const shortestClause = 20;
/** Characters of a text that are considered. */
const considered = 1000;

const sentenceEnds = /[.!?…]+(?=\s)|[。！？]/gu;
const clauseEnds = /[,;:](?=\s)|\s[–—-](?=\s)|[、，；：。！？]|[.!?…](?=\s)/gu;

/**
 * A title made of a text's beginning, without sounds like "um" and greetings: its first sentence, or as many clauses or
 * words of it as fit.
 * @param language of the text ("pt-br"); for an unknown one, only sounds are skipped
 * @returns "" for a text that says nothing
 */
export function titleOfWords(text: string, language: string): string {
  const all = oneLine(text.slice(0, considered));
  const start = contentStart(all, language);
  const title = cut(firstSentence(all.slice(start)));
  return start === 0 ? title : capitalized(title);
}

/** Capitalizes the beginning of a text for a title. */
export function capitalized(text: string): string {
  return text.replace(/^\p{P}*\p{L}/u, (first) => first.toUpperCase());
}

/** "3. März" and "Dr. Smith" don't end a sentence: its last word must have at least four characters. */
function firstSentence(text: string): string {
  for (const { index, 0: mark } of text.slice(0, longest + 1).matchAll(sentenceEnds)) {
    const isEnd = mark !== "." || /[\p{L}\p{N}]{4}$/u.test(text.slice(0, index));
    if (isEnd && index >= shortestSentence) return text.slice(0, index + mark.length);
  }
  return text;
}

function cut(sentence: string): string {
  if (sentence.length <= longest) return sentence.replace(/[\s.,;:。、，；：–—-]+$/u, "") || sentence;
  const clauses = [...sentence.slice(0, longest).matchAll(clauseEnds)].filter(({ index }) => index >= shortestClause);
  const kept = clauses.length > 0 ? sentence.slice(0, clauses.at(-1)?.index) : firstWords(sentence);
  return `${kept.replace(/[\s\p{P}]+$/u, "")}…`;
}

/**
 * As many whole words as fit. Of a single longer word, or a script without spaces: as many characters as leave room for
 * the ellipsis.
 */
function firstWords(text: string): string {
  const words = text.slice(0, longest).split(" ");
  if (words.length > 1) return words.slice(0, Math.min(maxWords, words.length - 1)).join(" ");
  let kept = "";
  for (const character of text) {
    if (kept.length + character.length >= longest) break;
    kept += character;
  }
  return kept;
}

/** The title of a transcription without a name and words: "2026-03-01 12:00", UTC. @param at epoch milliseconds */
export function titleByDate(at: number): string {
  return Number.isNaN(at) ? "" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

export type Titled = Pick<TranscriptionSummary, "title" | "text" | "sourceLanguage" | "date">;

/** Whether a title is more than the date: typed by a user, from a file, or made of words. */
function isSaid({ title, date }: Titled): boolean {
  return title !== "" && title !== titleByDate(Date.parse(date));
}

/** The title, or else one made of its first words; "" without either. A typed title stays unchanged. */
export function titleOf(item: Titled): string {
  return isSaid(item) ? item.title : titleOfWords(item.text, item.sourceLanguage);
}

/**
 * The file name of a transcription, without its extension: the title. If the title is made of first words, which many
 * share, the day is added.
 * @param shown the title as displayed
 * @param day "2026-03-01"
 */
export function fileTitle(item: Titled, shown: string, day: string): string {
  const isOfWords = shown !== "" && shown === titleOfWords(item.text, item.sourceLanguage);
  return isOfWords && day !== "" ? `${day} ${shown}` : shown;
}
