import { normalForm } from "#contract/normal-form.ts";
/**
 * The similarity of two short texts, 0 to 1: the coefficient of Dice ("Measures of the Amount of Ecologic Association
 * Between Species", 1945) and Sørensen (1948), 2·|A∩B| / (|A|+|B|), of the sets of their letters' trigrams. The sets
 * are the same as in PostgreSQL's pg_trgm: capitals and accents don't count, each word begins with two blanks and ends
 * with one. Trigrams of letters rather than of words, because titles have few words and languages inflect them.
 */
export function similarity(first: string, second: string): number {
  return similarityOf(trigramsOf(first), trigramsOf(second));
}

/** Sorted, without duplicates. */
export type Trigrams = readonly string[];

export function trigramsOf(text: string): Trigrams {
  const found = new Set<string>();
  const bare = normalForm(text, "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  for (const word of bare.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = [" ", " ", ...word, " "];
    for (let at = 0; at + 3 <= padded.length; at += 1) found.add(padded.slice(at, at + 3).join(""));
  }
  return [...found].sort();
}

/** The similarity of texts whose trigrams are known; 0 for two texts without any letter. */
export function similarityOf(first: Trigrams, second: Trigrams): number {
  const all = first.length + second.length;
  return all === 0 ? 0 : (2 * sharedBy(first, second)) / all;
}

function sharedBy(first: Trigrams, second: Trigrams): number {
  let common = 0;
  for (let a = 0, b = 0; a < first.length && b < second.length; ) {
    const left = first[a] ?? "";
    const right = second[b] ?? "";
    if (left === right) common += 1;
    if (left <= right) a += 1;
    if (right <= left) b += 1;
  }
  return common;
}

export interface Pair<Item> {
  first: Item;
  second: Item;
  similarity: number;
}

/** The two with the most similar names; undefined for less than two. n·(n-1)/2 comparisons: for some hundreds. */
export function mostSimilar<Item>(items: readonly Item[], nameOf: (item: Item) => string): Pair<Item> | undefined {
  const all = items.map((item) => ({ item, trigrams: trigramsOf(nameOf(item)) }));
  let best: Pair<Item> | undefined;
  for (const [at, { item: first, trigrams }] of all.entries()) {
    for (const { item: second, trigrams: others } of all.slice(at + 1)) {
      // The intersection is at most as large as the smaller set.
      const bound = (2 * Math.min(trigrams.length, others.length)) / Math.max(trigrams.length + others.length, 1);
      if (best !== undefined && bound <= best.similarity) continue;
      const found = similarityOf(trigrams, others);
      if (best === undefined || found > best.similarity) best = { first, second, similarity: found };
    }
  }
  return best;
}
