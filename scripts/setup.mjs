import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { installCommand, node26, root, tools } from "./tools.mjs";

// Prepares a fresh clone: the system's tools first, then the packages, whose install scripts need the first of these
// tools. Without an argument, it installs what the product needs; --test adds what its tests need; --packages limits it
// to what the packages need. A tool that can't be installed only prints a line. Runs on any Node from 18, without
// dependencies. PARLANCE_SETUP=packages installs only npm's packages, and lists the missing system tools.

const purposes = ["always"];
if (!process.argv.includes("--packages")) purposes.push("running", "optional");
if (process.argv.includes("--test")) purposes.push("testing");

const { PARLANCE_SETUP: chosen = "" } = process.env;
if (!["", "packages"].includes(chosen)) fail(`PARLANCE_SETUP is "${chosen}". Leave it out, or set it to "packages".`);
installTools(tools.filter((tool) => purposes.includes(tool.when) && !tool.found()));
const stale = packagesAreStale();
if (stale) installPackages(outsidePath());
repairNode();
if (stale && leftOut().length > 0) reinstallUnderNode26();
installHooks();

/** @param {string} path PATH in which npm finds its Node */
function installPackages(path) {
  console.log("Installing packages (npm ci)");
  const started = Date.now();
  // The hidden warnings concern packages that need a newer Node than npm's own; they will get it.
  const done = run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    env: { ...process.env, PATH: path },
    cwd: root,
  });
  if (done.status !== 0) fail("npm ci failed. The reason is above.");
  console.log(`Packages installed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

/** Programs for this machine that npm did not install. It silently skips those that need a newer Node than its own. */
function leftOut() {
  const libc = process.report?.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc";
  const fits = (wanted, own) => wanted === undefined || wanted.includes(own);
  return Object.entries(readLock(join(root, "package-lock.json")))
    .filter(([, entry]) => entry.optional && (entry.os !== undefined || entry.cpu !== undefined))
    .filter(([, { os, cpu, libc: needs }]) => fits(os, process.platform) && fits(cpu, process.arch) && fits(needs, libc))
    .map(([path]) => path)
    .filter((path) => !existsSync(join(root, path)));
}

function reinstallUnderNode26() {
  console.log(
    `npm on Node ${process.versions.node} left out packages that need a newer one (${leftOut().join(", ")}); installing again with Node 26`,
  );
  const folder = join(root, ".tmp", "node26");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, "node_modules", "node", "bin", "node"), join(folder, "node"));
  installPackages([folder, outsidePath()].join(delimiter));
  rmSync(folder, { recursive: true });
  repairNode();
}

/**
 * Whether the lock file is newer than the installed packages and differs from them (a checkout changes its time, but
 * not its text).
 */
function packagesAreStale() {
  const lock = join(root, "package-lock.json");
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return true;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return false;
  if (!sameVersions(readLock(lock), readLock(installed))) return true;
  const now = new Date();
  utimesSync(installed, now, now);
  return false;
}

function readLock(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/** Whether the installed packages lack only optional packages of other platforms. */
function sameVersions(wanted, installed) {
  const same = (path) =>
    wanted[path]?.version === installed[path].version && wanted[path]?.integrity === installed[path].integrity;
  const needed = ([path, entry]) => path !== "" && !entry.optional && !entry.devOptional && !(entry.peer && !installed[path]);
  return (
    Object.keys(installed).every(same) &&
    Object.entries(wanted)
      .filter(needed)
      .every(([path]) => path in installed)
  );
}

/** With ignore-scripts, npm runs no install scripts: then the package `node` has neither a program nor a link to it. */
function repairNode() {
  const folder = join(root, "node_modules", "node");
  const program = join(folder, "bin", "node");
  if (isProgram(program) && existsSync(node26)) return;
  if (!isProgram(program)) {
    console.log("The package `node` was installed without its program; running its install script");
    run(process.execPath, ["installArchSpecificPackage"], { env: { ...process.env, PATH: outsidePath() }, cwd: folder });
  }
  rmSync(node26, { force: true });
  symlinkSync(relative(dirname(node26), program), node26);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const said = spawnSync(node26, ["--version"], { encoding: "utf8" }).stdout?.trim();
  if (said !== `v${version}`)
    fail(`The package \`node\` did not install Node ${version} for ${process.platform} ${process.arch}.`);
}

/** Whether the program has been fetched. Before that, it is an empty file; the real one has more than 10 MB. */
function isProgram(path) {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000;
}

/** Lets git check commit messages (.githooks), unless somebody has set hooks of their own. */
function installHooks() {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (existsSync(join(root, ".git")) && git("config", "core.hooksPath").status === 1)
    git("config", "core.hooksPath", ".githooks");
}

function installTools(missing) {
  if (missing.length === 0) return;
  if (chosen === "" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) aptInstall(missing);
  for (const tool of missing.filter((one) => !one.found())) {
    const kind = tool.when === "optional" ? " (optional)" : "";
    console.log(`${tool.name}${kind} is missing: ${tool.without}. Install it: ${installCommand(tool.packages)}`);
  }
}

function aptInstall(missing) {
  const packages = missing.flatMap((tool) => tool.packages);
  console.log(`Installing with apt-get: ${packages.join(" ")} (PARLANCE_SETUP=packages prevents this)`);
  apt(["update"]);
  if (apt(["install", ...packages]) || missing.length === 1) return;
  // Installed one by one, because a package missing in this release must not prevent the others.
  for (const tool of missing) apt(["install", ...tool.packages]);
}

/** Runs apt. Its output is only shown on failure. */
function apt(args) {
  const options = ["-qq", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"];
  const done = spawnSync("apt-get", [...options, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (done.status === 0) return true;
  const reason = (done.stderr || done.error?.message || "").trim().split("\n").slice(-3).join("\n");
  console.log(`apt-get ${args[0]} failed:\n${reason}`);
  return false;
}

/** PATH without node_modules/.bin: npm ci would delete the Node that it runs on. */
function outsidePath() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !folder.endsWith(join("node_modules", ".bin"))).join(delimiter);
}

function run(command, args, options) {
  return spawnSync(command, args, { ...options, stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" });
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
