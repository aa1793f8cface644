import { oneLine } from "./plain-text.ts";
import { contentStart } from "./title-skips.ts";
import type { TranscriptionSummary } from "./transcription.ts";

/** Characters of a title that is made of words: with its ellipsis, where it is cut. */
const longest = 60;
/** Words of one that is cut where no clause ends. */
const maxWords = 8;
/** A sentence, or a clause, with fewer characters says too little: the title goes on. */
const shortestSentence = 12;
const shortestClause = 20;
/** So much of a text is looked at. */
const considered = 1000;

const sentenceEnds = /[.!?…]+(?=\s)|[。！？]/gu;
const clauseEnds = /[,;:](?=\s)|\s[–—-](?=\s)|[、，；：。！？]|[.!?…](?=\s)/gu;

/**
 * A title made of what a text begins to say, after sounds like "um" and greetings: its first sentence, or as much of it as ends with a clause
 * or a word and is not too long.
 * @param language of the text ("pt-br"); one that is not known skips sounds alone
 * @returns "" for a text that says nothing
 */
export function titleOfWords(text: string, language: string): string {
  const all = oneLine(text.slice(0, considered));
  const start = contentStart(all, language);
  const title = cut(firstSentence(all.slice(start)));
  return start === 0 ? title : capitalized(title);
}

/** How a text begins when it is a title. */
export function capitalized(text: string): string {
  return text.replace(/^\p{P}*\p{L}/u, (first) => first.toUpperCase());
}

/** "3. März" and "Dr. Smith" end no sentence: the last word has four characters or more. */
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

/** Words that are whole; of a single longer one, or a script without spaces, as many whole characters as leave room for the ellipsis. */
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

/** What a transcription is titled while it has neither a name nor words: "2026-03-01 12:00", UTC. @param at epoch milliseconds */
export function titleByDate(at: number): string {
  return Number.isNaN(at) ? "" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

export type Titled = Pick<TranscriptionSummary, "title" | "text" | "sourceLanguage" | "date">;

/** Whether a title says more than the date: a person has typed it, a file brought it, or it was made of words. */
function isSaid({ title, date }: Titled): boolean {
  return title !== "" && title !== titleByDate(Date.parse(date));
}

/** The title, or what its first words give while it has none; "" for one without either. One that a person has typed is as it was typed. */
export function titleOf(item: Titled): string {
  return isSaid(item) ? item.title : titleOfWords(item.text, item.sourceLanguage);
}

/**
 * What a file made of a transcription is called, without its ending: by its title, and by the day as well where that was made of its first
 * words, which many have.
 * @param shown what it is called where it is shown @param day "2026-03-01"
 */
export function fileTitle(item: Titled, shown: string, day: string): string {
  const isOfWords = shown !== "" && shown === titleOfWords(item.text, item.sourceLanguage);
  return isOfWords && day !== "" ? `${day} ${shown}` : shown;
}
