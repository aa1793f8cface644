const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/**
 * The sentences of a text, including the spaces after them; together they are the text. A long sentence has several
 * parts, cut at a mark between clauses, else at a space, else anywhere.
 * @param longest length of a part, in characters
 */
export function sentencesOf(text: string, longest: number): string[][] {
  return Array.from(segmenter.segment(text), ({ segment }) => partsOf(segment, longest));
}

function partsOf(sentence: string, longest: number): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.trimEnd().length > longest) {
    const head = rest.slice(0, longest);
    // The last end of a clause in its second half, else the last space.
    const end = new RegExp(`^.{${longest >> 1},}[,;:،、，；：]\\s*`, "su").exec(head) ?? /^.+\s/su.exec(head);
    // A surrogate pair stays whole.
    const part = end?.[0] ?? head.replace(/[\ud800-\udbff]$/, "");
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return [...parts, rest];
}
