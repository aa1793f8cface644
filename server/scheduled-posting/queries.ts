import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { BlogRunTable, BlogScheduleTable } from "./tables.ts";

export type RunRow = Selectable<BlogRunTable>;
export type ScheduleRow = Selectable<BlogScheduleTable>;

const kept = 200;

/** The stored schedule; before the first start, one without a next run. */
export async function readSchedule(db: Db): Promise<ScheduleRow> {
  const row = await db.selectFrom("blog_schedule").selectAll().where("id", "=", 1).executeTakeFirst();
  return row ?? { id: 1, expression: "", next_at: null, skip_at: null, posted: 0, skipped: 0 };
}

export async function writeSchedule(t: Db, row: Omit<ScheduleRow, "id">): Promise<void> {
  await t
    .insertInto("blog_schedule")
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** @returns false when a run with this id exists */
export async function addRun(t: Db, run: Insertable<BlogRunTable>): Promise<boolean> {
  const added = await t
    .insertInto("blog_runs")
    .values(run)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** The run in progress, in any process, including one whose process has crashed. There is at most one. */
export function findRunning(db: Db): Promise<RunRow | undefined> {
  return db.selectFrom("blog_runs").selectAll().where("outcome", "=", "running").executeTakeFirst();
}

/** Changes a running run, if it is still the same attempt (compare-and-set). @returns false when it is not */
export function changeRun(
  t: Db,
  { id, attempt }: Pick<RunRow, "id" | "attempt">,
  change: Updateable<BlogRunTable>,
): Promise<boolean> {
  return affectsAny(
    t.updateTable("blog_runs").set(change).where("id", "=", id).where("attempt", "=", attempt).where("outcome", "=", "running"),
  );
}

/** Adds a finished run to the totals, and deletes old ones. */
export async function countRun(t: Db, outcome: BlogRunTable["outcome"]): Promise<void> {
  if (outcome === "posted" || outcome === "skipped") {
    const counted = t.updateTable("blog_schedule").set((eb) => ({ [outcome]: eb(outcome, "+", 1) }));
    await counted.execute();
  }
  await t
    .deleteFrom("blog_runs")
    .where("outcome", "!=", "running")
    .where("id", "not in", (eb) => eb.selectFrom("blog_runs").select("id").orderBy("started_at", "desc").limit(kept))
    .execute();
}

/** The newest first. */
export function listRuns(db: Db, limit: number): Promise<RunRow[]> {
  return db.selectFrom("blog_runs").selectAll().orderBy("started_at", "desc").orderBy("due_at", "desc").limit(limit).execute();
}
