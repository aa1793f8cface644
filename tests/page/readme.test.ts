import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const tests = join(import.meta.dirname, "..");
const root = join(tests, "..");
const docs = join(root, "docs");

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
  "tests/README.md",
  ...readdirSync(docs)
    // The specification is what it is.
    .filter((name) => name.endsWith(".md") && name !== "spec.md")
    .map((name) => `docs/${name}`),
];

test.each(documents)("every link and every path of a test in %s leads to a file", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  const links = [...text.matchAll(/\]\((?!\w+:|#|\/)([^)\s#]+)[^)]*\)/g)].map(([, link = ""]) =>
    join(root, dirname(document), link),
  );
  const paths = [...text.matchAll(/(?<![\w/.-])tests\/[\w/.-]+\.tsx?\b/g)].map(([path]) => join(root, path));
  // The recipe for a new feature in ARCHITECTURE.md is about a glossary that nobody has made.
  const named = [...links, ...paths].filter((path) => !path.includes("/glossary/"));
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

const data = readFileSync(join(docs, "data.md"), "utf8");
const server = join(root, "server");

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
    readdirSync(join(root, layer), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${layer}/${name}`),
  );
  const making = files.filter((file) => makes.test(readFileSync(join(root, file), "utf8")));
  expect(making.length).toBeGreaterThan(10);
  expect(making.filter((file) => !data.includes(`\`${file}\``))).toEqual([]);
});
