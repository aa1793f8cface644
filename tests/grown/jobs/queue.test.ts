import { expect, onTestFinished, test } from "vitest";
import { createLog } from "#server/common/log.ts";
import { openDb } from "#server/db/open.ts";
import { openBossQueue } from "#server/jobs/boss-queue.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { describePieces } from "#tests/server/jobs/pieces-suite.ts";
import { describeQueue, Line } from "#tests/server/jobs/queue-suite.ts";

// Needs PostgreSQL; the same queue in the embedded database: tests/server/jobs/queue.test.ts.

async function open(url: string) {
  const db = await openDb("", url);
  return { db, queue: await openBossQueue({ db, url, log: createLog("silent", Date.now) }) };
}

const openNew = async () => {
  const { url, drop } = await createTestDatabase();
  const { db, queue } = await open(url);
  return {
    db,
    queue,
    close: async () => {
      await queue.close();
      await db.destroy();
      await drop();
    },
  };
};

describeQueue("several machines", openNew);
describePieces("several machines", openNew);

test("a job whose message is gone, with the worker that had it or by a restore, is delivered again", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { db, queue } = await open(url);
  const jobs = new Line({ db, queue });
  await jobs.addMany("Ann 1", "Ann 2");
  expect(await jobs.take()).toBe("Ann 1");
  await administer(url, "delete from pgboss.job");
  expect(await jobs.take()).toBe("Ann 2");
  await jobs.finish("Ann 1");
  await jobs.finish("Ann 2");
  expect(await jobs.take()).toBe("");
  await queue.close();
  await db.destroy();
});
