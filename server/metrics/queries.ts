import type { Db } from "#server/db/open.ts";
import { dayOf } from "./days.ts";
import type { Metric } from "./tables.ts";

/** Counts an event. @param at epoch ms */
export async function countMetric(t: Db, metric: Metric, at: number): Promise<void> {
  await t
    .insertInto("metric_days")
    .values({ day: dayOf(at), metric, value: 1 })
    .onConflict((conflict) =>
      conflict.columns(["metric", "day"]).doUpdateSet((eb) => ({ value: eb("metric_days.value", "+", 1) })),
    )
    .execute();
}

/** Stores measurements, replacing those of the same day. @param at epoch ms */
export async function keepMetrics(t: Db, at: number, values: Partial<Record<Metric, number>>): Promise<void> {
  for (const [metric, value] of entriesOf(values)) {
    await t
      .insertInto("metric_days")
      .values({ day: dayOf(at), metric, value })
      .onConflict((conflict) => conflict.columns(["metric", "day"]).doUpdateSet({ value }))
      .execute();
  }
}

function entriesOf(values: Partial<Record<Metric, number>>): [Metric, number][] {
  const names: readonly Metric[] = ["signIns", "users", "premium", "database", "audio", "vault", "other", "recordedAt"];
  return names.flatMap((metric): [Metric, number][] => {
    const value = values[metric];
    return value === undefined ? [] : [[metric, value]];
  });
}

/** The values stored since a day ("2026-03-01"), by metric and day. */
export async function metricsSince(db: Db, day: string): Promise<(metric: Metric, day: string) => number | undefined> {
  const rows = await db.selectFrom("metric_days").selectAll().where("day", ">=", day).execute();
  const known = new Map(rows.map((row) => [`${row.metric} ${row.day}`, Number(row.value)]));
  return (metric, of) => known.get(`${metric} ${of}`);
}

/** The last measurement; undefined before the first. */
export async function latestMetric(db: Db, metric: Metric): Promise<number | undefined> {
  const row = await db
    .selectFrom("metric_days")
    .select("value")
    .where("metric", "=", metric)
    .orderBy("day", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}
