import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { nextMessage } from "#tests/fixtures/next-message.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

const Ready = v.object({ apiUrl: v.string(), pageUrl: v.string() });
const Own = v.object({
  heapUsed: v.number(),
  external: v.number(),
  rss: v.number(),
  resources: v.record(v.string(), v.number()),
  abandoned: v.array(v.string()),
});

/** What a server holds while idle. Sizes in bytes, after a forced garbage collection. */
export interface Holdings {
  memory: { heapUsed: number; external: number; rss: number };
  /** Of the database and all folders. */
  disk: number;
  /** Descriptors by kind, resources that keep the event loop alive, child processes, and files beside the database. */
  open: Record<string, number>;
  /** Stacks of the opening of files that nobody closed. */
  abandoned: string[];
}

export interface Measured {
  apiUrl: string;
  pageUrl: string;
  measure(): Promise<Holdings>;
  close(): Promise<void>;
}

/** The real server in its own process. @param hasRealEngines by default its engines are scripted */
export async function startMeasured(hasRealEngines: boolean): Promise<Measured> {
  const root = await makeTemporaryFolder();
  const [dataDir, tmpDir] = [join(root, "data"), join(root, "tmp")];
  for (const folder of [dataDir, tmpDir]) await mkdir(folder, { mode: 0o700 });
  const env = {
    ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    ...{ PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir, TMPDIR: tmpDir, LOG_LEVEL: "error" },
  };
  const program = fileURLToPath(new URL("child.ts", import.meta.url));
  const execArgv = ["--disable-warning=ExperimentalWarning", "--expose-gc"];
  const child = fork(program, hasRealEngines ? ["real"] : [], { env, execArgv });
  const { apiUrl, pageUrl } = v.parse(Ready, await nextMessage(child));
  return {
    apiUrl,
    pageUrl,
    measure: async () => {
      child.send("measure");
      const { resources, abandoned, ...memory } = v.parse(Own, await nextMessage(child));
      const files = { ...(await filesIn(dataDir)), ...(await filesIn(tmpDir, "temporary")) };
      const processes = { processes: (await childrenOf(child.pid ?? 0)).length };
      const open = { ...resources, ...(await descriptorsOf(child.pid ?? 0, dataDir)), ...processes, ...files };
      return { memory, disk: await sizeOf(dataDir), open, abandoned };
    },
    close: async () => {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Sockets and pipes by kind, files by their path in the data folder. */
async function descriptorsOf(pid: number, dataDir: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => undefined);
    if (target === undefined) continue;
    const kind = target.startsWith(dataDir)
      ? target.slice(dataDir.length + 1).replace(/[\da-f-]{36}/g, "*")
      : target.replace(/:\[\d+\]$/, "");
    counts[`fd ${kind}`] = (counts[`fd ${kind}`] ?? 0) + 1;
  }
  return counts;
}

async function childrenOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").filter(Boolean);
}

/** Number of files in each folder, without those of the database. */
async function filesIn(folder: string, name = ""): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith("parlance.db")) continue;
    const place = `files in ${name}${entry.parentPath.slice(folder.length).replace(/[\da-f-]{36}/g, "*")}`;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // The file may disappear meanwhile.
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
