import { expect, onTestFinished, test } from "vitest";
import { openDb } from "#server/db/open.ts";
import type { Attempt, JobHandler } from "#server/jobs/handler.ts";
import { enqueueJob, isLeased, removeJob } from "#server/jobs/queries.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { openTableQueue } from "#server/jobs/table-queue.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { createLog } from "#server/log/log.ts";
import { until } from "#tests/fixtures/until.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { Line } from "./queue-suite.ts";

test("begins a job once more when it is added again while its previous attempt still ends", async () => {
  const attempts: (Attempt & { end(): void })[] = [];
  const db = await openDb(await temporaryFolder());
  onTestFinished(() => db.destroy());
  const table = await openTableQueue(db, Date.now());
  /** Resolves when the first attempt has ended. */
  const settled = Promise.withResolvers<void>();
  const queue: JobQueue = {
    ...table,
    claim: async (claim) => {
      const delivery = await table.claim(claim);
      return delivery && { ...delivery, settle: async () => settled.resolve() };
    },
  };
  const line = new Line({ db, queue });
  await line.add("Ann 1");
  const id = line.id("Ann 1");
  const handler: JobHandler = {
    begin: (attempt) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      attempts.push({ ...attempt, end: resolve });
      return { done: promise, report: async () => {}, isFetching: () => false };
    },
    isFinal: () => true,
    isPassing: () => false,
    fail: async () => {},
    postpone: async () => {},
    discard: async () => {},
  };
  const worker = startWorker({ db, now: Date.now, log: createLog("error", Date.now), handler, queue }, { pollMs: 3_600_000 });
  onTestFinished(() => worker.close());
  await until(() => expect(attempts).toHaveLength(1));
  const [first] = attempts;
  await removeJob(db, id);
  await enqueueJob(db, id, Date.now(), { task: "diarize" });
  worker.wake();
  await until(() => expect(attempts).toHaveLength(2));
  first?.end();
  await settled.promise;
  const second = attempts[1];
  if (second === undefined) throw new Error("there is one attempt");
  expect(await isLeased(db, second.job)).toBe(true);
  for (const attempt of attempts) attempt.end();
});
