import * as v from "valibot";
import { AcceptedId, acceptedRows } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { normalForm } from "./normal-form.ts";
import { QueryNumber } from "./query-number.ts";
import { AcceptedSummary, Moment, TranscriptionSummary } from "./transcription.ts";

export const Pagination = v.object({ page: v.number(), limit: v.number(), total: v.number(), totalPages: v.number() });
export type Pagination = v.InferOutput<typeof Pagination>;

/** The orders of the history. */
export const historySorts = ["newest", "oldest", "longest", "title"] as const;
export const HistorySort = v.picklist(historySorts);
export type HistorySort = v.InferOutput<typeof HistorySort>;

/** By what titles are sorted: neither case nor accents count. */
export function titleKey(title: string): string {
  return normalForm(title, "NFKD")
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

/**
 * Its query: page from 1 (default 1), limit 1 to 1000 (default 20), search (trimmed; empty means none), sort (default: newest first),
 * `after`: a cursor, which counts instead of the page.
 */
export const HistoryQuery = v.object({
  page: QueryNumber(1, 999_999_999),
  limit: QueryNumber(20, 1000),
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ""),
  sort: v.optional(HistorySort, "newest"),
  after: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
});

/** Days that what was deleted stays in the trash. */
export const trashDays = 30;
/** The same in milliseconds. */
export const trashMs = trashDays * 24 * 60 * 60 * 1000;

/** One thing in the trash: the beginnings of its texts, when it was deleted, and when it is erased (ISO 8601, UTC). */
export const TrashItem = v.object({ ...TranscriptionSummary.entries, deletedAt: v.string(), purgeAt: v.string() });
export type TrashItem = v.InferOutput<typeof TrashItem>;

/** Characters of a text that the trash shows. */
export const trashTextLength = 400;

/**
 * GET /api/v1/audio-transcriptions/trash: what was deleted last first. `next`: the cursor of the next page; null at the end.
 * `until`: when it was read by the server's clock, for `DELETE`.
 */
export const TrashAnswer = v.object({
  data: v.array(TrashItem),
  total: v.number(),
  next: v.nullable(v.string()),
  until: v.string(),
});
export type TrashAnswer = v.InferOutput<typeof TrashAnswer>;
export const AcceptedTrash = v.object({
  data: acceptedRows(v.object({ ...AcceptedSummary.entries, deletedAt: v.string(), purgeAt: v.string() })),
  total: v.number(),
  next: v.fallback(v.nullable(v.string()), null),
  until: v.string(),
});

/** Its query: limit 1 to 500 (default 100); `after`, a cursor. */
export const TrashQuery = v.object({
  limit: QueryNumber(100, 500),
  after: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}_[\da-z-]{1,80}$/i),
      v.transform((cursor) => {
        const at = cursor.indexOf("_");
        return { deletedAt: Number(cursor.slice(0, at)), id: cursor.slice(at + 1) };
      }),
    ),
  ),
});

/** The most transcriptions that one call changes; a page that wants more calls again. */
export const batchSize = 500;
/**
 * The body of POST /api/v1/audio-transcriptions/trash (moves them there), …/trash/restore (brings them back) and …/trash/erase
 * (erases what is in the trash).
 */
export const Batch = v.object({
  ids: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(80))), v.minLength(1), v.maxLength(batchSize)),
});

/**
 * The answer: each is in one of the lists. What is already as was wished counts as done, so that a call whose answer got lost can be
 * repeated. `purgeAt` (ISO 8601) of those that were moved to the trash.
 */
export const BatchAnswer = v.object({
  done: v.array(v.string()),
  failed: v.array(v.object({ id: v.string(), code: ErrorCode })),
  purgeAt: v.optional(v.string()),
});
export type BatchAnswer = v.InferOutput<typeof BatchAnswer>;
export const AcceptedBatch = v.object({
  done: acceptedRows(AcceptedId),
  failed: acceptedRows(v.object({ id: AcceptedId, code: v.fallback(v.string(), "internal") })),
});

/** The query of DELETE /api/v1/audio-transcriptions/trash: erases what was in it at that time, not what came later. */
export const EmptyTrashQuery = v.object({ until: Moment });
/** Its answer. */
export const EmptyTrashAnswer = v.object({ erased: v.number() });
export const AcceptedEmptyTrash = v.fallback(EmptyTrashAnswer, { erased: 0 });
