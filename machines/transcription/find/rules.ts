import type { Segment } from "#contract/index.ts";

/** The search term and its options. */
export interface Search {
  term: string;
  matchCase: boolean;
  wholeWords: boolean;
}

/** The place of a match: characters `from` (inclusive) to `to` (exclusive) of a segment's text, or of its translation. */
export interface Hit {
  index: number;
  side: "text" | "translation";
  from: number;
  to: number;
}

export const noHits: readonly Hit[] = [];

/**
 * The pattern for the term: a space matches any white space, and a straight apostrophe or quotation mark the typographic ones.
 * null for a term of nothing but space.
 */
function pattern({ term, matchCase, wholeWords }: Search): RegExp | null {
  const words = term
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const source = words.map(literal).join("\\s+");
  const bounded = wholeWords ? `(?<![\\p{L}\\p{M}\\p{N}_])${source}(?![\\p{L}\\p{M}\\p{N}_])` : source;
  return new RegExp(bounded, matchCase ? "gu" : "giu");
}

function literal(word: string): string {
  return word
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/['‘’]/g, "['‘’]")
    .replace(/["“”„]/g, '["“”„]');
}

/** Every hit, in the order of the transcript; a segment's text before its translation. */
export function findHits(segments: readonly Segment[], search: Search): readonly Hit[] {
  const wanted = pattern(search);
  if (wanted === null) return noHits;
  const hits: Hit[] = [];
  const collect = (index: number, side: Hit["side"], text: string) => {
    for (const { index: from, 0: found } of text.matchAll(wanted)) hits.push({ index, side, from, to: from + found.length });
  };
  segments.forEach(({ text, translation }, index) => {
    collect(index, "text", text);
    if (translation) collect(index, "translation", translation);
  });
  return hits.length === 0 ? noHits : hits;
}

/** The texts of the segments that have hits, with all of them replaced; translations have to be made anew. */
export function replaced(segments: readonly Segment[], hits: readonly Hit[], replacement: string): Record<number, string> {
  const edits: Record<number, string> = {};
  // From the end: earlier hits keep their offsets.
  for (const { index, side, from, to } of hits.toReversed()) {
    if (side !== "text") continue;
    const text = edits[index] ?? segments[index]?.text ?? "";
    edits[index] = `${text.slice(0, from)}${replacement}${text.slice(to)}`;
  }
  for (const [index, text] of Object.entries(edits)) edits[Number(index)] = text.replace(/\s+/g, " ").trim();
  return edits;
}

/** The first hit at or after a position, wrapping around; -1 without hits. */
export function hitFrom(hits: readonly Hit[], place: Omit<Hit, "to">): number {
  if (hits.length === 0) return -1;
  return Math.max(
    0,
    hits.findIndex((hit) => compare(hit, place) >= 0),
  );
}

function compare(one: Omit<Hit, "to">, other: Omit<Hit, "to">): number {
  if (one.index !== other.index) return one.index - other.index;
  if (one.side !== other.side) return one.side === "text" ? -1 : 1;
  return one.from - other.from;
}
