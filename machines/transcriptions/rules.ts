import { type HistorySort, type Pagination, type TranscriptionSummary, titleKey } from "#contract/index.ts";
import { folded } from "#contract/search/terms.ts";

/** The filters of the history (SPEC.md section 4, "Transcriptions"). `language` is a code as requested, or "all". */
export interface Filters {
  language: string;
  dateRange: "all" | "today" | "week" | "month";
  status: "all" | "completed" | "processing" | "failed";
}

export const noFilters: Filters = { language: "all", dateRange: "all", status: "all" };

/** The filters by folder, tags and favorites. */
export interface FiledFilters {
  /** A folder's id, "none" or "all". */
  folder: string;
  /** A matching row has all of these tags. */
  tags: readonly string[];
  favourites: boolean;
  /** The existing folders. A row in a deleted folder has no folder. */
  folders: ReadonlySet<string>;
}

export const noFiledFilters: FiledFilters = { folder: "all", tags: [], favourites: false, folders: new Set() };

/** Whether a row matches these filters. */
export function fitsFiled({ filed }: TranscriptionSummary, { folder, tags, favourites, folders }: FiledFilters): boolean {
  const own = filed?.folderId ?? null;
  const isIn = folder === "none" ? own === null || !folders.has(own) : folder === "all" || own === folder;
  return isIn && (!favourites || filed?.favourite === true) && tags.every((tag) => filed?.tagIds.includes(tag) === true);
}

/** Whether both filters match the same rows. */
export const isSameFiled = (one: FiledFilters, other: FiledFilters): boolean =>
  one.folder === other.folder &&
  one.favourites === other.favourites &&
  one.tags.join() === other.tags.join() &&
  (one.folder !== "none" || one.folders === other.folders);

/**
 * SPEC.md section 3: completed, processing (a missing status means pending, which is shown with it); anything else is
 * failed.
 */
function statusGroup(status: string | undefined): Filters["status"] {
  if (status === "completed") return "completed";
  return status === undefined || status === "pending" || status === "processing" ? "processing" : "failed";
}

/** Codes that say that the file contains nothing to recognize: a retry can't help. */
const unreadable: ReadonlySet<string> = new Set(["emptyFile", "notAudio", "noSound", "truncated", "unreadable"]);

/** @param code the failure's code of the contract */
export function isUnreadable(code: string | null | undefined): boolean {
  return code != null && unreadable.has(code);
}

/** The transcriptions, finished or not, and the files that can't be read. */
interface Divided {
  listed: readonly TranscriptionSummary[];
  unreadable: readonly TranscriptionSummary[];
}

/** Cached: the same arrays for the same rows. */
const dividedRows = new WeakMap<readonly TranscriptionSummary[], Divided>();

/** If all files can be read, `listed` is the array of rows itself. */
export function divided(items: readonly TranscriptionSummary[]): Divided {
  const known = dividedRows.get(items);
  if (known !== undefined) return known;
  const failed = items.filter(({ status, error }) => statusGroup(status) === "failed" && isUnreadable(error?.code));
  const out = new Set(failed);
  const answer = { listed: failed.length === 0 ? items : items.filter((row) => !out.has(row)), unreadable: failed };
  dividedRows.set(items, answer);
  return answer;
}

/**
 * The start of a date range (epoch ms): the day's beginning, 7 days ago, one calendar month back (or the month's last
 * day).
 */
export function rangeStart(range: Filters["dateRange"], now: number): number {
  const date = new Date(now);
  if (range === "today") return date.setHours(0, 0, 0, 0);
  if (range === "week") return date.setDate(date.getDate() - 7);
  if (range !== "month") return Number.NEGATIVE_INFINITY;
  const lastDay = new Date(date.getFullYear(), date.getMonth(), 0).getDate();
  return date.setMonth(date.getMonth() - 1, Math.min(date.getDate(), lastDay));
}

/** Cached: each row is folded once. */
const foldedRows = new WeakMap<TranscriptionSummary, string>();

function searchable(item: TranscriptionSummary): string {
  const known = foldedRows.get(item);
  if (known !== undefined) return known;
  // U+0000 is in no text, so a match can't span title and text.
  const text = folded(`${item.title}\0${item.text}\0${item.translatedText}`);
  foldedRows.set(item, text);
  return text;
}

/** Whether a row matches the term (trimmed and folded; empty is ignored) and the filters. `now` in epoch ms. */
export function matcher(term: string, filters: Filters, now: number): (item: TranscriptionSummary) => boolean {
  const wanted = folded(term).trim();
  const since = rangeStart(filters.dateRange, now);
  const { language, status } = filters;
  return (item) =>
    (status === "all" || statusGroup(item.status) === status) &&
    (language === "all" || item.sourceLanguage === language) &&
    (filters.dateRange === "all" || Date.parse(item.date) >= since) &&
    (wanted === "" || searchable(item).includes(wanted));
}

/** Whether rows in the date range may come after this one, if the newest come first. `now` in epoch ms. */
export function mayFollow(
  last: Pick<TranscriptionSummary, "date"> | undefined,
  range: Filters["dateRange"],
  now: number,
): boolean {
  return range === "all" || last === undefined || !(Date.parse(last.date) < rangeStart(range, now));
}

export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
  sort?: HistorySort;
  /** The server's cursor, which takes precedence over the page. */
  after?: string;
}

/** The page of this size with the first missing row. If the server has no cursor, earlier rows may come twice. */
export const pageAfter = (count: number, limit: number, next: string | null): Pick<PageRequest, "page" | "limit" | "after"> => ({
  page: Math.floor(count / limit) + 1,
  limit,
  ...(next !== null && { after: next }),
});

/** SPEC.md section 9, "Transcription page size". */
export const pageSize = 20;
/** Page size while a filter hides most rows. */
const narrowedPageSize = 100;
/** Page size for loading all remaining rows. */
export const restPageSize = 500;
/** The server's maximum. */
const maxPageSize = 1000;

interface Fetched {
  items: readonly TranscriptionSummary[];
  sort: HistorySort;
  next: string | null;
}

/** The sort order is sent only if it is not the default. */
const inOrder = ({ sort }: Fetched) => (sort === "newest" ? {} : { sort });

/** Loads as many rows as are shown, so that a refetch does not shorten the list. */
export const firstPage = (context: Fetched): PageRequest => ({
  page: 1,
  limit: Math.min(maxPageSize, Math.max(1, Math.ceil(context.items.length / pageSize)) * pageSize),
  ...inOrder(context),
});

export const nextPage = (context: Fetched, limit: number): PageRequest => ({
  ...pageAfter(context.items.length, limit, context.next),
  ...inOrder(context),
});

/** A filter may leave nothing of a page: the more rows were filtered, the larger is the next page. */
export const moreLimit = (isNarrowed: boolean, { items }: Fetched): number =>
  isNarrowed ? Math.min(restPageSize, Math.max(narrowedPageSize, items.length)) : pageSize;

export interface PageAnswer {
  data: readonly TranscriptionSummary[];
  pagination: Pagination;
  /** The cursor for the next page. */
  next?: string | null | undefined;
}

type Compare = (one: TranscriptionSummary, other: TranscriptionSummary) => number;
const compare = <Key extends string | number>(one: Key, other: Key): number => (one === other ? 0 : one < other ? -1 : 1);
const lengthOf = ({ durationSeconds }: TranscriptionSummary): number => durationSeconds ?? -1;

/** The orders of the history. They are the server's, except for equal rows. */
const orders: Record<HistorySort, Compare> = {
  newest: (one, other) => compare(other.date, one.date),
  oldest: (one, other) => compare(one.date, other.date),
  longest: (one, other) => compare(lengthOf(other), lengthOf(one)),
  title: (one, other) => compare(titleKey(one.title), titleKey(other.title)),
};

/** The rows in another order; stable for equal rows. */
export const sorted = (items: readonly TranscriptionSummary[], sort: HistorySort): TranscriptionSummary[] =>
  items.toSorted(orders[sort]);

/** Merges two lists of this order; of equal rows, those of the first list come first. */
export function merged(
  one: readonly TranscriptionSummary[],
  other: readonly TranscriptionSummary[],
  sort: HistorySort,
): TranscriptionSummary[] {
  const all: TranscriptionSummary[] = [];
  let from = 0;
  for (const row of other) {
    for (let next = one[from]; next !== undefined && orders[sort](next, row) <= 0; next = one[from]) {
      all.push(next);
      from += 1;
    }
    all.push(row);
  }
  return [...all, ...one.slice(from)];
}

/** Puts the row in its place, behind equal rows. */
function place(items: readonly TranscriptionSummary[], item: TranscriptionSummary, sort: HistorySort): TranscriptionSummary[] {
  const at = items.findIndex((one) => orders[sort](one, item) > 0);
  return at < 0 ? [...items, item] : items.toSpliced(at, 0, item);
}

export interface ListState {
  /** In the order of `sort`. */
  items: readonly TranscriptionSummary[];
  pagination: Pagination;
  /** Default: newest first. */
  sort?: HistorySort;
}

/**
 * Replaces the row. A new row goes to the top (or to the place of its date) and is counted. A row that belongs after
 * all loaded rows is already counted, and comes with its page while there are more to load.
 */
export function withUpdatedRow(list: ListState, row: TranscriptionSummary): ListState {
  const last = list.items.at(-1);
  const isLater = last !== undefined && orders[list.sort ?? "newest"](last, row) < 0;
  const isToCome = isLater && list.items.length < list.pagination.total;
  return isToCome && !list.items.some(({ id }) => id === row.id) ? list : withRow(list, row);
}

function withRow({ items, pagination, sort = "newest" }: ListState, row: TranscriptionSummary): ListState {
  const at = items.findIndex(({ id }) => id === row.id);
  if (at >= 0) return { items: items.with(at, row), pagination };
  return { items: place(items, row, sort), pagination: { ...pagination, total: pagination.total + 1 } };
}

/** Puts the rows in their places, whether they are present or not. Rows that had been removed are counted again. */
export function withRows({ items, pagination, sort = "newest" }: ListState, rows: readonly TranscriptionSummary[]): ListState {
  const given = new Map(rows.map((row) => [row.id, row]));
  const kept = items.map((item) => given.get(item.id) ?? item);
  const known = new Set(items.map(({ id }) => id));
  const added = [...given.values()].filter(({ id }) => !known.has(id));
  if (added.length === 0) return { items: kept, pagination };
  const total = pagination.total + added.length;
  return { items: sorted([...kept, ...added], sort), pagination: { ...pagination, total } };
}

export function withoutRows({ items, pagination }: ListState, ids: readonly string[]): ListState {
  const removed = new Set(ids);
  const left = items.filter(({ id }) => !removed.has(id));
  if (left.length === items.length) return { items, pagination };
  return { items: left, pagination: { ...pagination, total: Math.max(0, pagination.total - (items.length - left.length)) } };
}

/** Appends a loaded page. Rows that have moved to it in the meantime are not duplicated. */
export function withPage(
  items: readonly TranscriptionSummary[],
  page: readonly TranscriptionSummary[],
  sort: HistorySort = "newest",
): TranscriptionSummary[] {
  const known = new Set(items.map(({ id }) => id));
  const fresh = page.filter(({ id }) => !known.has(id));
  const all = [...items, ...fresh];
  const [last, first] = [items.at(-1), fresh[0]];
  const isInOrder = last === undefined || first === undefined || orders[sort](last, first) <= 0;
  return isInOrder ? all : sorted(all, sort);
}

/** The changes to rows while a request was running: their current state, or null when removed. */
export type RecentChanges = ReadonlyMap<string, TranscriptionSummary | null>;

/** The answer with the changes that arrived while it was on its way. */
export function withRecentChanges(list: ListState, meanwhile: RecentChanges): ListState {
  const { sort } = list;
  let now = list;
  for (const [id, row] of meanwhile)
    now = { ...(row === null ? withoutRows(now, [id]) : withUpdatedRow(now, row)), ...(sort && { sort }) };
  return now;
}
