import type { Mark } from "#contract/index.ts";
import { marksIn } from "#contract/search/marks.ts";
import type { Wanted } from "#contract/search/wanted.ts";
import { nextTask } from "#src/browser/next-task.ts";
import type { SearchedPassage, SearchedText } from "./searched-text.ts";

/** Where something was found: a passage, or the name of a recording. */
export interface VaultHit {
  /** Of the item. */
  id: string;
  name: string;
  /** null: the name has it. */
  passage: Omit<SearchedPassage, "plain"> | null;
  /** In the passage, or in the name. */
  marks: readonly Mark[];
}

export interface VaultFound {
  hits: readonly VaultHit[];
  /** There are more than are shown. */
  hasMore: boolean;
}

/** More are not shown: more words find fewer. */
const maxHits = 100;
/** The page can draw and react so often (ms). */
const sliceMs = 8;

interface Item {
  id: string;
  name: string;
  /** null: not read. */
  text: SearchedText | null;
}

/** Finds the passages and names that have all of what is looked for. Works in slices, between which the page reacts. */
export async function findInTexts(items: readonly Item[], wanted: readonly Wanted[], signal: AbortSignal): Promise<VaultFound> {
  const hits: VaultHit[] = [];
  if (wanted.length === 0) return { hits, hasMore: false };
  // Quick to look for, and in every text that has what is wanted.
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

/** undefined when something of it is not there. */
function marksOf(text: string, wanted: readonly Wanted[]): Mark[] | undefined {
  return wanted.every((one) => marksIn(text, "", [one]).length > 0) ? marksIn(text, "", wanted) : undefined;
}
