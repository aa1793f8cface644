import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createDatabase, databaseEnv, onPostgres } from "#tests/server/database.ts";

/** A server in its own process (child.ts). */
interface Child {
  apiUrl: string;
  pid: number;
  kill(): Promise<void>;
  /**
   * Asks the process to stop and waits for its end.
   * @returns the exit code; null when a signal ended the process
   */
  stop(): Promise<number | null>;
  /** Resolves when the process has ended for any reason. */
  gone: Promise<unknown>;
  isAlive(): boolean;
}

interface ChildOptions {
  stopAfter?: string;
  parallel?: number;
  /** Further settings: DATABASE_URL, PARLANCE_ROLE, … */
  env?: Record<string, string>;
}

/** Starts a server process on existing or new data and kills it after the test. */
export async function startChild(dataDir: string, options: ChildOptions = {}): Promise<Child> {
  const { stopAfter = "", parallel = 1, env: further = {} } = options;
  if (onPostgres) await createDatabase(dataDir);
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    WEB_PORT: "0",
    PARLANCE_DATA: dataDir,
    ...databaseEnv(dataDir),
    PIECES: piecesIn(dataDir),
    STOP_AFTER: stopAfter,
    PARALLEL: String(parallel),
    LOG_LEVEL: "silent",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...further,
  };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => kill(child));
  const gone = once(child, "exit");
  const ended = gone.then(() => Promise.reject(new Error("The server ended before it was ready.")));
  const [apiUrl] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  ended.catch(() => {});
  const stop = async () => {
    child.kill("SIGTERM");
    await gone;
    return child.exitCode;
  };
  return { apiUrl: String(apiUrl), pid: child.pid ?? 0, kill: () => kill(child), stop, gone, isAlive: () => !hasEnded(child) };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

const piecesIn = (dataDir: string) => join(dataDir, "pieces.log");
/** Lengths in bytes of the pieces that the engines have begun. */
export const begunPieces = async (dataDir: string) => (await readFile(piecesIn(dataDir), "utf8")).trim().split("\n");
/** Ids of the processes that have begun the pieces. */
export const begunBy = async (dataDir: string) =>
  (await readFile(`${piecesIn(dataDir)}.by`, "utf8")).trim().split("\n").map(Number);
