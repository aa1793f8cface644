import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { installCommand, node26, root, tools } from "./tools.mjs";

// Makes a fresh clone ready: the system's tools, then the packages, whose install scripts need the first of the tools. Without
// an argument for running the product, with --test also for its tests, with --packages only what the packages need. A tool that
// can't be installed costs a line, never the start. Runs on any Node from 18, without dependencies.
// PARLANCE_SETUP=packages installs npm's packages alone: the system's tools that are missing are listed.

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

/** @param {string} path where npm finds its Node */
function installPackages(path) {
  console.log("Installing packages (npm ci)");
  const started = Date.now();
  // Warnings are about packages that want a newer Node than the one that npm itself runs on; they will get it.
  const done = run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    env: { ...process.env, PATH: path },
    cwd: root,
  });
  if (done.status !== 0) fail("npm ci failed; what it says above is why.");
  console.log(`Packages installed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

/** Programs for this machine that npm did not install. It skips them without a word when they want a newer Node than its own. */
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
    `npm on Node ${process.versions.node} left out what needs a newer one (${leftOut().join(", ")}); once more under Node 26`,
  );
  const folder = join(root, ".tmp", "node26");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, "node_modules", "node", "bin", "node"), join(folder, "node"));
  installPackages([folder, outsidePath()].join(delimiter));
  rmSync(folder, { recursive: true });
  repairNode();
}

/** The lock file is newer than what is installed and differs from it (a checkout changes its time without changing its text). */
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

/** What is installed lacks the optional packages of other platforms, and nothing else. */
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

/** npm leaves install scripts out when it is told to (ignore-scripts): then the package `node` has no program, and no link to it. */
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

/** An empty file stands in for the program until it is fetched: the real one has more than 10 MB. */
function isProgram(path) {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000;
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
  // One package that this release lacks must not take the others with it.
  for (const tool of missing) apt(["install", ...tool.packages]);
}

/** Quiet unless it fails. */
function apt(args) {
  const options = ["-qq", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"];
  const done = spawnSync("apt-get", [...options, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (done.status === 0) return true;
  const reason = (done.stderr || done.error?.message || "").trim().split("\n").slice(-3).join("\n");
  console.log(`apt-get ${args[0]} did not work:\n${reason}`);
  return false;
}

/** PATH without node_modules/.bin: npm ci would delete the very Node that it runs on. */
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
