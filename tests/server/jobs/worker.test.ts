import { expect, onTestFinished, test } from "vitest";
import { openDb } from "#server/db/open.ts";
import { enqueueJob, isJobHeldBy, removeJob } from "#server/jobs/queries.ts";
import { createTableQueue } from "#server/jobs/table-queue.ts";
import type { Attempt, JobWork } from "#server/jobs/work.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { createLog } from "#server/log/log.ts";
import { until } from "#tests/fixtures/until.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { Line } from "./queue-suite.ts";

test("a job that is asked for anew while its worker still ends the one before is begun once", async () => {
  const attempts: (Attempt & { end(): void })[] = [];
  const db = await openDb(await temporaryFolder());
  onTestFinished(() => db.destroy());
  const table = createTableQueue(db);
  /** Whether the job has a worker when an attempt at it has ended. */
  const isHeld = Promise.withResolvers<boolean>();
  const queue = {
    ...table,
    settle: async (id: string) => isHeld.resolve(await isJobHeldBy(db, id, attempts[1]?.job.worker_id ?? null)),
  };
  const line = new Line({ db, queue });
  await line.add("Ann 1");
  const id = line.id("Ann 1");
  const work: JobWork = {
    begin: (attempt) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      attempts.push({ ...attempt, end: resolve });
      return { done: promise, report: async () => {}, isFetching: () => false };
    },
    help: async () => undefined,
    isFinal: () => true,
    isPassing: () => false,
    fail: async () => {},
    postpone: async () => {},
    discard: async () => {},
  };
  const worker = await startWorker(
    { db, now: Date.now, log: createLog("error", Date.now), work, queue },
    { pollMs: 3_600_000 },
    { takes: "all" },
  );
  onTestFinished(() => worker.close());
  await until(() => expect(attempts).toHaveLength(1));
  const [first] = attempts;
  await removeJob(db, id);
  await enqueueJob(db, id, Date.now(), { task: "diarize" });
  worker.wake();
  await until(() => expect(attempts).toHaveLength(2));
  first?.end();
  await expect(isHeld.promise).resolves.toBe(true);
  for (const attempt of attempts) attempt.end();
});
