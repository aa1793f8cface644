import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { dayOf } from "#server/metrics/days.ts";

/** Work that consumes a user's minutes. */
export interface CountedWork {
  userId: string;
  /** The work counts once under this key, however often it is reported (subscription/usage.ts: `sourceOf`). */
  source: string;
  /** Samples of speech in its audio (16 kHz); until that is known, its full length. */
  samples: number;
  /** When the work (or its growth) was accepted, epoch ms. Determines its month. */
  acceptedAt: number;
}

/** The calendar month (UTC) of a time in epoch ms: "2026-03". */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** Counts the work, or its growth since the last call. The growth belongs to the month of `acceptedAt`. */
export async function countUsage(t: Db, { userId, source, samples, acceptedAt }: CountedWork): Promise<void> {
  const [month, day] = [monthOf(acceptedAt), dayOf(acceptedAt)];
  // One statement, so that concurrent reports of the same work count once.
  await sql`
    insert into usage (user_id, source, month, day, samples)
    select ${userId}, ${source}, ${month}, ${day}, ${samples} - coalesce(sum(samples), 0)
    from usage where user_id = ${userId} and source = ${source}
    having count(*) = 0 or coalesce(sum(samples), 0) < ${samples}
    on conflict (user_id, source, month) do update set samples = usage.samples + excluded.samples`.execute(t);
}

/** Lowers the counted samples to this number; never raises them. For work that is counted in a single month: files. */
export async function settleUsage(t: Db, { userId, source, samples }: Omit<CountedWork, "acceptedAt">): Promise<void> {
  await t
    .updateTable("usage")
    .set({ samples })
    .where("user_id", "=", userId)
    .where("source", "=", source)
    .where("samples", ">", samples)
    .execute();
}

export async function isCounted(t: Db, userId: string, source: string): Promise<boolean> {
  const row = await t
    .selectFrom("usage")
    .select("source")
    .where("user_id", "=", userId)
    .where("source", "=", source)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns samples of the month that `at` (epoch ms) lies in */
export async function sumUsage(t: Db, userId: string, at: number): Promise<number> {
  const { samples } = await t
    .selectFrom("usage")
    .select(sql<number>`coalesce(sum(samples), 0)`.as("samples"))
    .where("user_id", "=", userId)
    .where("month", "=", monthOf(at))
    .executeTakeFirstOrThrow();
  return Number(samples);
}

/** A user's usage by month, the latest first, in samples. */
export async function listUsageByMonth(db: Db, userId: string, limit: number): Promise<{ month: string; samples: number }[]> {
  const rows = await db
    .selectFrom("usage")
    .select(({ fn }) => ["month", fn.sum<number>("samples").as("samples")])
    .where("user_id", "=", userId)
    .groupBy("month")
    .orderBy("month", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ month, samples }) => ({ month, samples: Number(samples) }));
}

/** All users' samples by day. @param since the first day: "2026-03-01" */
export async function sumUsageByDay(db: Db, since: string): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom("usage")
    .select(({ fn }) => ["day", fn.sum<number>("samples").as("samples")])
    .where("day", ">=", since)
    .groupBy("day")
    .execute();
  return new Map(rows.map(({ day, samples }) => [day, Number(samples)]));
}

/** @returns all users' samples of the month that `at` (epoch ms) lies in */
export async function sumUsageOfAll(db: Db, at: number): Promise<number> {
  const { samples } = await db
    .selectFrom("usage")
    .select(sql<number>`coalesce(sum(samples), 0)`.as("samples"))
    .where("month", "=", monthOf(at))
    .executeTakeFirstOrThrow();
  return Number(samples);
}

export async function removeUsage(t: Db, userId: string, source: string): Promise<void> {
  await t.deleteFrom("usage").where("user_id", "=", userId).where("source", "=", source).execute();
}
