import { type ActorRefFrom, createActor, type PromiseActorLogic } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { type filtersMachine, filtersOf, selectIsNarrowed, selectSearchTerm } from "#machines/transcriptions/filters.ts";
import { selectListed, type transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import { type Filters, matcher } from "#machines/transcriptions/rules.ts";
import { selectFoundIds, selectIsFound, selectTerm, serverSearchMachine } from "#machines/transcriptions/server-search.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";

type Transcriptions = ActorRefFrom<typeof transcriptionsMachine>;
type TranscriptionFilters = ActorRefFrom<typeof filtersMachine>;
type Rows = readonly TranscriptionSummary[];

/** Input must be painted within 50 ms on a slow machine: the search yields after this many milliseconds. */
const sliceMs = 4;
/** Rows between two checks of the time. */
const stride = 128;
/** Number of cached search terms, so that deleting a letter costs nothing. */
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

/** The matching rows, filtered in slices. @returns undefined when `isStale` reports that the result is no longer needed */
async function filterRows(
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

/** Results by term, for the same rows and filters. A longer term is searched in the results of its prefix. */
function createTermCache() {
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

/** Requests the ids of all transcriptions that contain a term from the server. */
export type AskServer = PromiseActorLogic<ReadonlySet<string>, { term: string }>;

/** Matches found locally, and those that the server found in texts that are not loaded; in the order of all rows. */
function withLong(rows: Rows, found: Rows, fits: (item: TranscriptionSummary) => boolean, ids: ReadonlySet<string> | null): Rows {
  if (ids === null || !rows.some(({ shortened }) => shortened === true)) return found;
  const here = new Set(found);
  return rows.filter((row) => here.has(row) || (row.shortened === true && ids.has(row.id) && fits(row)));
}

/** What is to be found, in what. */
interface Wanted {
  items: Rows;
  /** Trimmed, lower-cased. */
  term: string;
  filters: Filters;
  isNarrowed: boolean;
}

const isSame = (one: Filters, other: Filters): boolean =>
  one.language === other.language && one.status === other.status && one.dateRange === other.dateRange;

/**
 * The filtered history; outside of the machine, because filtering 100,000 rows takes many slices.
 * @param search for long texts, of which the list has the beginning
 */
export function followFound(actor: Transcriptions, narrowing: TranscriptionFilters, search: AskServer): ReadableStore<Rows> {
  const found = createStore<Rows>([]);
  const server = createActor(serverSearchMachine.provide({ actors: { search } }), inspected()).start();
  let now: Wanted | undefined;
  let cache = createTermCache();

  const filter = async (wanted: Wanted) => {
    const { items, term, filters } = wanted;
    if (!wanted.isNarrowed) return found.set(items);
    const show = (rows: Rows) =>
      found.set(withLong(items, rows, matcher("", filters, Date.now()), selectFoundIds(server.getSnapshot(), term)));
    const known = cache.get(term);
    if (known !== undefined) return show(known);
    const results = cache;
    const rows = await filterRows(results.narrowest(term) ?? items, matcher(term, filters, Date.now()), () => now !== wanted);
    if (rows === undefined) return;
    results.keep(term, rows);
    if (now === wanted) show(rows);
  };
  const update = () => {
    const chosen = narrowing.getSnapshot();
    const next: Wanted = {
      items: selectListed(actor.getSnapshot()),
      term: selectSearchTerm(chosen).trim().toLowerCase(),
      filters: filtersOf(chosen),
      isNarrowed: selectIsNarrowed(chosen),
    };
    const isCacheValid = now !== undefined && now.items === next.items && isSame(now.filters, next.filters);
    if (isCacheValid && now?.term === next.term) return;
    if (!isCacheValid) cache = createTermCache();
    now = next;
    const isLong = next.term !== "" && next.items.some(({ shortened }) => shortened === true);
    const term = isLong ? next.term : "";
    if (selectTerm(server.getSnapshot()) !== term) server.send({ type: "term.changed", term });
    void filter(next);
  };
  update();
  actor.subscribe({ next: update, complete: () => server.stop() });
  narrowing.subscribe(update);
  server.subscribe((snapshot) => {
    if (selectIsFound(snapshot) && now !== undefined) void filter(now);
  });
  return found;
}
