import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { postgresPrograms } from "#scripts/tools.mjs";
import { openDb } from "#server/db/open.ts";
import { openBossQueue } from "#server/jobs/boss-queue.ts";
import { createLog } from "#server/log/log.ts";
import { steadyPort } from "#tests/fixtures/steady-port.ts";
import { makeTemporaryFolder, sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { createNewDatabase, giveBackDatabase, keepingSeeds, takeDatabase, urlOf } from "#tests/server/postgres-pool.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the database `postgres` in the run's cluster. */
    postgres: string;
  }
}

/** A migrated and empty database, which is copied for each test. */
const template = "parlance_template";
const stopSignals = { fast: "SIGINT", crash: "SIGQUIT", kill: "SIGKILL" } as const;
/** How long PostgreSQL may take to start, in ms. */
const startMs = timeLimit(30_000);

/** A real PostgreSQL with its own folder and port. */
export interface Cluster {
  /** The address of one of its databases. */
  url(database: string): string;
  /**
   * Stops it: `fast` rolls back open transactions; `crash` is SIGQUIT, after which it recovers at its next start;
   * `kill` is SIGKILL of only its first process, whose loss the others notice.
   */
  stop(how?: "fast" | "crash" | "kill"): Promise<void>;
  /** Starts it again on the same port with the same data, unless it runs. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts a PostgreSQL (Debian's newest installed version). It orders texts by the rules of English unless a column says
 * otherwise, as an operator's may. Started by root, it runs as the user `postgres`, because PostgreSQL refuses root.
 * @param settings further settings: `{ max_connections: "20" }`
 */
export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const programs = programFolder();
  const user = unprivileged();
  const folder = await makeTemporaryFolder(tmpdir());
  const data = join(folder, "data");
  const password = randomBytes(12).toString("hex");
  await writeFile(join(folder, "password"), password);
  await mkdir(data);
  for (const path of [folder, data, join(folder, "password")]) {
    if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
    await chmod(path, path.endsWith("password") ? 0o600 : 0o700);
  }
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"];
  const account = ["--username=parlance", "--auth=password", `--pwfile=${join(folder, "password")}`, "--no-sync"];
  execFileSync(join(programs, "initdb"), ["-D", data, ...account, ...locale], { ...user, cwd: folder, stdio: "pipe" });
  const port = await steadyPort();
  const all = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "300",
    // No data outlives the run, and without these waits it is faster. A crash of its own processes loses nothing
    // either.
    fsync: "off",
    full_page_writes: "off",
    // Dead rows stay, so that unordered rows keep the order in which they were written, as in a new database.
    autovacuum: "off",
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = (database: string) => `postgres://parlance:${password}@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;
  const isRunning = () => server !== undefined && server.exitCode === null && server.signalCode === null;
  const start = async () => {
    const until = Date.now() + startMs;
    while (!isRunning()) {
      const started = spawn(join(programs, "postgres"), ["-D", data, ...args], { ...user, cwd: folder, stdio: "ignore" });
      server = started;
      try {
        await untilReady(url("postgres"), started);
      } catch (error) {
        // PostgreSQL refuses to start while processes of a killed one are still there.
        if (isRunning() || Date.now() > until) throw error;
        await setTimeout(20);
      }
    }
  };
  const stop = async (how: keyof typeof stopSignals = "fast") => {
    if (server === undefined || !isRunning()) return;
    const ended = once(server, "exit");
    server.kill(stopSignals[how]);
    await ended;
  };
  await start();
  return {
    url,
    stop,
    start,
    remove: async () => {
      await stop("crash");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @throws when no PostgreSQL is installed */
function programFolder(): string {
  const folder = postgresPrograms();
  if (folder === undefined) throw new Error("PostgreSQL is not installed: node scripts/setup.mjs --test");
  return folder;
}

/** The user of Debian's package if this process runs as root, otherwise no other user. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Polls until it answers. */
async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + startMs;
  for (;;) {
    try {
      return await administer(url, "select 1");
    } catch (error) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`, { cause: error });
      if (Date.now() > until) throw error;
      await setTimeout(20);
    }
  }
}

/** Runs a statement on its own connection. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

let names = 0;

/**
 * A migrated and empty database in the run's cluster: one that an earlier test has returned, or a new one.
 * @param empty true: a new one without any table
 * @returns its address, and a function that drops it, even while it is in use
 */
export async function createTestDatabase(empty = false): Promise<{ url: string; drop(): Promise<void> }> {
  if (!empty) {
    const { name, isNew } = takeDatabase();
    if (isNew) await createNewDatabase(name);
    return { url: urlOf(name), drop: () => giveBackDatabase(name) };
  }
  names += 1;
  const name = `e${process.pid}_${names}`;
  const admin = inject("postgres");
  await administer(admin, `create database ${name} template template0`);
  return { url: urlOf(name), drop: () => administer(admin, `drop database if exists ${name} with (force)`) };
}

declare global {
  /** Vitest loads this file for each project that needs it; all projects of a run share one cluster. */
  var testCluster: { cluster: Promise<Cluster>; users: number } | undefined;
}

/** Runs once before all tests of a project. @returns stops the cluster after the last project */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  globalThis.testCluster ??= { cluster: prepared(), users: 0 };
  const running = globalThis.testCluster;
  running.users += 1;
  const cluster = await running.cluster;
  provide("postgres", cluster.url("postgres"));
  return async () => {
    running.users -= 1;
    if (running.users > 0) return;
    globalThis.testCluster = undefined;
    await cluster.remove();
  };
}

async function prepared(): Promise<Cluster> {
  sweepTemporaryFolders();
  const cluster = await startCluster();
  await administer(cluster.url("postgres"), `create database ${template}`);
  const url = cluster.url(template);
  const db = await openDb("", url);
  // Includes pg-boss's tables, whose creation takes a server longer than most tests.
  await (await openBossQueue({ db, url, log: createLog("silent", Date.now) })).close();
  await db.destroy();
  await administer(url, keepingSeeds);
  return cluster;
}
