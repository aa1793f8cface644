import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const tests = join(import.meta.dirname, "..");
const docs = join(tests, "../docs");

test.each([
  ["tests/README.md", join(tests, "README.md"), 100],
  ["docs/security.md", join(docs, "security.md"), 20],
  ["docs/asvs.md", join(docs, "asvs.md"), 50],
  ["docs/data.md", join(docs, "data.md"), 5],
])("%s names tests that are there", (_name, path, most) => {
  const named = [...readFileSync(path, "utf8").matchAll(/`([\w/.-]+\.ts)` › `([^`]+)`/g)];
  expect(named.length).toBeGreaterThan(most);
  const missing = named.filter(([, file = "", title = ""]) => {
    const source = join(tests, file);
    return !existsSync(source) || !readFileSync(source, "utf8").includes(title);
  });
  expect(missing.map(([reference]) => reference)).toEqual([]);
});

/** The rows of a table of README.md, by the heading before it. */
function rowsBelow(heading: string): string[][] {
  const [, section = ""] = readFileSync(join(tests, "../README.md"), "utf8").split(`## ${heading}\n`);
  const rows = section.split("\n## ", 1)[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("each promise of README.md links to a test that is there", () => {
  const rows = rowsBelow("What is promised, and the test that shows it");
  const promises = rows.filter(([promise = ""]) => !promise.startsWith("**"));
  expect(promises.length).toBeGreaterThan(80);
  const wrong = promises.filter(([, links = ""]) => {
    const all = [...links.matchAll(/\[([^\]]+)\]\((tests\/[\w/.-]+\.ts)\)/g)];
    const isThere = all.every(([, title = "", path = ""]) => {
      const file = join(tests, "..", path);
      return existsSync(file) && (readFileSync(file, "utf8").includes(title) || path.endsWith(title));
    });
    // Nothing but links, so that none is missed for the way in which it is written.
    return all.length === 0 || !isThere || links.replace(/\[[^\]]+\]\([^)]+\)|<br>/g, "").trim() !== "";
  });
  expect(wrong).toEqual([]);
});

const data = readFileSync(join(docs, "data.md"), "utf8");
const server = join(tests, "../server");

test("docs/data.md puts every table and folder on a level", () => {
  const schemas = readdirSync(join(server, "db")).filter((name) => name.startsWith("schema"));
  const tables = schemas.flatMap((name) => {
    const source = readFileSync(join(server, "db", name), "utf8");
    const bodies = [...source.matchAll(/interface \w*Schema\b[^{]*\{([^}]*)\}/g)].map(([, body = ""]) => body);
    return bodies.flatMap((body) => [...body.matchAll(/^ {2}(\w+): /gm)].map(([, table = ""]) => table));
  });
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((table) => !data.includes(`\`${table}\``))).toEqual([]);
  const kinds = /storedKinds = \[([^\]]+)\]/.exec(readFileSync(join(server, "common/storage.ts"), "utf8"))?.[1] ?? "";
  const folders = [...kinds.matchAll(/"(\w+)"/g)].map(([, folder = ""]) => folder);
  expect(folders.length).toBeGreaterThan(3);
  expect(folders.filter((folder) => !data.includes(`\`${folder}\``))).toEqual([]);
});

test("docs/data.md names every file that makes a key", () => {
  const makes = /\b(createHmac|createCipheriv|argon2|randomBytes|timingSafeEqual|SignJWT)\b|"age-encryption"/;
  const files = ["server", "src", "scripts"].flatMap((layer) =>
    readdirSync(join(tests, "..", layer), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${layer}/${name}`),
  );
  const making = files.filter((file) => makes.test(readFileSync(join(tests, "..", file), "utf8")));
  expect(making.length).toBeGreaterThan(10);
  expect(making.filter((file) => !data.includes(`\`${file}\``))).toEqual([]);
});
