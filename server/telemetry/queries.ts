import type { Db } from "#server/db/open.ts";

export interface QueueState {
  waiting: number;
  running: number;
  /** Longest wait of a job for a worker, in seconds; 0 when none waits. */
  oldestSeconds: number;
}

/** The state of the job queue. @param now epoch ms */
export async function queueState(db: Db, now: number): Promise<QueueState> {
  const row = await db
    .selectFrom("jobs")
    .select(({ fn, eb }) => {
      const held = eb.and([eb("lease_id", "is not", null), eb("lease_until", ">", now)]);
      const due = eb.and([eb("lease_id", "is", null), eb("run_after", "<=", now)]);
      return [
        fn.countAll<number | string>().as("all"),
        fn.sum<number | string | null>(eb.case().when(held).then(1).else(0).end()).as("running"),
        fn.min<number | string | null>(eb.case().when(due).then(eb.ref("created_at")).else(null).end()).as("oldest"),
      ];
    })
    .where("paused", "=", 0)
    .executeTakeFirst();
  const running = Number(row?.running ?? 0);
  const oldest = row?.oldest ?? null;
  return {
    running,
    waiting: Number(row?.all ?? 0) - running,
    oldestSeconds: oldest === null ? 0 : Math.max(0, now - Number(oldest)) / 1000,
  };
}
