import type { Mark } from "#contract/index.ts";
import { marksIn } from "#contract/search/marks.ts";
import type { Wanted } from "#contract/search/wanted.ts";
import { nextTask } from "#src/browser/next-task.ts";
import type { SearchedPassage, SearchedText } from "./searched-text.ts";

/** A search hit: a passage, or the name of a recording. */
export interface VaultHit {
  /** The item's id. */
  id: string;
  name: string;
  /** null: the hit is in the name. */
  passage: Omit<SearchedPassage, "plain"> | null;
  /** Hits in the passage or in the name. */
  marks: readonly Mark[];
}

export interface VaultFound {
  hits: readonly VaultHit[];
  /** Whether there are more hits than these. */
  hasMore: boolean;
}

/** Maximum number of hits. The user can narrow the search. */
const maxHits = 100;
/** The search yields after this time, so that the page can render and react (ms). */
const sliceMs = 8;

interface Item {
  id: string;
  name: string;
  /** null: not loaded. */
  text: SearchedText | null;
}

/**
 * Finds the passages and names that contain all search terms. Works in slices, so that the page can react in between.
 */
export async function findInTexts(items: readonly Item[], wanted: readonly Wanted[], signal: AbortSignal): Promise<VaultFound> {
  const hits: VaultHit[] = [];
  if (wanted.length === 0) return { hits, hasMore: false };
  // A fast check that rules out most passages before the exact search.
  const parts = wanted.flatMap(({ terms }) => terms);
  let began = performance.now();
  for (const { id, name, text } of items) {
    const inName = marksOf(name, wanted);
    if (inName !== undefined) hits.push({ id, name, passage: null, marks: inName });
    for (const { plain, ...passage } of text ?? []) {
      if (hits.length >= maxHits) return { hits, hasMore: true };
      if (performance.now() - began > sliceMs) {
        await nextTask();
        signal.throwIfAborted();
        began = performance.now();
      }
      const marks = parts.every((part) => plain.includes(part)) ? marksOf(passage.text, wanted) : undefined;
      if (marks !== undefined) hits.push({ id, name, passage, marks });
    }
  }
  return { hits, hasMore: false };
}

/** undefined when a term is missing. */
function marksOf(text: string, wanted: readonly Wanted[]): Mark[] | undefined {
  return wanted.every((one) => marksIn(text, "", [one]).length > 0) ? marksIn(text, "", wanted) : undefined;
}
