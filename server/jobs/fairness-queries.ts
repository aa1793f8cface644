import type { Db } from "#server/db/open.ts";

/** The number of jobs that get their rank at once. */
const portion = 500;

/**
 * Ranks all new jobs by start-time fair queueing (Goyal, Vin and Cheng, 1996): a person's first job is due with
 * everybody else's first ones, the second a round later, and so on. So people are served in rotation, however many jobs
 * one of them has, and later arrivals can't overtake a waiting person indefinitely. Call it in a transaction.
 */
export async function rankArrived(t: Db): Promise<void> {
  for (;;) {
    const arrived = await t
      .selectFrom("jobs")
      .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
      .select(["jobs.transcription_id as id", "transcriptions.user_id as person"])
      .where("jobs.rank", "is", null)
      .orderBy("jobs.created_at")
      .limit(portion)
      .execute();
    if (arrived.length === 0) return;
    const round = await currentRound(t);
    const lastOf = await lastRanks(t, [...new Set(arrived.map(({ person }) => person))]);
    for (const { id, person } of arrived) {
      const rank = Math.max(round, (lastOf.get(person) ?? -1) + 1);
      lastOf.set(person, rank);
      await t.updateTable("jobs").set({ rank }).where("transcription_id", "=", id).execute();
    }
  }
}

/** The rank that is being served: new arrivals are neither behind nor ahead of it. */
async function currentRound(t: Db): Promise<number> {
  const { latest } = await t
    .selectFrom("jobs")
    .select(({ fn }) => fn.max("rank").as("latest"))
    .where("lease_id", "is not", null)
    .executeTakeFirstOrThrow();
  if (latest !== null) return latest;
  const { next } = await t
    .selectFrom("jobs")
    .select(({ fn }) => fn.min("rank").as("next"))
    .where("lease_id", "is", null)
    .where("paused", "=", 0)
    .executeTakeFirstOrThrow();
  return next ?? 0;
}

/** The last rank of each person's unfinished jobs. */
async function lastRanks(t: Db, people: readonly string[]): Promise<Map<string, number>> {
  const rows = await t
    .selectFrom("jobs")
    .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
    .select(({ fn }) => ["transcriptions.user_id as person", fn.max("jobs.rank").as("last")])
    .where("transcriptions.user_id", "in", people)
    .where("jobs.rank", "is not", null)
    .groupBy("transcriptions.user_id")
    .execute();
  return new Map(rows.map(({ person, last }) => [person, last ?? 0]));
}
