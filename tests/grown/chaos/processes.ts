import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node26 } from "#scripts/tools.mjs";
import { until } from "#tests/fixtures/until.ts";
import type { RoundRobin } from "#tests/grown/harness-proxy.ts";

const program = fileURLToPath(new URL("chaos-child.ts", import.meta.url));
/** How much of the processes' output is kept: lines, and characters of each. */
const [maxLines, maxLength] = [40, 600];

/** A server or worker (chaos-child.ts) that can be killed and restarted with the same data on another port. */
export class KillableProcess {
  readonly name: string;
  readonly #env: Record<string, string>;
  readonly #lines: string[];
  #child: ChildProcess | undefined;
  #address = "";
  #isKilled = false;
  /** Its ends without a kill. */
  readonly faults: string[] = [];

  /** @param lines receives its output */
  constructor(name: string, env: Record<string, string>, lines: string[]) {
    [this.name, this.#env, this.#lines] = [name, env, lines];
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** "http://localhost:3000"; "" before it is ready; "worker" for a worker */
  get address(): string {
    return this.#address;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when the process is ready. @throws Error with its output when it ends before that */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    const child = spawn(node26, ["--disable-warning=ExperimentalWarning", program], {
      // Port 0: a port that was free before may be in use by now.
      env: { PATH, NODE_COMPILE_CACHE, PORT: "0", WEB_PORT: "0", LOG_LEVEL: "error", ...this.#env },
      // Standard input ends with this process, and the child then ends too.
      stdio: ["pipe", "pipe", "pipe"],
      // A process group of its own, so that nothing that it starts outlives the test.
      detached: true,
    });
    this.#child = child;
    this.#isKilled = false;
    // The old address may already belong to another server.
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

  /** Ignores errors of a lost database: the database is killed too. */
  #say(line: string): void {
    if (/DatabaseGoneError|"57P0\d"|ECONNREFUSED/.test(line)) return;
    this.#lines.push(`${this.name}: ${line.slice(0, maxLength)}`);
    this.#lines.splice(0, this.#lines.length - maxLines);
  }

  /** Stops it with SIGSTOP, so that it answers nothing until it is killed. Resolves once it has stopped. */
  async freeze(): Promise<void> {
    this.#child?.kill("SIGSTOP");
    await until(async () => {
      // proc_pid_stat(5): the state follows the name in brackets.
      const stat = await readFile(`/proc/${this.pid}/stat`, "utf8");
      if (!stat.slice(stat.lastIndexOf(")")).startsWith(") T")) throw new Error(`${this.name} does not stop: ${stat}`);
    });
  }

  /** Kills only this process with SIGKILL. */
  async kill(): Promise<void> {
    if (!this.isRunning || this.#child === undefined) return;
    this.#isKilled = true;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }

  /** Its descendants: engines and decoders. */
  helpers(): Promise<number[]> {
    return this.isRunning ? descendantsOf(this.pid) : Promise.resolve([]);
  }

  /** Kills it with everything in its process group. */
  async end(): Promise<void> {
    await this.kill();
    killed(-this.pid);
  }
}

/** Freezes a server, waits until a request waits for it, and kills it. @returns its name */
export async function killAsked(server: KillableProcess, proxy: RoundRobin): Promise<string> {
  await server.freeze();
  // If all users already wait for this server or its database locks, no further request comes.
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

/** Kills a process, or a group (negative). @returns false when it has already ended */
export function killed(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
