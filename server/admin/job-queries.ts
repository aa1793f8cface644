import { sql } from "kysely";
import type { AdminJob } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";

type State = AdminJob["state"];

interface Filter {
  state: State | "all";
  /** Epoch ms: a job whose lease has expired by then is waiting. */
  now: number;
}

/** A job without any content. Times in epoch ms. */
export type JobOverview = Awaited<ReturnType<typeof listJobOverviews>>[number];

export function countJobsFound(db: Db, filter: Filter): Promise<number> {
  return countRows(narrowed(db, filter));
}

/** The newest first. */
export function listJobOverviews(db: Db, filter: Filter, { limit, offset }: { limit: number; offset: number }) {
  const newest = narrowed(db, filter).selectAll().orderBy("date", "desc").orderBy("id", "desc");
  return newest.limit(limit).offset(offset).execute();
}

/** @param now epoch ms */
export function findJobOverview(db: Db, id: string, now: number): Promise<JobOverview | undefined> {
  return jobsIn(db, now).selectAll().where("id", "=", id).executeTakeFirst();
}

function narrowed(db: Db, { state, now }: Filter) {
  const all = jobsIn(db, now);
  return state === "all" ? all : all.where("state", "=", state);
}

/** Running and failed transcriptions with their owners, without deleted ones. */
function jobsIn(db: Db, now: number) {
  const kept = db
    .selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .where("transcriptions.deleted_at", "is", null);
  const isMade = kept
    .innerJoin("jobs", "jobs.transcription_id", "transcriptions.id")
    .select((eb) => [
      ...columns,
      eb.ref("jobs.attempts").$castTo<number | null>().as("failures"),
      eb.ref("jobs.created_at").$castTo<number | null>().as("created_at"),
      eb.case().when("jobs.lease_until", ">", now).then<State>("running").else<State>("waiting").end().as("state"),
    ]);
  const hasFailed = kept
    .where("transcriptions.status", "=", "failed")
    .select((eb) => [
      ...columns,
      sql<number | null>`null`.as("failures"),
      sql<number | null>`null`.as("created_at"),
      eb.val<State>("failed").as("state"),
    ]);
  return db.selectFrom(isMade.unionAll(hasFailed).as("found"));
}

const columns = [
  ...(["transcriptions.id", "transcriptions.user_id", "users.email", "transcriptions.origin"] as const),
  ...(["transcriptions.source_language", "transcriptions.engine", "transcriptions.duration_seconds"] as const),
  ...(["transcriptions.stage", "transcriptions.fraction", "transcriptions.error_code", "transcriptions.date"] as const),
] as const;
