import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import {
  divided,
  type FiledFilters,
  type Filters,
  fitsFiled,
  isSameFiled,
  matcher,
  mayFollow,
  merged,
  noFiledFilters,
  noFilters,
} from "#machines/transcriptions/rules.ts";

export type Rows = readonly TranscriptionSummary[];

/** Rows that are looked for at once: more than there is room for on a large screen. */
export const screenful = 50;

/** What is to be found, in what. */
export interface Wanted {
  items: Rows;
  sort: HistorySort;
  /** Trimmed, folded. */
  term: string;
  filters: Filters;
  filed: FiledFilters;
  isNarrowed: boolean;
}

/** What is known of the list. */
export interface ListState {
  hasMore: boolean;
  /** More can be asked for. */
  isSettled: boolean;
  hasFailed: boolean;
  /** After it come the rows that are not here. */
  last: TranscriptionSummary | undefined;
}

/** What is known of the server's search; named as in its selectors. */
export interface ServerState {
  term: string;
  sort: HistorySort;
  isResponsible: boolean;
  isAsking: boolean;
  mayGoOn: boolean;
  hasMore: boolean;
  wantsRest: boolean;
  total: number;
  rows: Rows;
  former: Rows;
}

/** What is told of what was found, beside its rows. */
export interface FoundOutline {
  /** How many match, as far as it is known: there may be more than there are rows. */
  total: number;
  /** There may be more than that. */
  isMore: boolean;
  /** More is being searched for. */
  isSearching: boolean;
}

const isSame = (one: Filters, other: Filters): boolean =>
  one.language === other.language && one.status === other.status && one.dateRange === other.dateRange;

/** The same rows are asked, by the same filters: what was found for a term is found again. */
export const isSameButTerm = (one: Wanted, other: Wanted): boolean =>
  one.items === other.items &&
  one.sort === other.sort &&
  isSame(one.filters, other.filters) &&
  isSameFiled(one.filed, other.filed);

export const isSameNarrowing = (one: Wanted, other: Wanted): boolean =>
  one.term === other.term && isSame(one.filters, other.filters) && isSameFiled(one.filed, other.filed);

export const isSameRequest = (one: Wanted, other: Wanted): boolean =>
  one.term === other.term && one.isNarrowed === other.isNarrowed && isSameButTerm(one, other);

/** Whether a row is one of those that are wanted, if it has the term. `now` in epoch ms. */
export function fitting({ filters, filed }: Wanted, term: string, now: number): (item: TranscriptionSummary) => boolean {
  const fits = matcher(term, filters, now);
  return isSameFiled(filed, noFiledFilters) ? fits : (item) => fitsFiled(item, filed) && fits(item);
}

/** What was found here, and what the server has found besides; in order. `now` in epoch ms. */
export function withServers(wanted: Wanted, found: Rows, { isAsking, former, rows }: ServerState, now: number): Rows {
  const servers = divided(isAsking ? former : rows).listed;
  if (servers.length === 0) return found;
  const here = new Set(found.map(({ id }) => id));
  const fits = fitting(wanted, wanted.term, now);
  // Of a long text only the beginning is here: that its rest has the term, the server knows.
  const fitsWhole = fitting(wanted, "", now);
  const isFound = (row: TranscriptionSummary) => (row.shortened === true && !isAsking ? fitsWhole(row) : fits(row));
  const more = servers.filter((row) => !here.has(row.id) && isFound(row));
  return more.length === 0 ? found : merged(found, more, wanted.sort);
}

/** The term for the server: it is asked for what is not here, rows that were not fetched and the rest of long texts. "" for nothing. */
export function serversTerm({ items, term }: Wanted, list: ListState): string {
  const isHere = !list.hasMore && !items.some(({ shortened }) => shortened === true);
  return isHere ? "" : term;
}

/** Whether more may match. Where both lists are in the order of time, what comes later is too old for a date range. `now` in epoch ms. */
export function mayBeMore(wanted: Wanted, list: ListState, server: ServerState, now: number): boolean {
  if (!wanted.isNarrowed) return false;
  if (server.isAsking) return true;
  if (!(server.isResponsible ? server.hasMore : list.hasMore)) return false;
  const last = server.isResponsible ? server.rows.at(-1) : list.last;
  return wanted.sort !== "newest" || mayFollow(last, wanted.filters.dateRange, now);
}

/** How many match by the server's count, which knows no filters; null where it has counted nothing. */
export function counted(
  { filters, filed }: Wanted,
  { isResponsible, isAsking, hasMore, total, rows }: ServerState,
): number | null {
  const isOnlySearched = isSame(filters, noFilters) && isSameFiled(filed, noFiledFilters);
  if (!isResponsible || isAsking || !hasMore || !isOnlySearched) return null;
  return total - divided(rows).unreadable.length;
}
