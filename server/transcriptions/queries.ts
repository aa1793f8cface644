import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import * as v from "valibot";
import type { HistorySort } from "#contract/index.ts";
import { folded } from "#contract/search/terms.ts";
import type { Db } from "#server/db/open.ts";
import { inPortions, type Weighed } from "#server/db/portions.ts";
import { prepared, type ValueOf } from "#server/db/prepared.ts";
import { findsAny } from "#server/db/results.ts";
import type { Schema } from "#server/db/schema.ts";
import { Problem } from "#server/errors/problem.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { type SummaryRow, summaries } from "#server/transcription/summary-queries.ts";

export interface HistoryPage {
  /** In the order of the page (db/portions.ts). Rows deleted in the meantime are skipped. */
  portions: AsyncIterable<readonly SummaryRow[]>;
  total: number;
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

interface Wanted {
  /** From 1; ignored with a cursor. */
  page: number;
  limit: number;
  /** Substring of title, text or translated text, case-insensitive; "" matches everything. */
  search: string;
  sort: HistorySort;
  after: string | undefined;
}

/**
 * One page of a user's history. Streamed in portions (db/portions.ts).
 * @throws Problem `badRequest` for a cursor of another order
 */
export async function listHistory(db: Db, userId: string, { page, limit, search, sort, after }: Wanted): Promise<HistoryPage> {
  const cursor = after === undefined ? undefined : cursorOf(sort, after);
  const from = cursor === undefined ? (page - 1) * limit : 0;
  if (search !== "") {
    const all = await searched(db, userId, { search, sort });
    const known = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor.id);
    const found = all.slice(known + 1);
    const rows = found.slice(from, from + limit);
    return { portions: inOrder(db, rows), total: all.length, next: nextOf(rows, from + limit < found.length) };
  }
  const { first, later } = pages[sort];
  const asked = { userId, limit, offset: from };
  const rows = await (cursor === undefined
    ? first(db, asked)
    : later(db, { ...asked, afterKey: cursor.key, afterId: cursor.id }));
  const isEmpty = rows.length === 0 && (cursor !== undefined || from > 0);
  const total = isEmpty ? await countAll(db, userId) : Number(rows[0]?.total ?? 0);
  return { portions: inOrder(db, rows), total, next: nextOf(rows, rows.length === limit) };
}

/** The total number, when the page itself does not tell. */
async function countAll(db: Db, userId: string): Promise<number> {
  const { total } = await counted(db, userId).executeTakeFirstOrThrow();
  return Number(total);
}

interface Place {
  /** The sort key: a time (epoch ms), a length (seconds; -1 when unknown) or a title. */
  key: number | string;
  id: string;
}
/** A value, or its placeholder in a prepared query. */
type Given<Value> = Value | RawBuilder<Value>;
type WeighedQuery = SelectQueryBuilder<Schema, "transcriptions", Weighed & { key: number | string }>;

/** The sort key of each order; ties are sorted by id. Each order has an index that begins with the user. */
const keys = {
  newest: { by: sql<number>`date`, direction: "desc" },
  oldest: { by: sql<number>`date`, direction: "asc" },
  longest: { by: sql<number>`coalesce(duration_seconds, -1)`, direction: "desc" },
  title: { by: sql<string>`title_key`, direction: "asc" },
} as const satisfies Record<HistorySort, { by: RawBuilder<unknown>; direction: "asc" | "desc" }>;

/** A user's rows, read from the index alone. */
function weighed(db: Db, userId: Given<string>, sort: HistorySort): WeighedQuery {
  return db
    .selectFrom("transcriptions")
    .select(["id", "weight"])
    .select(sql<number | string>`${keys[sort].by}`.as("key"))
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null);
}

/** Counts a user's rows by the index alone. */
function counted(db: Db, userId: Given<string>) {
  return db
    .selectFrom("transcriptions")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null);
}

/** In order, after a cursor. */
function following(
  query: WeighedQuery,
  sort: HistorySort,
  after: { key: Given<Place["key"]>; id: Given<string> } | undefined,
): WeighedQuery {
  const { by, direction } = keys[sort];
  const sign = sql.raw(direction === "desc" ? "<" : ">");
  const rest = after === undefined ? query : query.where(sql<boolean>`(${by}, id) ${sign} (${after.key}, ${after.id})`);
  return rest.orderBy(by, direction).orderBy("id", direction);
}

interface Asked extends Record<string, string | number> {
  userId: string;
  limit: number;
  offset: number;
}
interface AskedAfter extends Asked {
  afterKey: Place["key"];
  afterId: string;
}
type Listed = Weighed & { key: number | string; total: number | string | null };

/** The prepared queries for pages in one order. Each row contains the total number. */
function pagesIn(sort: HistorySort) {
  const page = (db: Db, value: ValueOf<Asked>, after?: Parameters<typeof following>[2]) =>
    following(weighed(db, value("userId"), sort), sort, after)
      .select(counted(db, value("userId")).as("total"))
      .limit(value("limit"))
      .offset(value("offset"));
  return {
    first: prepared<Asked, Listed>((db, value) => page(db, value)),
    later: prepared<AskedAfter, Listed>((db, value) => page(db, value, { key: value("afterKey"), id: value("afterId") })),
  };
}

const pages = {
  newest: pagesIn("newest"),
  oldest: pagesIn("oldest"),
  longest: pagesIn("longest"),
  title: pagesIn("title"),
} satisfies Record<HistorySort, unknown>;

const encode = ({ key, id }: Place): string => Buffer.from(JSON.stringify([key, id])).toString("base64url");
const nextOf = (rows: readonly (Weighed & { key: number | string })[], hasMore: boolean): string | null => {
  const last = rows.at(-1);
  return last === undefined || !hasMore ? null : encode(last);
};

/** @throws Problem `badRequest` */
function cursorOf(sort: HistorySort, text: string): Place {
  const place = v.safeParse(Cursor, Buffer.from(text, "base64url").toString("utf8"));
  const isOfIt = place.success && (typeof place.output[0] === "string") === (sort === "title");
  if (!isOfIt) throw new Problem("badRequest", "after: this cursor belongs to another order.");
  return { key: place.output[0], id: place.output[1] };
}
const Cursor = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictTuple([
    v.union([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.maxLength(700))]),
    v.pipe(v.string(), v.maxLength(80)),
  ]),
);

/** This user's sample (transcriptions/sample.ts), unless it was deleted. */
export function findSample(db: Db, userId: string): Promise<TranscriptionRow | undefined> {
  return db
    .selectFrom("transcriptions")
    .selectAll()
    .where((eb) => eb.and({ user_id: userId, origin: "sample" }))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Ids read from the index per query. */
const idsAtOnce = 500;

async function* allOf(db: Db, userId: string, sort: HistorySort): AsyncGenerator<Weighed & { key: number | string }> {
  let last: Place | undefined;
  for (;;) {
    const rows = await following(weighed(db, userId, sort), sort, last)
      .limit(idsAtOnce)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < idsAtOnce) return;
  }
}

/** The transcriptions that contain a text, in order. */
async function searched(db: Db, userId: string, { search, sort }: { search: string; sort: HistorySort }) {
  const wanted = folded(search).trim();
  const all = new Map<string, Weighed & { key: number | string }>();
  const remembered = async function* () {
    for await (const row of allOf(db, userId, sort)) {
      all.set(row.id, row);
      yield row;
    }
  };
  const found = new Set<string>();
  for await (const ids of inPortions(remembered())) {
    // Not `like`: for a text of one repeated letter, its cost is the product of both lengths.
    const rows = await db
      .selectFrom("transcriptions")
      .select("id")
      .where("id", "in", ids)
      .where(({ eb, fn, val }) => eb(fn<number>("instr", ["haystack", val(wanted)]), ">", 0))
      .execute();
    for (const { id } of rows) found.add(id);
  }
  return [...all.values()].filter(({ id }) => found.has(id));
}

/** Most pages have one of a few sizes. Queries are prepared per size, up to this many rows. */
const preparedRows = 50;
type ReadRows = (db: Db, ids: readonly string[]) => Promise<SummaryRow[]>;
const reading = new Map<number, ReadRows>();

/** Reads this many rows. */
function readingOf(count: number): ReadRows {
  const names = Array.from({ length: count }, (_, at) => `id${at}`);
  const read = prepared<Record<string, string>, SummaryRow>((db, value) =>
    summaries(db)
      .where(
        "id",
        "in",
        names.map((name) => value(name)),
      )
      .where("deleted_at", "is", null),
  );
  return (db, ids) => read(db, Object.fromEntries(ids.map((id, at) => [`id${at}`, id])));
}

function readRows(db: Db, ids: readonly string[]): Promise<SummaryRow[]> {
  if (ids.length > preparedRows) return summaries(db).where("id", "in", ids).where("deleted_at", "is", null).execute();
  const read = reading.get(ids.length) ?? readingOf(ids.length);
  reading.set(ids.length, read);
  return read(db, ids);
}

async function* inOrder(db: Db, rows: Iterable<Weighed>): AsyncGenerator<SummaryRow[]> {
  for await (const ids of inPortions(rows)) {
    const byId = new Map((await readRows(db, ids)).map((row) => [row.id, row]));
    yield ids.flatMap((id) => byId.get(id) ?? []);
  }
}

/** Changes after a revision, in order, without deleted rows. Streamed. */
export async function* listChanges(db: Db, userId: string, after: number): AsyncGenerator<SummaryRow> {
  for (let seen = after; ; ) {
    const rows = await db
      .selectFrom("transcriptions")
      .select(["id", "revision", "weight"])
      .where("user_id", "=", userId)
      .where("revision", ">", seen)
      .where("deleted_at", "is", null)
      .orderBy("revision")
      .limit(idsAtOnce)
      .execute();
    if (rows.length === 0) return;
    seen = rows.at(-1)?.revision ?? seen;
    // A row that changes again in the meantime comes at its new position.
    for await (const portion of inOrder(db, rows)) yield* portion.filter(({ revision }) => revision <= seen);
  }
}

/** Whether a transcription has changed after a revision, or was purged. Reads only indexes. */
export async function isChanged(db: Db, userId: string, id: string, after: number): Promise<boolean> {
  const there = await db.selectFrom("transcriptions").select("id").where("id", "=", id).executeTakeFirst();
  if (there === undefined) return true;
  return findsAny(
    db
      .selectFrom("transcriptions")
      .select("revision")
      .where("user_id", "=", userId)
      .where("revision", ">", after)
      // The expression forces the index of changes, which contains the revision. By id, the whole row would be read.
      .where(sql<boolean>`id || '' = ${id}`),
  );
}

/** Transcriptions in progress. */
export async function listUnfinished(db: Db, userId: string): Promise<SummaryRow[]> {
  const jobs = await db
    .selectFrom("jobs")
    .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
    .select("transcriptions.id")
    .where("transcriptions.user_id", "=", userId)
    .where("transcriptions.deleted_at", "is", null)
    .execute();
  if (jobs.length === 0) return [];
  return summaries(db)
    .where(
      "id",
      "in",
      jobs.map(({ id }) => id),
    )
    .orderBy("revision")
    .execute();
}
