import type { Mark, Segment } from "#contract/index.ts";
import { placesOf } from "#contract/search/places.ts";
import { folded } from "#contract/search/terms.ts";

/** The search term and its options. */
export interface Search {
  term: string;
  matchCase: boolean;
  wholeWords: boolean;
}

/**
 * The place of a match: characters `from` (inclusive) to `to` (exclusive) of a segment's text, or of its translation.
 */
export interface Hit {
  index: number;
  side: "text" | "translation";
  from: number;
  to: number;
}

export const noHits: readonly Hit[] = [];

/** A letter of a word, at the end of what stands before a hit, or at the beginning of what stands after it. */
const letterBefore = /[\p{L}\p{M}\p{N}_]$/u;
const letterAfter = /^[\p{L}\p{M}\p{N}_]/u;

/**
 * The pattern for a case-sensitive term: a space matches any white space, and a straight apostrophe or quotation mark
 * matches the typographic ones.
 */
function pattern(term: string): RegExp {
  return new RegExp(term.split(/\s+/).map(literal).join("\\s+"), "gu");
}

function literal(word: string): string {
  return word
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/['‘’]/g, "['‘’]")
    .replace(/["“”„]/g, '["“”„]');
}

/** Finds a term in a text, either case-sensitively or without regard to case and accents. */
function finderOf({ term, matchCase, wholeWords }: Search): ((text: string) => readonly Mark[]) | null {
  const trimmed = term.trim();
  const wanted = folded(trimmed).trim();
  if (wanted === "") return null;
  const exact = pattern(trimmed);
  const find = (text: string): Mark[] =>
    matchCase
      ? Array.from(text.matchAll(exact), ({ index, 0: found }): Mark => [index, index + found.length])
      : placesOf(text, wanted);
  const isWhole = (text: string, [from, to]: Mark) =>
    !letterBefore.test(text.slice(Math.max(0, from - 2), from)) && !letterAfter.test(text.slice(to, to + 2));
  return (text) => (wholeWords ? find(text).filter((place) => isWhole(text, place)) : find(text));
}

/** Every hit, in the order of the transcript; a segment's text before its translation. */
export function findHits(segments: readonly Segment[], search: Search): readonly Hit[] {
  const find = finderOf(search);
  if (find === null) return noHits;
  const hits: Hit[] = [];
  const collect = (index: number, side: Hit["side"], text: string) => {
    for (const [from, to] of find(text)) hits.push({ index, side, from, to });
  };
  segments.forEach(({ text, translation }, index) => {
    collect(index, "text", text);
    if (translation) collect(index, "translation", translation);
  });
  return hits.length === 0 ? noHits : hits;
}

/** The texts of the segments that have hits, with all of them replaced; their translations must be made again. */
export function replaced(segments: readonly Segment[], hits: readonly Hit[], replacement: string): Record<number, string> {
  const edits: Record<number, string> = {};
  // From the end, so that earlier hits keep their offsets.
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
