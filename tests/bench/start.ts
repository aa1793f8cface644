// The time of `npm start` on a machine where everything is installed, until the server is ready. Run: npm run bench --
// start
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "#scripts/tools.mjs";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { milliseconds, quantile, report } from "./figures.ts";

/** The limit of each start, in ms. */
const limit = 1_500;
const runs = 5;

/**
 * @param folder of a package
 * @param wanted the beginning of the awaited line
 * @returns ms until the line; the process and all of its children have ended by then
 */
async function start(folder: string, wanted: string): Promise<number> {
  const begun = performance.now();
  // A separate process group: npm starts a shell, which becomes the server.
  const child = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  // Not "exit": npm may end before the server, which holds its output open until its own end.
  const closed = once(child, "close");
  let took = Number.NaN;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith(wanted)) return;
    took = performance.now() - begun;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  });
  await closed;
  if (Number.isNaN(took)) throw new Error(`npm start in ${folder} ended before it was ready.`);
  return took;
}

/** Writes a package that is ready as soon as npm and Node are: no server can start sooner. */
async function makeBarePackage(folder: string): Promise<void> {
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, scripts: { start: "exec node bare.mjs" } }));
  await writeFile(join(folder, "bare.mjs"), 'console.log("Ready"); setInterval(() => {}, 1000);');
}

const dataDir = await makeTemporaryFolder();
const bareFolder = await makeTemporaryFolder();
try {
  await makeBarePackage(bareFolder);
  // The first start creates the database and fills Node's compile cache.
  const first = await start(root, "Parlance is ready");
  await start(bareFolder, "Ready");
  const [times, floor]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    times.push(await start(root, "Parlance is ready"));
    floor.push(await start(bareFolder, "Ready"));
  }
  const worst = Math.max(...times);
  report([
    {
      name: `npm start until it is ready, the slowest of ${runs}`,
      value: `${milliseconds(worst)}; median ${milliseconds(quantile(times, 0.5))}`,
      limit: milliseconds(limit),
      ok: worst <= limit,
    },
    { name: "  the very first time, with a new data folder", value: milliseconds(first) },
    {
      name: "  of npm and Node, which do nothing else",
      value: `${milliseconds(Math.max(...floor))}; median ${milliseconds(quantile(floor, 0.5))}`,
    },
  ]);
} finally {
  for (const folder of [dataDir, bareFolder]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
