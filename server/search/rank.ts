import type { Wanted } from "#contract/search/wanted.ts";

/** A passage that matches the search. */
export interface Candidate {
  id: number;
  transcription_id: string;
  /** Epoch ms. */
  date: number;
  is_title: number;
  terms: string;
}

export interface Ranked {
  /** Ids of the passages, the best first. */
  ids: number[];
  /** Number of all passages found. */
  total: number;
}

/** Parameters of BM25: how fast repetitions of a term count less, and how much a long passage counts less. */
const saturation = 1.2;
const lengthWeight = 0.6;
/** Weight of a word that only begins with what was typed. */
const prefixWeight = 0.6;
const titleWeight = 1.3;

/**
 * Ranks passages by BM25, where rare terms count more. Whole words rank before beginnings of words, passages with more
 * of the terms before others, titles before speech, and the newest first among equals. Both databases give the same
 * order.
 * @param skip number of the best to leave out
 * @param take most ids to return
 */
export function rank(
  candidates: readonly Candidate[],
  wanted: readonly Wanted[],
  { skip, take }: { skip: number; take: number },
): Ranked {
  const counted = candidates.map((candidate) => {
    const terms = candidate.terms.split(" ");
    return { candidate, length: terms.length, counts: wanted.map((one) => countIn(terms, one)) };
  });
  const rows = counted.filter(({ counts }) => counts.some((count) => count > 0));
  const average = rows.reduce((sum, { length }) => sum + length, 0) / Math.max(1, rows.length);
  const weights = wanted.map((_, at) => rarity(rows.filter(({ counts }) => (counts[at] ?? 0) > 0).length, rows.length));
  const scored = rows.map(({ candidate, length, counts }) => {
    const room = saturation * (1 - lengthWeight + lengthWeight * (length / Math.max(1, average)));
    const parts = counts.map((count, at) => ((weights[at] ?? 0) * count * (saturation + 1)) / (count + room));
    const share = counts.filter((count) => count > 0).length / counts.length;
    const sum = parts.reduce((total, part) => total + part, 0);
    return { candidate, score: sum * share * (candidate.is_title === 1 ? titleWeight : 1) };
  });
  scored.sort((a, b) => b.score - a.score || b.candidate.date - a.candidate.date || a.candidate.id - b.candidate.id);
  return { ids: scored.slice(skip, skip + take).map(({ candidate }) => candidate.id), total: rows.length };
}

/** BM25's inverse document frequency, among the passages found. */
const rarity = (having: number, all: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5));

/** How often the term occurs. */
function countIn(all: readonly string[], { terms, isPrefix }: Wanted): number {
  const last = terms.length - 1;
  let count = 0;
  for (let at = 0; at + last < all.length; at += 1) {
    if (terms.some((term, offset) => offset < last && all[at + offset] !== term)) continue;
    const [here, wanted] = [all[at + last] ?? "", terms[last] ?? ""];
    if (here === wanted) count += 1;
    else if (isPrefix && here.startsWith(wanted)) count += prefixWeight;
  }
  return count;
}
