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

/** The number of rows that are looked for at once: more than fit on a large screen. */
export const screenful = 50;

/** The search, the filters and the rows they apply to. */
export interface Wanted {
  items: Rows;
  sort: HistorySort;
  /** Trimmed and folded. */
  term: string;
  filters: Filters;
  filed: FiledFilters;
  isNarrowed: boolean;
}

/** The state of the list. */
export interface ListState {
  hasMore: boolean;
  /** Whether more rows can be requested. */
  isSettled: boolean;
  hasFailed: boolean;
  /** The last loaded row. The rows that are not loaded come after it. */
  last: TranscriptionSummary | undefined;
}

/** The state of the server's search; named as in its selectors. */
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

/** Facts about the matches, besides their rows. */
export interface FoundOutline {
  /** The number of known matches; there may be more than rows. */
  total: number;
  /** Whether there may be more. */
  isMore: boolean;
  /** Whether the search for more is running. */
  isSearching: boolean;
}

const isSame = (one: Filters, other: Filters): boolean =>
  one.language === other.language && one.status === other.status && one.dateRange === other.dateRange;

/** Whether both look at the same rows with the same filters, so that only the term differs. */
export const isSameButTerm = (one: Wanted, other: Wanted): boolean =>
  one.items === other.items &&
  one.sort === other.sort &&
  isSame(one.filters, other.filters) &&
  isSameFiled(one.filed, other.filed);

export const isSameNarrowing = (one: Wanted, other: Wanted): boolean =>
  one.term === other.term && isSame(one.filters, other.filters) && isSameFiled(one.filed, other.filed);

export const isSameRequest = (one: Wanted, other: Wanted): boolean =>
  one.term === other.term && one.isNarrowed === other.isNarrowed && isSameButTerm(one, other);

/** Whether a row matches the filters and the term. `now` in epoch ms. */
export function fitting({ filters, filed }: Wanted, term: string, now: number): (item: TranscriptionSummary) => boolean {
  const fits = matcher(term, filters, now);
  return isSameFiled(filed, noFiledFilters) ? fits : (item) => fitsFiled(item, filed) && fits(item);
}

/** The local matches and the server's, in order. `now` in epoch ms. */
export function withServers(wanted: Wanted, found: Rows, { isAsking, former, rows }: ServerState, now: number): Rows {
  const servers = divided(isAsking ? former : rows).listed;
  if (servers.length === 0) return found;
  const here = new Set(found.map(({ id }) => id));
  const fits = fitting(wanted, wanted.term, now);
  // Of a long text, only the beginning is loaded: the server knows whether the rest contains the term.
  const fitsWhole = fitting(wanted, "", now);
  const isFound = (row: TranscriptionSummary) => (row.shortened === true && !isAsking ? fitsWhole(row) : fits(row));
  const more = servers.filter((row) => !here.has(row.id) && isFound(row));
  return more.length === 0 ? found : merged(found, more, wanted.sort);
}

/**
 * The term for the server, which searches rows that are not loaded and the rest of long texts. "" if it need not
 * search.
 */
export function serversTerm({ items, term }: Wanted, list: ListState): string {
  const isHere = !list.hasMore && !items.some(({ shortened }) => shortened === true);
  return isHere ? "" : term;
}

/**
 * Whether more rows may match. If both lists are in the order of time, later rows are too old for a date range. `now`
 * in epoch ms.
 */
export function mayBeMore(wanted: Wanted, list: ListState, server: ServerState, now: number): boolean {
  if (!wanted.isNarrowed) return false;
  if (server.isAsking) return true;
  if (!(server.isResponsible ? server.hasMore : list.hasMore)) return false;
  const last = server.isResponsible ? server.rows.at(-1) : list.last;
  return wanted.sort !== "newest" || mayFollow(last, wanted.filters.dateRange, now);
}

/** The server's number of matches, which ignores filters; null if it has not counted. */
export function counted(
  { filters, filed }: Wanted,
  { isResponsible, isAsking, hasMore, total, rows }: ServerState,
): number | null {
  const isOnlySearched = isSame(filters, noFilters) && isSameFiled(filed, noFiledFilters);
  if (!isResponsible || isAsking || !hasMore || !isOnlySearched) return null;
  return total - divided(rows).unreadable.length;
}
