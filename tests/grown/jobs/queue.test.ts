import { expect, onTestFinished, test } from "vitest";
import { openDb } from "#server/db/open.ts";
import { openBossQueue } from "#server/jobs/boss-queue.ts";
import { blameJobsOf, excuseJobsOf, listGivenUp, suspectJobsOf } from "#server/jobs/suspect-queries.ts";
import { createLog } from "#server/log/log.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { describePieces } from "#tests/server/jobs/pieces-suite.ts";
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
  return { db, queue, url, close };
}

describeQueue("several machines", open);
describePieces("several machines", open);

test("a job whose message is gone, with the worker that had it or by a restore, is delivered again", async () => {
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

test("a job whose workers are killed again and again waits longer each time, and is given up only for crashes of its own", async () => {
  const { db, queue, close } = await open();
  onTestFinished(close);
  const jobs = new Line({ db, queue });
  await jobs.add("Ann 1");
  expect(await jobs.take({ worker: "dead" })).toBe("Ann 1");
  let at = 2_000_000_000_000;
  await suspectJobsOf(db, "dead", { at });
  const claim = async () => {
    const alone = { worker: "q", takes: "suspects", withoutFetches: false, onlyNewcomers: false } as const;
    return (await queue.claim({ ...alone, now: at, leaseUntil: at + 15_000 }))?.transcription_id;
  };
  for (let death = 1; death <= 12; death++) {
    expect(await claim()).toBe(jobs.id("Ann 1"));
    await (death % 2 === 0 ? suspectJobsOf : excuseJobsOf)(db, "q", { at });
    const wait = Math.min(death, 10) * 1_000;
    at += wait - 1;
    expect(await claim()).toBeUndefined();
    at += 1;
  }
  expect(await listGivenUp(db)).toEqual([]);
  for (let crash = 1; crash <= 3; crash++) {
    expect(await claim()).toBe(jobs.id("Ann 1"));
    await blameJobsOf(db, "q");
  }
  expect(await claim()).toBeUndefined();
  expect(await listGivenUp(db)).toEqual([jobs.id("Ann 1")]);
});
