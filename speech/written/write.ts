import type { Segment, Word } from "#contract/index.ts";
import { upperFirst } from "../words.ts";
import { findNumbers } from "./numbers/numbers.ts";
import { isEnglish, isPlain } from "./plain.ts";
import type { FindReplacements } from "./replacements.ts";
import { rewritten, unmarkedText } from "./rewrite.ts";

/** How a person wants what was recognized to be written. */
export interface Wording {
  replace: FindReplacements;
  /** Spoken, where a segment has none of its own. */
  language: string;
  punctuator: {
    /**
     * Adds casing and punctuation to words in lower case between single spaces; undefined when it can't.
     * @param language a two-letter code
     */
    punctuate(
      text: string,
      language: string,
      by: { person: string; signal?: AbortSignal | undefined },
    ): Promise<string | undefined>;
  };
  /** Whose words they are: the account, or a network. */
  person: string;
  signal?: AbortSignal;
}

/**
 * Writes an engine's final segments as the person does, with marks where they differ: replacements first, as they name
 * what was recognized; then numbers, and casing and punctuation, of an engine that gives neither.
 */
export async function write(segments: readonly Segment[], wording: Wording): Promise<Segment[]> {
  const { replace, language, punctuator, person, signal } = wording;
  const isBare = (segment: Segment) => isEnglish(segment.language ?? language) && isPlain(segment.text);
  const worded = segments.map((segment) => {
    const replaced = rewritten(segment, replace(segment.text));
    return isBare(segment) ? rewritten(replaced, findNumbers(unmarkedText(replaced))) : replaced;
  });
  // One that has punctuation already comes of an engine that gives it: then nothing of it is touched.
  if (!segments.every(isBare)) return worded;
  return punctuated(worded, (text) => punctuator.punctuate(text, "en", { person, signal }));
}

/** Adds casing and punctuation to words in lower case; undefined when it can't. */
type AddPunctuation = (text: string) => Promise<string | undefined>;

const tokensOf = (text: string): string[] => text.split(/\s+/).filter((token) => token !== "");

/** What was recognized of a word, in lower case: punctuation is made of that, not of how it is written. */
const spokenTokens = ({ text, heard }: Pick<Word, "text" | "heard">): string[] => tokensOf((heard ?? text).toLowerCase());

interface Source {
  segment: Segment;
  words: readonly Pick<Word, "text" | "heard">[];
}

/**
 * Adds casing and punctuation to segments that follow one another and have neither, as one text: sentences go on from one to the next.
 * Words keep their times; what is written differently than recognized keeps its spelling. Segments whose text is not their words
 * joined stay as they are, and so do all when it fails.
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

/** The words of a segment; none where its text says something else. */
function wordsFor({ text, words }: Segment): Source["words"] {
  const own = words.length === 0 ? tokensOf(text).map((token) => ({ text: token })) : words;
  const isSame = own.map((word) => word.text).join(" ") === text.trim();
  // A mark without a word, which no engine gives, would shift all that follow.
  return isSame && own.every((word) => spokenTokens(word).length > 0) ? own : [];
}

function spelling({ text, heard }: Source["words"][number], tokens: readonly string[], isFirst: boolean): string {
  const ending = /[,.?]$/.exec(tokens.at(-1) ?? "")?.[0] ?? "";
  if (heard !== undefined) return `${text}${ending}`;
  const written = tokens.join(" ").replace(/^i(?=$|[',.?])/, "I");
  return isFirst ? upperFirst(written) : written;
}
