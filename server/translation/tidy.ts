/** The border between two sentences. */
const betweenSentences = /(?<=[.?!…]["”’»)]*)\s+/u;
const firstLetter = /\p{L}/u;
/** A capitalized word, with the marks after it. */
const titled = /^\p{Lu}\p{Ll}+\p{P}*$/u;

/**
 * Words that are no names within a sentence if a small letter follows. Apertium gives these the capital of the first
 * word.
 */
const functionWords = new Set(
  "An And At By For From Has In Is It Of On Or The This To Was With Con De El En Es Esto Ha La Las Los No Para Por Su Todo Un Una".split(
    " ",
  ),
);

/**
 * Restores the case of a translated line. A sentence begins as in the source. Within a sentence, a word loses a capital
 * that belonged to the first word of the source, whose place another word has taken ("Fetching El registro").
 */
export function withCapitalsOf(line: string, translated: string): string {
  const [sources, sentences] = [line.split(betweenSentences), translated.split(betweenSentences)];
  if (sources.length !== sentences.length) return calmed(line, begunAs(line, translated));
  return sentences.map((sentence, at) => calmed(sources[at] ?? "", begunAs(sources[at] ?? "", sentence))).join(" ");
}

function begunAs(source: string, translated: string): string {
  const first = firstLetter.exec(source)?.[0] ?? "";
  const isLower = first !== first.toUpperCase();
  return translated.replace(firstLetter, (letter) => (isLower ? letter.toLowerCase() : letter.toUpperCase()));
}

function calmed(source: string, translated: string): string {
  const spoken = source.split(/\s+/);
  const known = new Set(spoken.map(bare));
  // After an unknown word, which stays as it is, the next word has a capital only if the source has one there, too.
  const beforeSmall = new Set(spoken.filter((_, at) => /^\p{Ll}/u.test(spoken[at + 1] ?? "")));
  const words = translated.split(" ");
  const small = words.map((word, at) => {
    const before = words[at - 1] ?? "";
    const isName = at === 0 || !titled.test(word) || known.has(bare(word)) || /[.?!…:]\p{P}*$/u.test(before);
    const isCommon = functionWords.has(word) && /^\p{Ll}/u.test(words[at + 1] ?? "");
    return !isName && (beforeSmall.has(before) || isCommon) ? word.charAt(0).toLowerCase() + word.slice(1) : word;
  });
  return small.join(" ");
}

const bare = (word: string): string => word.replace(/^\p{P}+|\p{P}+$/gu, "");
