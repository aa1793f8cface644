import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

// What is shipped (everything but devDependencies): under licences that let anybody pass it on, and without a known weakness. A registry
// that can't be asked is a warning, as nobody's work waits for it; a known weakness is a failure.

/** SPDX ids that ask for no more than being named, or, weakly copyleft, than keeping a file's own licence. */
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
/** They say it in their Readme or in a file alone. DejaVu's fonts are Bitstream's, which may be passed on and embedded, and public domain. */
const elsewhere = { "combine-errors": "MIT", "png-js": "MIT", "dejavu-fonts-ttf": "Bitstream-Vera" };
/** How long the registry may take (milliseconds). */
const timeoutMs = 30_000;

const refused = shipped().filter(({ licence }) => !isAllowed(licence));
for (const { name, licence } of refused) console.log(`${name}: ${licence === "" ? "no licence" : licence}`);
const weaknesses = knownWeaknesses();
for (const text of weaknesses) console.log(text);
process.exit(refused.length + weaknesses.length > 0 ? 1 : 0);

/** Every package that is not for development alone, with its licence as an SPDX expression. */
function shipped() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return (
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path !== "" && dev !== true && link !== true)
      .map(([path, { license }]) => ({ path, name: path.replace(/^.*node_modules\//, ""), license }))
      // One of another system or processor, whose licence the lock file does not have, is not installed here.
      .filter(({ path, license }) => license !== undefined || existsSync(join(root, path, "package.json")))
      .map(({ path, name, license }) => ({ name, licence: elsewhere[name] ?? license ?? licenceIn(path) }))
  );
}

/** The lock file has none for some: the package itself says it. */
function licenceIn(path) {
  const { license, licenses } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(" OR ") ?? "";
}

/** Of "A OR B" one must do, of "A AND B" both. */
function isAllowed(expression) {
  const bare = expression.replace(/[()]/g, "");
  return bare.split(" OR ").some((choice) => choice.split(" AND ").every((id) => allowed.has(id.trim())));
}

/** A line for each package with a weakness that the registry knows. */
function knownWeaknesses() {
  const asked = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root, encoding: "utf8", timeout: timeoutMs });
  const { vulnerabilities, error } = parsed(asked.stdout);
  if (vulnerabilities === undefined) {
    console.log(
      `Warning: the registry can't be asked for known weaknesses (${error?.summary || asked.error?.message || "no answer"}).`,
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
