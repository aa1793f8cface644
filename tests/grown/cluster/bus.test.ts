import { afterEach, expect, test } from "vitest";
import type { Bus, Topic } from "#server/bus/bus.ts";
import { openDatabaseClaims } from "#server/cluster/database-claims.ts";
import { openPostgresBus } from "#server/cluster/postgres-bus.ts";
import { createPostgresLocks } from "#server/cluster/postgres-locks.ts";
import { openDb } from "#server/db/open.ts";
import { createLog } from "#server/log/log.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";

// Two processes of an installation as PostgreSQL sees them: each has its own connection.

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

const quiet = createLog("silent", Date.now);

async function database(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  cleanup.defer(drop);
  return url;
}

async function openBus(url: string) {
  const bus = await openPostgresBus(url, quiet);
  cleanup.defer(() => bus.close());
  return bus;
}

/** The next message of a topic. */
function next(bus: Bus, topic: Topic): Promise<string | undefined> {
  return new Promise((resolve) => {
    const stop = bus.subscribe(topic, (message) => {
      stop();
      resolve(message);
    });
  });
}

/** Waits until a topic's listeners are told that messages may be lost; messages before that are ignored. */
function readAgain(bus: Bus, topic: Topic): Promise<void> {
  return new Promise((resolve) => {
    const stop = bus.subscribe(topic, (message) => {
      if (message !== undefined) return;
      stop();
      resolve();
    });
  });
}

/** Ends the connections of all buses, as a restart of PostgreSQL does. */
const cut = (url: string) =>
  administer(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parlance-session'");

test("delivers a message to the other process, and to its own process once", async () => {
  const url = await database();
  const [one, other] = [await openBus(url), await openBus(url)];
  let own = 0;
  one.subscribe("transcriptions.changed", () => (own += 1));
  const heard = next(other, "transcriptions.changed");
  one.publish("transcriptions.changed", "somebody");
  expect(await heard).toBe("somebody");
  const answer = next(one, "mails.added");
  other.publish("mails.added");
  expect(await answer).toBe("");
  expect(own).toBe(1);
});

test("makes everybody read again after a lost connection", async () => {
  const url = await database();
  const [one, other] = [await openBus(url), await openBus(url)];
  const told = [readAgain(one, "keys.changed"), readAgain(other, "jobs.added")];
  const before = [one, other].map(({ session }) => session.number);
  await cut(url);
  one.publish("jobs.added");
  await Promise.all(told);
  // Waits until both have a new connection, because each new one tells listeners to read again.
  for (const [at, bus] of [one, other].entries()) await expect.poll(() => bus.session.number).toBeGreaterThan(before[at] ?? 0);
  const heard = next(other, "mails.added");
  one.publish("mails.added", "x");
  expect(await heard).toBe("x");
});

test("gives a lock to one process at a time, and passes it on when it is released", async () => {
  const url = await database();
  const [one, other] = [createPostgresLocks(await openBus(url)), createPostgresLocks(await openBus(url))];
  const asked = Promise.withResolvers<void>();
  const release = await one.take("upload/x", { wanted: () => asked.resolve() });
  const order: string[] = [];
  const second = other.take("upload/x").then((releaseSecond) => {
    order.push("second");
    return releaseSecond();
  });
  await asked.promise;
  order.push("released");
  await release();
  await second;
  expect(order).toEqual(["released", "second"]);
  for (const locks of [one, other]) await locks.close();
});

test("tells the holder that its lock is lost with the connection, and gives it to the other process at once", async () => {
  const url = await database();
  const bus = await openBus(url);
  const [one, other] = [createPostgresLocks(bus), createPostgresLocks(await openBus(url))];
  const lost = Promise.withResolvers<void>();
  await one.take("upload/x", { lost: () => lost.resolve() });
  await cut(url);
  await lost.promise;
  await (await other.take("upload/x"))();
  for (const locks of [one, other]) await locks.close();
});

test("keeps simultaneous claims of all processes within the limit", async () => {
  const url = await database();
  const db = await openDb("", url);
  cleanup.defer(() => db.destroy());
  let at = 0;
  const parts = { db, now: () => at, log: quiet };
  const [one, other] = [await openDatabaseClaims(parts), await openDatabaseClaims(parts)];
  cleanup.defer(() => other.close());
  const takes = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? one : other).take("places/ann", 1, 5)));
  expect(takes.filter((taken) => taken !== undefined)).toHaveLength(5);
  expect(await one.take("places/bob", 5, 5)).toBeDefined();
  await takes.find((taken) => taken !== undefined)?.();
  expect(await other.take("places/ann", 1, 5)).toBeDefined();
  expect(await one.take("places/ann", 1, 5)).toBeUndefined();
  // A closed process returns its claims at once; those of a killed process expire after a while.
  await one.close();
  expect(await other.take("places/bob", 5, 5)).toBeDefined();
  at += 60_000;
  const third = await openDatabaseClaims(parts);
  cleanup.defer(() => third.close());
  expect(await third.take("places/bob", 5, 5)).toBeDefined();
});
