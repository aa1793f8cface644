import { expect, onTestFinished, test } from "vitest";
import { openDb } from "#server/db/open.ts";
import { openBossQueue } from "#server/jobs/boss-queue.ts";
import { createLog } from "#server/log/log.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { describeQueue, Line } from "#tests/server/jobs/queue-suite.ts";

// Needs PostgreSQL; the same queue in the embedded database: tests/server/jobs/queue.test.ts.

async function open() {
  const { url, drop } = await createTestDatabase();
  const db = await openDb("", url);
  const queue = await openBossQueue({ db, url, log: createLog("silent", Date.now) });
  const close = async () => {
    await queue.close();
    await db.destroy();
    await drop();
  };
  const silence = () =>
    administer(url, "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'");
  return { db, queue, url, silence, close };
}

describeQueue("several machines", open);

test("delivers a job again whose message is gone after a crash or a restore", async () => {
  const { db, queue, url, close } = await open();
  onTestFinished(close);
  const jobs = new Line({ db, queue });
  await jobs.addMany("Ann 1", "Ann 2");
  expect(await jobs.take()).toBe("Ann 1");
  await administer(url, "delete from pgboss.job");
  expect(await jobs.take()).toBe("Ann 2");
  await jobs.finish("Ann 1");
  await jobs.finish("Ann 2");
  expect(await jobs.take()).toBe("");
});
