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

/** The sort key of a title, which ignores case and accents. */
export function titleKey(title: string): string {
  return normalForm(title, "NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .trim()
    .slice(0, titleKeyLength);
}
/**
 * Longest key in UTF-16 units: NFKD turns some characters into 18, and PostgreSQL's indexes take at most 2,704 bytes.
 */
const titleKeyLength = 800;

/**
 * GET /api/v1/audio-transcriptions/transcription-history. `next`: the cursor of the next page; null at the end. A
 * cursor stays valid when rows before it come and go.
 */
export const HistoryAnswer = v.object({
  data: v.array(TranscriptionSummary),
  pagination: Pagination,
  next: v.optional(v.nullable(v.string())),
});
export type HistoryAnswer = v.InferOutput<typeof HistoryAnswer>;

/** A page of the history. Without a total, it is the only page. */
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
 * The query: page from 1 (default 1), limit 1 to 1000 (default 20), search (trimmed; empty means none), sort (default:
 * newest first), `after`: a cursor, which replaces the page.
 */
export const HistoryQuery = v.object({
  page: QueryNumber(1, 999_999_999),
  limit: QueryNumber(20, 1000),
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ""),
  sort: v.optional(HistorySort, "newest"),
  after: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
});

/** Days that deleted transcriptions stay in the trash. */
export const trashDays = 30;
/** The same in milliseconds. */
export const trashMs = trashDays * 24 * 60 * 60 * 1000;

/**
 * An item in the trash: the beginnings of its texts, when it was deleted, and when it will be erased (ISO 8601, UTC).
 */
export const TrashItem = v.object({ ...TranscriptionSummary.entries, deletedAt: v.string(), purgeAt: v.string() });
export type TrashItem = v.InferOutput<typeof TrashItem>;

/** Characters of a text shown in the trash. */
export const trashTextLength = 400;

/**
 * GET /api/v1/audio-transcriptions/trash: the last deleted first. `next`: the cursor of the next page; null at the end.
 * `until`: time of the response by the server's clock, for `DELETE`.
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

/** The query: limit 1 to 500 (default 100); `after`, a cursor. */
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

/** Most transcriptions changed by one call; for more, the page repeats the call. */
export const batchSize = 500;
/**
 * The body of POST /api/v1/audio-transcriptions/trash (moves to the trash), …/trash/restore (restores) and
 * …/trash/erase (erases from the trash).
 */
export const Batch = v.object({
  ids: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(80))), v.minLength(1), v.maxLength(batchSize)),
});

/**
 * The response: each id is in one of the lists. An id already in the wanted state counts as done, so that a call with a
 * lost response can be repeated. `purgeAt` (ISO 8601) is for those moved to the trash.
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

/**
 * The query of DELETE /api/v1/audio-transcriptions/trash: erases what was in the trash at that time, and nothing added
 * later.
 */
export const EmptyTrashQuery = v.object({ until: Moment });
/** The response. */
export const EmptyTrashAnswer = v.object({ erased: v.number() });
export const AcceptedEmptyTrash = v.fallback(EmptyTrashAnswer, { erased: 0 });
