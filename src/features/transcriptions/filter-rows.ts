import type { TranscriptionSummary } from "#contract/index.ts";

type Rows = readonly TranscriptionSummary[];

/** The time after which the search yields (ms). Input must be painted within 50 ms on a slow machine. */
const sliceMs = 4;
/** The number of rows between two checks of the time. */
const stride = 128;
/** The number of cached search terms, so that deleting a letter costs nothing. */
const cachedTerms = 40;

/** Yields, so that the browser can handle input and paint. */
function giveWay(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
  return promise;
}

/**
 * The matching rows, filtered in slices.
 * @returns undefined when `isStale` reports that the result is no longer needed
 */
export async function filterRows(
  rows: Rows,
  fits: (item: TranscriptionSummary) => boolean,
  isStale: () => boolean,
): Promise<Rows | undefined> {
  const found: TranscriptionSummary[] = [];
  let until = performance.now() + sliceMs;
  for (const [index, row] of rows.entries()) {
    if (fits(row)) found.push(row);
    if (index % stride !== 0 || performance.now() < until) continue;
    await giveWay();
    if (isStale()) return undefined;
    until = performance.now() + sliceMs;
  }
  return found;
}

/** Caches results by term, for the same rows and filters. A longer term is searched in the results of its prefix. */
export function createTermCache() {
  const results = new Map<string, Rows>();
  return {
    get: (term: string) => results.get(term),
    keep(term: string, rows: Rows) {
      results.set(term, rows);
      const oldest = results.keys().next();
      if (results.size > cachedTerms && !oldest.done) results.delete(oldest.value);
    },
    narrowest(term: string): Rows | undefined {
      for (let length = term.length - 1; length > 0; length--) {
        const rows = results.get(term.slice(0, length));
        if (rows !== undefined) return rows;
      }
      return undefined;
    },
  };
}
