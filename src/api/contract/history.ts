import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { AcceptedSummary, TranscriptionSummary } from "./transcription.ts";

export const Pagination = v.object({ page: v.number(), limit: v.number(), total: v.number(), totalPages: v.number() });
export type Pagination = v.InferOutput<typeof Pagination>;

/** The orders of the history. */
export const historySorts = ["newest", "oldest", "longest", "title"] as const;
export const HistorySort = v.picklist(historySorts);
export type HistorySort = v.InferOutput<typeof HistorySort>;

/** By what titles are sorted: neither case nor accents count. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .trim()
    .slice(0, titleKeyLength);
}
/** Of UTF-16: NFKD makes 18 of some characters, and no index of PostgreSQL takes more than 2,704 bytes. */
const titleKeyLength = 800;

/**
 * GET /api/v1/audio-transcriptions/transcription-history. `next`: the cursor of what follows; null at the end. It stays where it is when
 * rows come and go before it.
 */
export const HistoryAnswer = v.object({
  data: v.array(TranscriptionSummary),
  pagination: Pagination,
  next: v.optional(v.nullable(v.string())),
});
export type HistoryAnswer = v.InferOutput<typeof HistoryAnswer>;

/** A page of the history: without a total it is the only one. */
export const AcceptedHistory = v.pipe(
  v.object({
    data: acceptedRows(AcceptedSummary),
    pagination: v.fallback(v.optional(Pagination), undefined),
    next: v.fallback(v.optional(v.nullable(v.string())), undefined),
  }),
  v.transform(({ data, pagination, next }): HistoryAnswer => {
    const only = { page: 1, limit: data.length, total: data.length, totalPages: 1 };
    return { data, pagination: pagination ?? only, ...(next !== undefined && { next }) };
  }),
);

const QueryNumber = (fallback: string) =>
  v.pipe(v.optional(v.string(), fallback), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1));
/**
 * Its query: page from 1 (default 1), limit 1 to 1000 (default 20), search (trimmed; empty means none), sort (default: newest first),
 * `after`: a cursor, which counts instead of the page.
 */
export const HistoryQuery = v.object({
  page: QueryNumber("1"),
  limit: v.pipe(QueryNumber("20"), v.maxValue(1000)),
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ""),
  sort: v.optional(HistorySort, "newest"),
  after: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
});
