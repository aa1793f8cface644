import type { Segment, Word } from "#contract/index.ts";
import { upperFirst } from "../words.ts";
import { findNumbers } from "./numbers/numbers.ts";
import { isEnglish, isPlain } from "./plain.ts";
import type { FindReplacements } from "./replacements.ts";
import { rewritten, unmarkedText } from "./rewrite.ts";

/** How a user wants recognized text to be written. */
export interface Wording {
  replace: FindReplacements;
  /** The spoken language of segments without one of their own. */
  language: string;
  punctuator: {
    /**
     * Adds casing and punctuation to lower-case words separated by single spaces; undefined on failure.
     * @param language a two-letter code
     */
    punctuate(
      text: string,
      language: string,
      by: { person: string; signal?: AbortSignal | undefined },
    ): Promise<string | undefined>;
  };
  /** The account, or a network. */
  person: string;
  signal?: AbortSignal;
}

/**
 * Writes an engine's final segments as the user wants, with marks on changes. Replacements come first, because they
 * refer to recognized words; then numbers, casing and punctuation, if the engine gives none of these.
 */
export async function write(segments: readonly Segment[], wording: Wording): Promise<Segment[]> {
  const { replace, language, punctuator, person, signal } = wording;
  const isBare = (segment: Segment) => isEnglish(segment.language ?? language) && isPlain(segment.text);
  const worded = segments.map((segment) => {
    const replaced = rewritten(segment, replace(segment.text));
    return isBare(segment) ? rewritten(replaced, findNumbers(unmarkedText(replaced))) : replaced;
  });
  // If any segment has punctuation, the engine gives it, and nothing is changed.
  if (!segments.every(isBare)) return worded;
  return punctuated(worded, (text) => punctuator.punctuate(text, "en", { person, signal }));
}

/** Adds casing and punctuation to lower-case words; undefined on failure. */
type AddPunctuation = (text: string) => Promise<string | undefined>;

const tokensOf = (text: string): string[] => text.split(/\s+/).filter((token) => token !== "");

/** The recognized form of a word, in lower case: punctuation is based on that, not on the spelling. */
const spokenTokens = ({ text, heard }: Pick<Word, "text" | "heard">): string[] => tokensOf((heard ?? text).toLowerCase());

interface Source {
  segment: Segment;
  words: readonly Pick<Word, "text" | "heard">[];
}

/**
 * Adds casing and punctuation to consecutive segments without either, as one text, because sentences continue across
 * segments. Words keep their times, and rewritten words keep their spelling. A segment whose text differs from its
 * joined words stays as it is; on failure, all stay.
 */
async function punctuated(segments: readonly Segment[], add: AddPunctuation): Promise<Segment[]> {
  const sources = segments.map((segment): Source => ({ segment, words: wordsFor(segment) }));
  const spoken = sources.flatMap(({ words }) => words.flatMap(spokenTokens));
  if (spoken.length === 0) return [...segments];
  const answer = await add(spoken.join(" "));
  if (answer === undefined) return [...segments];
  const tokens = tokensOf(answer);
  let at = 0;
  return sources.map(({ segment, words }) => {
    if (words.length === 0) return segment;
    const spelled = words.map((word) => {
      const from = at;
      at += spokenTokens(word).length;
      return spelling(word, tokens.slice(from, at), from === 0 || /[.?]$/.test(tokens[from - 1] ?? ""));
    });
    return {
      ...segment,
      text: spelled.join(" "),
      words: segment.words.map((word, index) => ({ ...word, text: spelled[index] ?? word.text })),
    };
  });
}

/** The words of a segment; empty where they differ from its text. */
function wordsFor({ text, words }: Segment): Source["words"] {
  const own = words.length === 0 ? tokensOf(text).map((token) => ({ text: token })) : words;
  const isSame = own.map((word) => word.text).join(" ") === text.trim();
  // A mark without a word, which no engine gives, would shift all following words.
  return isSame && own.every((word) => spokenTokens(word).length > 0) ? own : [];
}

function spelling({ text, heard }: Source["words"][number], tokens: readonly string[], isFirst: boolean): string {
  const ending = /[,.?]$/.exec(tokens.at(-1) ?? "")?.[0] ?? "";
  if (heard !== undefined) return `${text}${ending}`;
  const written = tokens.join(" ").replace(/^i(?=$|[',.?])/, "I");
  return isFirst ? upperFirst(written) : written;
}
