import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node26 } from "#scripts/tools.mjs";
import { variables } from "#server/config/environment.ts";
import { steadyPort } from "#tests/fixtures/steady-port.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { createTestDatabase } from "./harness-postgres.ts";
import { startRoundRobin } from "./harness-proxy.ts";
import { type BucketFiles, filesOf, sharedS3 } from "./harness-s3.ts";

/** The product, and the product with scripted engines. */
const programs = {
  product: fileURLToPath(new URL("../../server/main.ts", import.meta.url)),
  scripted: fileURLToPath(new URL("topology-child.ts", import.meta.url)),
};
/** Node's compile cache of the server's code. */
const compileCache = fileURLToPath(new URL("../../.tmp/compile-cache", import.meta.url));
/** In ms; several processes start at once. */
const startLimit = timeLimit(120_000);
const stopLimit = timeLimit(20_000);

export interface TopologyOptions {
  /** By default two API processes and three workers. */
  apis?: number;
  workers?: number;
  program?: keyof typeof programs;
  /** Environment variables of every process. */
  env?: Record<string, string>;
}

/** One process with its own ports and data folder. */
interface Node {
  readonly apiUrl: string;
  readonly dataDir: string;
  pid(): number;
  isRunning(): boolean;
  /** Kills it with SIGKILL, without any cleanup. */
  kill(): Promise<void>;
  /** Stops it with SIGSTOP until `resume`. */
  pause(): void;
  resume(): void;
  /** Starts it on the same ports and data. */
  start(): Promise<void>;
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
}

/** Processes on one PostgreSQL and one S3 server, behind a proxy that sends each request to the next one. */
export interface Topology extends AsyncDisposable {
  /** The proxy's addresses, of the page and of the API. */
  url: string;
  apiUrl: string;
  databaseUrl: string;
  bucket: BucketFiles;
  apis: readonly Node[];
  workers: readonly Node[];
  /** The output of all processes. */
  log(): string;
  close(): Promise<void>;
}

/** @throws Error with its output, when a process ends or takes longer than two minutes to start */
export async function startTopology({
  apis = 2,
  workers = 3,
  program = "scripted",
  env = {},
}: TopologyOptions = {}): Promise<Topology> {
  await using cleanup = new AsyncDisposableStack();
  const database = await createTestDatabase();
  cleanup.defer(() => database.drop());
  const s3 = await sharedS3();
  const bucket = await s3.newBucket();
  const folder = await makeTemporaryFolder();
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const lines: string[] = [];
  const serving: OwnNode[] = [];
  const running = () => serving.filter((node) => node.isRunning());
  const page = cleanup.use(await startRoundRobin(() => running().map(({ webUrl }) => webUrl)));
  const api = cleanup.use(await startRoundRobin(() => running().map(({ apiUrl }) => apiUrl)));
  const common = {
    DATABASE_URL: database.url,
    ...bucket,
    PUBLIC_URL: page.url,
    API_URL: api.url,
    TRUST_PROXY: "1",
    LOG_LEVEL: "warn",
    ...env,
  };
  const open = async (role: "api" | "worker", index: number) => {
    const dataDir = join(folder, `${role}-${index}`);
    await mkdir(dataDir, { mode: 0o700 });
    const node = await startNode(programs[program], { ...common, PARLANCE_ROLE: role, PARLANCE_DATA: dataDir }, lines);
    cleanup.defer(() => node.stop());
    return node;
  };
  // The first one creates the tables; the others start together.
  serving.push(await open("api", 0));
  const [others, working] = await Promise.all([
    Promise.all(Array.from({ length: apis - 1 }, (_, index) => open("api", index + 1))),
    Promise.all(Array.from({ length: workers }, (_, index) => open("worker", index))),
  ]);
  serving.push(...others);
  const owned = cleanup.move();
  const close = () => owned.disposeAsync();
  return {
    url: page.url,
    apiUrl: api.url,
    databaseUrl: database.url,
    bucket: filesOf(s3, bucket),
    apis: serving,
    workers: working,
    log: () => lines.join("\n"),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface OwnNode extends Node {
  readonly webUrl: string;
}

async function startNode(program: string, env: Record<string, string>, lines: string[]): Promise<OwnNode> {
  const ports = { PORT: String(await steadyPort()), WEB_PORT: String(await steadyPort()) };
  const name = `${env.PARLANCE_ROLE} ${ports.PORT}`;
  const say = (line: string) => lines.push(`${name}: ${line}`);
  const launch = () => launchProcess(program, { ...env, ...ports }, say);
  let child = await launch();
  return {
    apiUrl: `http://127.0.0.1:${ports.PORT}`,
    webUrl: `http://127.0.0.1:${ports.WEB_PORT}`,
    dataDir: env.PARLANCE_DATA ?? "",
    pid: () => child.pid ?? 0,
    isRunning: () => !hasEnded(child),
    kill: () => end(child, "SIGKILL"),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    start: async () => {
      child = await launch();
    },
    stop: async () => {
      child.kill("SIGCONT");
      await end(child, "SIGTERM");
      endGroup(child);
    },
  };
}

async function launchProcess(program: string, env: Record<string, string>, say: (line: string) => void): Promise<ChildProcess> {
  // A process group of its own, so that nothing that it starts outlives the test.
  const child = spawn(node26, ["--disable-warning=ExperimentalWarning", program], {
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      say(line);
      if (/^ready |^Parlance is ready|is ready[:.]/.test(line)) resolve();
    });
  }
  const limit = setTimeout(() => reject(new Error(`A process was not ready in time. It said:\n${said.join("\n")}`)), startLimit);
  child.once("error", reject);
  child.once("close", (code) => reject(new Error(`A process ended with ${code}. It said:\n${said.join("\n")}`)));
  try {
    await promise;
    return child;
  } catch (error) {
    endGroup(child);
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

/** This process's environment without Parlance's variables and without Vitest's. */
function cleanEnvironment(): Record<string, string | undefined> {
  const not = new Set([...variables.map(({ name }) => name), "NODE_ENV", "NODE_OPTIONS", "VITEST", "TEST", "DEV", "PROD"]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !not.has(name)));
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Resolves when the process has ended; a process that ignores SIGTERM is killed. */
async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (hasEnded(child)) return;
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
    // ESRCH: the group has already ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
