import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node26 } from "#scripts/tools.mjs";
import { until } from "#tests/fixtures/until.ts";
import type { RoundRobin } from "#tests/grown/harness-proxy.ts";

const program = fileURLToPath(new URL("chaos-child.ts", import.meta.url));
/** What is kept of what the processes say (lines, characters of each). */
const [maxLines, maxLength] = [40, 600];

/** A server or worker (chaos-child.ts) that is killed and comes back, with the same data on another port. */
export class KillableProcess {
  readonly name: string;
  readonly #env: Record<string, string>;
  readonly #lines: string[];
  #child: ChildProcess | undefined;
  #address = "";
  #isKilled = false;
  /** How it has ended when nobody killed it. */
  readonly faults: string[] = [];

  /** @param lines receives what it says */
  constructor(name: string, env: Record<string, string>, lines: string[]) {
    [this.name, this.#env, this.#lines] = [name, env, lines];
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** "http://localhost:3000", "" before it is ready; of a worker only "worker" */
  get address(): string {
    return this.#address;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it is ready. @throws Error with what it said when it ends before */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    const child = spawn(node26, ["--disable-warning=ExperimentalWarning", program], {
      // A port that was free before may be somebody's by now.
      env: { PATH, NODE_COMPILE_CACHE, PORT: "0", WEB_PORT: "0", LOG_LEVEL: "error", ...this.#env },
      // Standard input ends with this process, and what is started here with it.
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own, so that nothing that it has started can outlive the test.
      detached: true,
    });
    this.#child = child;
    this.#isKilled = false;
    // Nobody is sent where another server may be by now.
    this.#address = "";
    const said: string[] = [];
    const ready = Promise.withResolvers<void>();
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        const [, address] = /^ready (.*)$/.exec(line) ?? [];
        if (address === undefined) {
          said.push(line);
          this.#say(line);
        } else {
          this.#address = address;
          ready.resolve();
        }
      });
    }
    child.once("error", ready.reject);
    child.once("exit", (code, signal) => {
      if (!this.#isKilled) this.faults.push(`${this.name} has ended by itself (${signal ?? code}): ${said.join("\n")}`);
    });
    child.once("close", () => ready.reject(new Error(`${this.name} ended before it was ready: ${said.join("\n")}`)));
    await ready.promise;
  }

  /** That the database is gone is no news where it is killed. */
  #say(line: string): void {
    if (/DatabaseGoneError|"57P0\d"|ECONNREFUSED/.test(line)) return;
    this.#lines.push(`${this.name}: ${line.slice(0, maxLength)}`);
    this.#lines.splice(0, this.#lines.length - maxLines);
  }

  /** SIGSTOP: it answers nothing until it is killed. Resolves when it stands still. */
  async freeze(): Promise<void> {
    this.#child?.kill("SIGSTOP");
    await until(async () => {
      // proc_pid_stat(5): the state follows the name in brackets.
      const stat = await readFile(`/proc/${this.pid}/stat`, "utf8");
      if (!stat.slice(stat.lastIndexOf(")")).startsWith(") T")) throw new Error(`${this.name} does not stop: ${stat}`);
    });
  }

  /** SIGKILL, for itself alone. */
  async kill(): Promise<void> {
    if (!this.isRunning || this.#child === undefined) return;
    this.#isKilled = true;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }

  /** Those that it has started, and those that they have: engines, decoders. */
  helpers(): Promise<number[]> {
    return this.isRunning ? descendantsOf(this.pid) : Promise.resolve([]);
  }

  /** Ends it with everything that was ever started by it and still runs. */
  async end(): Promise<void> {
    await this.kill();
    killed(-this.pid);
  }
}

/** Stops a server while somebody waits for its answer, or until somebody does, and kills it. @returns its name */
export async function killAsked(server: KillableProcess, proxy: RoundRobin): Promise<string> {
  await server.freeze();
  // All may wait already, of this server or of what it holds in the database: then nobody asks anything more.
  await proxy.untilAsked(new URL(server.address).origin);
  await server.kill();
  return `${server.name}, which was asked for something`;
}

async function descendantsOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const children = listed.split(" ").filter(Boolean).map(Number);
  const further = await Promise.all(children.map(descendantsOf));
  return [...children, ...further.flat()];
}

/** Kills somebody's process, or a group (negative). @returns false when it has ended by itself meanwhile */
export function killed(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
