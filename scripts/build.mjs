import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { newestChange, node26, root } from "./tools.mjs";

// Builds the page into dist/. With --if-stale only when something that it is made of is newer. Vite writes elsewhere and the
// result is moved in whole: a build that is cut short leaves the old page.

const sources = ["src", "machines", "public", "index.html", "vite.config.ts", "package-lock.json"].map((name) =>
  join(root, name),
);
const dist = join(root, "dist");

if (!process.argv.includes("--if-stale") || isStale()) build();

function isStale() {
  const built = statSync(join(dist, "index.html"), { throwIfNoEntry: false });
  return built === undefined || built.mtimeMs < newestChange(sources);
}

function build() {
  console.log("Building the page");
  const fresh = join(root, ".tmp", `dist-${process.pid}`);
  mkdirSync(join(root, ".tmp"), { recursive: true });
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const done = spawnSync(node26, [vite, "build", "--outDir", fresh, "--logLevel", "warn"], {
    cwd: root,
    // Whoever calls it (the tests say NODE_ENV=test): what is served is never a development build.
    env: { ...process.env, NODE_ENV: "production", ...(process.stderr.isTTY ? {} : { NO_COLOR: "1" }) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error("The page could not be built; what is said above is why.");
    process.exit(1);
  }
  compressAssets(join(fresh, "assets"));
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Once for all starts: the server (server/page/files.ts), and whatever else serves the folder, need not do it for the first visit. */
function compressAssets(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
  }
}
