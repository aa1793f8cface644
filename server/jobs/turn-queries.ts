import type { Db } from "#server/db/open.ts";

/** How many jobs are lined up at once. */
const portion = 500;

/**
 * Gives each job that has arrived since its turn, by start-time fair queueing (Goyal, Vin and Cheng, 1996): a person's first job is due
 * now, as soon as those of everybody else who waits for a first one; the second comes a round later, and so on. So the lines of all
 * people are served in rotation, however long one of them is, and whoever has waited is not overtaken for ever by those who come later.
 * Call it in a transaction.
 */
export async function lineUp(t: Db): Promise<void> {
  for (;;) {
    const arrived = await t
      .selectFrom("jobs")
      .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
      .select(["jobs.transcription_id as id", "transcriptions.user_id as person"])
      .where("jobs.turn", "is", null)
      .orderBy("jobs.created_at")
      .limit(portion)
      .execute();
    if (arrived.length === 0) return;
    const round = await currentRound(t);
    const lastOf = await lastTurns(t, [...new Set(arrived.map(({ person }) => person))]);
    for (const { id, person } of arrived) {
      const turn = Math.max(round, (lastOf.get(person) ?? -1) + 1);
      lastOf.set(person, turn);
      await t.updateTable("jobs").set({ turn }).where("transcription_id", "=", id).execute();
    }
  }
}

/** The turn that is being served: who comes now is not behind it, and not ahead of it either. */
async function currentRound(t: Db): Promise<number> {
  const { latest } = await t
    .selectFrom("jobs")
    .select(({ fn }) => fn.max("turn").as("latest"))
    .where("worker_id", "is not", null)
    .executeTakeFirstOrThrow();
  if (latest !== null) return latest;
  const { next } = await t
    .selectFrom("jobs")
    .select(({ fn }) => fn.min("turn").as("next"))
    .where("worker_id", "is", null)
    .where("paused", "=", 0)
    .executeTakeFirstOrThrow();
  return next ?? 0;
}

/** The last turn of each person's unfinished jobs. */
async function lastTurns(t: Db, people: readonly string[]): Promise<Map<string, number>> {
  const rows = await t
    .selectFrom("jobs")
    .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
    .select(({ fn }) => ["transcriptions.user_id as person", fn.max("jobs.turn").as("last")])
    .where("transcriptions.user_id", "in", people)
    .where("jobs.turn", "is not", null)
    .groupBy("transcriptions.user_id")
    .execute();
  return new Map(rows.map(({ person, last }) => [person, last ?? 0]));
}
