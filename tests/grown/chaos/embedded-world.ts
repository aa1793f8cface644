import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { freePort } from "#tests/fixtures/free-port.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import type { Dice } from "#tests/page/session/simulated/time.ts";

/** What chaos is made of: servers that can be killed, and come back. */
export interface World {
  readonly apiUrl: string;
  /** Of a process whose memory and handles are measured. */
  pid(): number;
  /** Where the data lies. */
  readonly dataDir: string;
  /** Kills one of its processes, without a word. @returns which */
  kill(dice: Dice): Promise<string>;
  /** Starts again what was killed. */
  heal(): Promise<void>;
  /** Gives somebody every right. */
  promote(email: string): Promise<void>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL("embedded-child.ts", import.meta.url));

/** One process on the embedded defaults. Variables of `env` are added to its own. */
export async function openEmbeddedWorld(env: Record<string, string> = {}): Promise<World> {
  const dataDir = join(await makeTemporaryFolder(), "data");
  await mkdir(dataDir, { mode: 0o700 });
  const [port, webPort] = [await freePort(), await freePort()];
  const all = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    WEB_PORT: String(webPort),
    PARLANCE_DATA: dataDir,
    LOG_LEVEL: "error",
    HEARD: join(dataDir, "heard.log"),
    PARALLEL: "1",
    ...env,
  };
  let child: ChildProcess | undefined;
  const heal = async () => {
    if (child !== undefined && !hasEnded(child)) return;
    const started = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
      env: all,
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    const failed = once(started, "exit").then(() => Promise.reject(new Error("The server ended before it was ready.")));
    failed.catch(() => {});
    await Promise.race([once(createInterface({ input: started.stdout }), "line"), failed]);
  };
  const end = async () => {
    if (child === undefined || hasEnded(child)) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  await heal();
  return {
    apiUrl: `http://localhost:${port}`,
    dataDir,
    pid: () => child?.pid ?? 0,
    kill: async (dice) => {
      const helpers = await childrenOf(child?.pid ?? 0);
      if (helpers.length > 0 && dice.chance(0.3)) {
        const helper = helpers[dice.between(0, helpers.length - 1)] ?? 0;
        // It may have ended by itself meanwhile.
        if (isKilled(helper)) return "helper";
      }
      await end();
      return "server";
    },
    heal,
    promote: async (email) => {
      using db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 10_000 });
      db.prepare("update users set is_superuser = 1 where email = ?").run(email);
    },
    close: end,
  };
}

/** The processes that a process has started, such as those of engines: their ids. */
async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return listed.split(" ").filter(Boolean).map(Number);
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
