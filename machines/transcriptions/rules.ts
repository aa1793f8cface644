import type { Pagination, TranscriptionSummary } from "#contract/index.ts";

/** The filters of the history (SPEC.md section 4, "Transcriptions"). `language` is a code as requested, or "all". */
export interface Filters {
  language: string;
  dateRange: "all" | "today" | "week" | "month";
  status: "all" | "completed" | "processing" | "failed";
}

export const noFilters: Filters = { language: "all", dateRange: "all", status: "all" };

/** SPEC.md section 3: completed, processing (a missing status means pending, which is shown with it); anything else is failed. */
function statusGroup(status: string | undefined): Filters["status"] {
  if (status === "completed") return "completed";
  return status === undefined || status === "pending" || status === "processing" ? "processing" : "failed";
}

/**
 * The start of a date range (epoch ms): the day's beginning, 7 days ago, one calendar month back (the month's last day when it
 * has no such day).
 */
export function rangeStart(range: Filters["dateRange"], now: number): number {
  const date = new Date(now);
  if (range === "today") return date.setHours(0, 0, 0, 0);
  if (range === "week") return date.setDate(date.getDate() - 7);
  if (range !== "month") return Number.NEGATIVE_INFINITY;
  const lastDay = new Date(date.getFullYear(), date.getMonth(), 0).getDate();
  return date.setMonth(date.getMonth() - 1, Math.min(date.getDate(), lastDay));
}

/** Lower-cased once for each row, however often it is searched. */
const lowered = new WeakMap<TranscriptionSummary, string>();

function searchable(item: TranscriptionSummary): string {
  const known = lowered.get(item);
  if (known !== undefined) return known;
  // U+0000 is in no text: a match can't span title and text.
  const text = `${item.title}\0${item.text}\0${item.translatedText}`.toLowerCase();
  lowered.set(item, text);
  return text;
}

/** Whether a row matches the term (trimmed; case-insensitive; empty is ignored) and the filters. `now` in epoch ms. */
export function matcher(term: string, filters: Filters, now: number): (item: TranscriptionSummary) => boolean {
  const wanted = term.trim().toLowerCase();
  const since = rangeStart(filters.dateRange, now);
  const { language, status } = filters;
  return (item) =>
    (status === "all" || statusGroup(item.status) === status) &&
    (language === "all" || item.sourceLanguage === language) &&
    (filters.dateRange === "all" || Date.parse(item.date) >= since) &&
    (wanted === "" || searchable(item).includes(wanted));
}

const newestFirst = (one: TranscriptionSummary, other: TranscriptionSummary): number =>
  one.date === other.date ? 0 : one.date < other.date ? 1 : -1;

/** Newest first; stable for equal times. */
function place(items: readonly TranscriptionSummary[], item: TranscriptionSummary): TranscriptionSummary[] {
  const at = items.findIndex(({ date }) => date < item.date);
  return at < 0 ? [...items, item] : items.toSpliced(at, 0, item);
}

export interface ListState {
  /** Newest first. */
  items: readonly TranscriptionSummary[];
  pagination: Pagination;
}

/**
 * Replaces the row; a new one goes to the top (or to the place of its date) and is counted. One older than all fetched rows is
 * already counted, and comes with its page, as long as there are more to fetch.
 */
export function withUpdatedRow(list: ListState, row: TranscriptionSummary): ListState {
  const oldest = list.items.at(-1);
  const isToCome = oldest !== undefined && row.date < oldest.date && list.items.length < list.pagination.total;
  return isToCome && !list.items.some(({ id }) => id === row.id) ? list : withRow(list, row);
}

function withRow({ items, pagination }: ListState, row: TranscriptionSummary): ListState {
  const at = items.findIndex(({ id }) => id === row.id);
  if (at >= 0) return { items: items.with(at, row), pagination };
  return { items: place(items, row), pagination: { ...pagination, total: pagination.total + 1 } };
}

/** Puts the rows in their places, present or not: those that had been removed are counted again. */
export function withRows({ items, pagination }: ListState, rows: readonly TranscriptionSummary[]): ListState {
  const given = new Map(rows.map((row) => [row.id, row]));
  const kept = items.map((item) => given.get(item.id) ?? item);
  const known = new Set(items.map(({ id }) => id));
  const added = [...given.values()].filter(({ id }) => !known.has(id));
  if (added.length === 0) return { items: kept, pagination };
  const total = pagination.total + added.length;
  return { items: [...kept, ...added].sort(newestFirst), pagination: { ...pagination, total } };
}

export function withoutRows({ items, pagination }: ListState, ids: readonly string[]): ListState {
  const removed = new Set(ids);
  const left = items.filter(({ id }) => !removed.has(id));
  if (left.length === items.length) return { items, pagination };
  return { items: left, pagination: { ...pagination, total: Math.max(0, pagination.total - (items.length - left.length)) } };
}

/** Appends a fetched page; rows that moved on to it meanwhile are not duplicated. */
export function withPage(items: readonly TranscriptionSummary[], page: readonly TranscriptionSummary[]): TranscriptionSummary[] {
  const known = new Set(items.map(({ id }) => id));
  const fresh = page.filter(({ id }) => !known.has(id));
  const all = [...items, ...fresh];
  const isInOrder = (items.at(-1)?.date ?? "") >= (fresh[0]?.date ?? "");
  return items.length === 0 || isInOrder ? all : all.sort(newestFirst);
}

/** What happened to rows while an answer was in flight: their current state, or null when removed. */
export type Meanwhile = ReadonlyMap<string, TranscriptionSummary | null>;

/** An answer with the updates applied that arrived while it was in flight. */
export function withMeanwhile(list: ListState, meanwhile: Meanwhile): ListState {
  let now = list;
  for (const [id, row] of meanwhile) now = row === null ? withoutRows(now, [id]) : withUpdatedRow(now, row);
  return now;
}
