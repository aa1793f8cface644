import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

// scripts/test.ts checks links and the length of lines with remark (package.json, "remarkConfig").
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root });
/** The specification, and lists that grow with their subject. */
const unlimited = new Set(["docs/spec.md", "docs/spec-coverage.md", "docs/asvs.md"]);
const fewerLines: Record<string, number> = { "README.md": 150, "ARCHITECTURE.md": 150 };

test("keeps every document short enough", () => {
  const tooLong = (page: string) => read(page).trimEnd().split("\n").length > (fewerLines[page] ?? 200);
  expect(pages.filter((page) => !unlimited.has(page) && tooLong(page))).toEqual([]);
});

test("keeps README.md within 10 kB", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(10_000);
});

test("names only existing source files and tests in documents", () => {
  const path = /(?<![\w/.-])(?:machines|scripts|server|speech|src|tests|translation)\/[\w/.-]+\.(?:tsx?|mjs|py)\b/g;
  const named = pages
    .filter((page) => !page.startsWith("docs/spec"))
    .flatMap((page) => [...read(page).matchAll(path)].map(([named]) => named));
  // The recipe for a new feature uses a glossary as its example, which does not exist.
  expect(named.filter((file) => !/\bglossary\b/.test(file) && !existsSync(join(root, file)))).toEqual([]);
});

test("links every document from docs/README.md", () => {
  const contents = read("docs/README.md");
  const inDocs = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(inDocs.map((page) => page.slice("docs/".length)).filter((page) => !contents.includes(`(${page})`))).toEqual([]);
});

const data = read("docs/run/data.md");

test("classifies every table and folder in docs/run/data.md", () => {
  const tables = globSync("server/*/tables.ts", { cwd: root }).flatMap((file) => {
    const body = /interface Schema \{([^}]*)\}/.exec(read(file))?.[1] ?? "";
    return [...body.matchAll(/^ {4}(\w+): /gm)].map(([, table = ""]) => table);
  });
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((table) => !data.includes(`\`${table}\``))).toEqual([]);
  const kinds = /storedKinds = \[([^\]]+)\]/.exec(read("server/storage/storage.ts"))?.[1] ?? "";
  const folders = [...kinds.matchAll(/"(\w+)"/g)].map(([, folder = ""]) => folder);
  expect(folders.length).toBeGreaterThan(3);
  expect(folders.filter((folder) => !data.includes(`\`${folder}\``))).toEqual([]);
});

test("names every file that makes a key in docs/run/data.md", () => {
  const makes = /\b(createHmac|createCipheriv|argon2|randomBytes|timingSafeEqual|SignJWT)\b|"age-encryption"/;
  const files = ["server", "src", "scripts"].flatMap((layer) => globSync(`${layer}/**/*.{ts,tsx}`, { cwd: root }));
  const making = files.filter((file) => makes.test(read(file)));
  expect(making.length).toBeGreaterThan(10);
  expect(making.filter((file) => !data.includes(`\`${file}\``))).toEqual([]);
});
