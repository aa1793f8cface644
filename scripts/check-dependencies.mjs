import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

// Checks the shipped packages (all but devDependencies): their licenses must allow redistribution, and they must have
// no known vulnerability. An unreachable registry is a warning, so that it blocks nobody's work; a known vulnerability
// is a failure.

/**
 * SPDX ids of licenses that require only attribution, or, with weak copyleft, to keep the license of their own files.
 */
const allowed = new Set([
  ...[
    "MIT",
    "MIT-0",
    "ISC",
    "0BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
    "BlueOak-1.0.0",
    "Unlicense",
    "CC0-1.0",
    "Python-2.0",
  ],
  ...["OFL-1.1", "MPL-2.0", "EPL-2.0", "LGPL-3.0-or-later", "Zlib", "CC-BY-4.0", "WTFPL", "Bitstream-Vera"],
]);
/**
 * Packages that state their license only in their Readme or another file. DejaVu's fonts have Bitstream's license,
 * which allows redistribution and embedding, and are partly public domain.
 */
const elsewhere = { "combine-errors": "MIT", "png-js": "MIT", "dejavu-fonts-ttf": "Bitstream-Vera" };
/** Timeout of the registry (milliseconds). */
const timeoutMs = 30_000;

const refused = shipped().filter(({ licence }) => !isAllowed(licence));
for (const { name, licence } of refused) console.log(`${name}: ${licence === "" ? "no licence" : licence}`);
const weaknesses = knownWeaknesses();
for (const text of weaknesses) console.log(text);
process.exit(refused.length + weaknesses.length > 0 ? 1 : 0);

/** All packages except development dependencies, with their licenses as SPDX expressions. */
function shipped() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return (
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path !== "" && dev !== true && link !== true)
      .map(([path, { license }]) => ({ path, name: path.replace(/^.*node_modules\//, ""), license }))
      // A package for another platform, without a license in the lock file, is not installed here.
      .filter(({ path, license }) => license !== undefined || existsSync(join(root, path, "package.json")))
      .map(({ path, name, license }) => ({ name, licence: elsewhere[name] ?? license ?? licenceIn(path) }))
  );
}

/** Reads the license from the package itself, if the lock file has none. */
function licenceIn(path) {
  const { license, licenses } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(" OR ") ?? "";
}

/** "A OR B" needs one allowed license, "A AND B" needs both. */
function isAllowed(expression) {
  const bare = expression.replace(/[()]/g, "");
  return bare.split(" OR ").some((choice) => choice.split(" AND ").every((id) => allowed.has(id.trim())));
}

/** One line for each package with a vulnerability known to the registry. */
function knownWeaknesses() {
  const asked = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root, encoding: "utf8", timeout: timeoutMs });
  const { vulnerabilities, error } = parsed(asked.stdout);
  if (vulnerabilities === undefined) {
    console.log(
      `Warning: the registry did not answer the question for known vulnerabilities (${error?.summary || asked.error?.message || "no answer"}).`,
    );
    return [];
  }
  return Object.values(vulnerabilities).map(({ name, severity, range }) => `${name} ${range}: known weakness (${severity})`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
