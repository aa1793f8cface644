import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node26 } from "#scripts/tools.mjs";
import { variables } from "#server/config/environment.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import type { BucketFiles } from "#tests/grown/harness-s3.ts";

const mainFile = fileURLToPath(new URL("../../server/main.ts", import.meta.url));
/** Node's compile cache for the server: it saves a third of a second in each of some sixty starts per run. */
const compileCache = fileURLToPath(new URL("../../.tmp/compile-cache", import.meta.url));
/** Timeout in ms; opening the engines takes most of the time. */
const startLimit = timeLimit(60_000);
const stopLimit = timeLimit(10_000);

export interface ParlanceOptions {
  /** The server's variables (server/config/environment.ts). The caller's own variables are not passed on. */
  env?: Record<string, string>;
}

/** The product in a separate process with its own ports and data folder. */
export interface Parlance extends AsyncDisposable {
  /** The page's address: "http://localhost:49152". */
  readonly url: string;
  readonly apiUrl: string;
  readonly dataDir: string;
  /** Data outside of the data folder (harness-data.ts). */
  readonly data: { databaseUrl?: string; bucket?: BucketFiles };
  /** Its processes: one, or several behind a proxy. */
  processes(): readonly { dataDir: string; pid: number }[];
  /** The server's process id, for measuring its memory. */
  pid(): number;
  /** The output since the first start. */
  log(): string;
  /** True between start and stop, even after a kill. */
  isWanted(): boolean;
  /** False after its process has ended. */
  isRunning(): boolean;
  /** Sends SIGKILL, without any clean-up. */
  kill(): Promise<void>;
  /** Restarts it on the same ports and data; ends it properly first if it still runs. */
  restart(): Promise<void>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

/** All servers that the running test has started; harness-each.ts reads and empties the list. */
export const startedServers: Parlance[] = [];

/**
 * Starts server/main.ts as `npm start` does, and waits until it reports that it is ready.
 * @throws Error with its output when it ends or takes longer than a minute
 */
export async function startParlance({ env = {} }: ParlanceOptions = {}): Promise<Parlance> {
  const parlance = process.env.PARLANCE_TOPOLOGY === undefined ? await startAlone(env) : await startGrown(env);
  startedServers.push(parlance);
  return parlance;
}

/** Starts several processes behind a proxy, on PostgreSQL and S3. The page sees them as one server. */
async function startGrown(env: Record<string, string>): Promise<Parlance> {
  // Imported on demand: it needs services that only `npm run test:all` starts.
  const { startTopology } = await import("#tests/grown/harness-topology.ts");
  const topology = await startTopology({ program: "product", env });
  const [first] = topology.apis;
  if (first === undefined) throw new Error("There are two.");
  const all = [...topology.apis, ...topology.workers];
  let wanted = true;
  const parlance: Parlance = {
    url: topology.url,
    apiUrl: topology.apiUrl,
    dataDir: first.dataDir,
    data: { databaseUrl: topology.databaseUrl, bucket: topology.bucket },
    processes: () => all.map(({ dataDir, pid }) => ({ dataDir, pid: pid() })),
    pid: first.pid,
    log: topology.log,
    isWanted: () => wanted,
    isRunning: () => all.every((node) => node.isRunning()),
    kill: async () => void (await Promise.all(all.map((node) => node.kill()))),
    restart: async () => {
      await Promise.all(all.map((node) => node.stop()));
      await Promise.all(all.map((node) => node.start()));
    },
    stop: async () => {
      wanted = false;
      await topology.close();
    },
    [Symbol.asyncDispose]: () => parlance.stop(),
  };
  return parlance;
}

async function startAlone(env: Record<string, string>): Promise<Parlance> {
  const dataDir = await makeTemporaryFolder();
  const own = { PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir, ...env };
  const lines: string[] = [];
  let running = await launch(own, lines);
  const { url, apiUrl } = running;
  const samePorts = { ...own, PORT: env.PORT ?? new URL(apiUrl).port, WEB_PORT: new URL(url).port };
  let wanted = true;

  const parlance: Parlance = {
    url,
    apiUrl,
    dataDir,
    data: {},
    processes: () => [{ dataDir, pid: running.child.pid ?? 0 }],
    pid: () => running.child.pid ?? 0,
    log: () => lines.join("\n"),
    isWanted: () => wanted,
    isRunning: () => running.child.exitCode === null && running.child.signalCode === null,
    kill: () => end(running.child, "SIGKILL"),
    restart: async () => {
      await end(running.child, "SIGTERM");
      running = await launch(samePorts, lines);
    },
    stop: async () => {
      wanted = false;
      await end(running.child, "SIGTERM");
      endGroup(running.child);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
    [Symbol.asyncDispose]: () => parlance.stop(),
  };
  return parlance;
}

interface Launched {
  child: ChildProcess;
  url: string;
  apiUrl: string;
}

async function launch(env: Record<string, string>, lines: string[]): Promise<Launched> {
  // A separate process group, so that none of its child processes outlives the test.
  const child = spawn(node26, ["--disable-warning=ExperimentalWarning", mainFile], {
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  try {
    const url = await readiness(child, lines);
    return { child, url, apiUrl: await findApi(url) };
  } catch (error) {
    endGroup(child);
    throw error;
  }
}

/** This process's environment without the variables of Parlance and Vitest. */
function cleanEnvironment(): Record<string, string | undefined> {
  const not = new Set([
    ...variables.map((variable) => variable.name),
    "NODE_ENV",
    "NODE_OPTIONS",
    "VITEST",
    "TEST",
    "DEV",
    "PROD",
  ]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !not.has(name)));
}

function readiness(child: ChildProcess, lines: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = (stream: ChildProcess["stdout"]) => {
    if (stream === null) return;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      const address = /^Parlance is ready: (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  };
  read(child.stdout);
  read(child.stderr);
  const limit = setTimeout(() => reject(new Error(`Parlance was not ready in time. It said:\n${lines.join("\n")}`)), startLimit);
  child.once("error", reject);
  child.once("close", (code) =>
    reject(new Error(`Parlance ended with ${code} before it was ready. It said:\n${lines.join("\n")}`)),
  );
  return promise.finally(() => clearTimeout(limit));
}

/** Reads the API's address from the page, which gets it from the server. */
async function findApi(url: string): Promise<string> {
  const html = await (await fetch(url, { headers: { Accept: "text/html" } })).text();
  const address = /<meta name="parlance-api" content="([^"]+)"/.exec(html)?.[1];
  if (address === undefined) throw new Error(`The page at ${url} does not name its API:\n${html.slice(0, 2000)}`);
  return address;
}

/** Resolves when the process has ended; kills a process that ignores SIGTERM. */
async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  const limit = setTimeout(() => child.kill("SIGKILL"), stopLimit);
  child.kill(signal);
  await ended;
  clearTimeout(limit);
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // ESRCH: all processes of the group have ended already.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
