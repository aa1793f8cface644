import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { queues } from "#server/threads/queues.ts";
import { withoutDatabase } from "#tests/server/without-database.ts";

// The rules of ARCHITECTURE.md that the linter can't check; biome.json has the others.

const root = join(import.meta.dirname, "../..");
const aliases: Readonly<Record<string, string>> = {
  "#contract/": "contract/",
  "#machines/": "machines/",
  "#speech/": "speech/",
  "#translation/": "translation/",
  "#src/": "src/",
  "#server/": "server/",
  "#tests/": "tests/",
};

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root, join(entry.parentPath, entry.name)));
const isSource = (path: string) => /\.tsx?$/.test(path) && !path.endsWith(".gen.ts");
const sourcesIn = (folder: string) => filesIn(folder).filter(isSource);

/**
 * The project's own files that a file imports, including types. The formatter writes every import in one of two ways.
 */
function importsOf(path: string): string[] {
  const source = readFileSync(join(root, path), "utf8");
  return [...source.matchAll(/(?:\bfrom|\bimport\(?) ?"([#.][^"]+)"/g)].flatMap(([, wanted = ""]) => {
    if (wanted.startsWith(".")) return [posix.join(dirname(path), wanted)];
    const alias = Object.keys(aliases).find((name) => wanted.startsWith(name));
    return alias === undefined ? [] : [`${aliases[alias]}${wanted.slice(alias.length)}`];
  });
}

/** "src/features/session", "server/jobs"; a file outside of such folders is a part of its own. */
function partOf(path: string): string {
  const steps = path.split("/");
  const depth = path.startsWith("src/features/") ? 3 : 2;
  return steps.slice(0, depth).join("/");
}

/** The parts that each part imports, with one import as the proof. */
function arrowsOf(files: readonly string[]): Map<string, Map<string, string>> {
  const arrows = new Map<string, Map<string, string>>();
  for (const file of files) {
    for (const wanted of importsOf(file)) {
      const [from, to] = [partOf(file), partOf(wanted)];
      if (from === to || !files.includes(wanted)) continue;
      const all = arrows.get(from) ?? new Map<string, string>();
      arrows.set(from, all.set(to, `${file} → ${wanted}`));
    }
  }
  return arrows;
}

/** One import cycle, as the imports that close it; undefined if there is none. */
function circleIn(arrows: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] | undefined {
  const done = new Set<string>();
  const follow = (part: string, way: readonly string[]): string[] | undefined => {
    const begin = way.indexOf(part);
    if (begin >= 0) {
      const circle = [...way.slice(begin), part];
      return circle.slice(1).map((to, index) => arrows.get(circle[index] ?? "")?.get(to) ?? "");
    }
    if (done.has(part)) return undefined;
    for (const to of arrows.get(part)?.keys() ?? []) {
      const found = follow(to, [...way, part]);
      if (found !== undefined) return found;
    }
    done.add(part);
    return undefined;
  };
  for (const part of arrows.keys()) {
    const found = follow(part, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

test("finds a cycle with the imports that form it", () => {
  const arrows = (...pairs: readonly [string, string][]) =>
    new Map(pairs.map(([from, to]) => [from, new Map([[to, `${from} → ${to}`]])]));
  expect(circleIn(arrows(["a", "b"], ["b", "c"], ["c", "b"]))).toEqual(["b → c", "c → b"]);
  expect(circleIn(arrows(["a", "b"], ["b", "c"]))).toBeUndefined();
});

// PROMISE code: Folders have no circles; SQL is in the files of queries
test.each(["machines", "speech", "translation", "src", "server"])(
  "has no circular dependencies between the folders of %s, types included",
  (layer) => {
    expect(circleIn(arrowsOf(sourcesIn(layer)))).toBeUndefined();
  },
);

// PROMISE code: Folders have no circles; SQL is in the files of queries
test("keeps SQL in query files and server/db", () => {
  const asks = /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(<[^`]*>)?`/;
  const sources = sourcesIn("server").filter((path) => !path.startsWith("server/db/") && !path.endsWith("queries.ts"));
  expect(sources.filter((path) => asks.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

/** Ways to queue work outside of server/threads/queues.ts, and the only files that may use them. */
const queueing: readonly [what: RegExp, where: string | undefined][] = [
  [/new Slots\((?!queues\.\w+\)|inRotation\()/, undefined],
  [/new Worker\(/, "server/threads/pool.ts"],
  [/import\("sharp"\)|import \w+ from "sharp"/, "server/http/draw-image.ts"],
  [/from "(p-queue|p-limit|p-throttle|fastq|bottleneck|async-mutex|async-sema|piscina|workerpool)"/, undefined],
];

test("lists every shared queue in the list of queues, with one user", () => {
  const sources = [...sourcesIn("server"), ...sourcesIn("speech"), ...sourcesIn("translation")];
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const beside = [...texts].flatMap(([path, text]) =>
    queueing.filter(([what, where]) => path !== where && what.test(text)).map(([what]) => `${path}: ${what.source}`),
  );
  expect(beside).toEqual([]);
  const users = Object.keys(queues).map((name) =>
    [...texts.values()].filter((text) => text.includes(`new Slots(queues.${name})`)),
  );
  expect(users.map(({ length }) => length)).toEqual(users.map(() => 1));
});

/** The files that parse JSON without counting its values (server/http/json.ts), by where the JSON comes from. */
const ownJson: Readonly<Record<string, RegExp>> = {
  "a column of the database": /\b(queries|view|audit|messages|tracks|finish|hidden|segments-json|personal-tokens)\.ts$/,
  "a file of the product, or of its operator":
    /^server\/(log\/version|mail\/emails|page\/rendering(-tasks)?|transcriptions\/sample|subscription\/test-page-texts|models\/(json-file|holds)|backup\/(read|restore|restore-point))\.ts$/,
  "what another process of the server says":
    /^server\/(cluster\/postgres-bus|speech\/(diarization\/program|(sherpa|voices)\/worker))\.ts$/,
  "the server's own answer, or a page's own message": /^server\/(uploads\/routes|session\/popup-callback-page)\.ts$/,
};

test("parses foreign JSON only in server/http", () => {
  const parses = /\bJSON\.parse\(|\bparseJson\(\)/;
  const others = sourcesIn("server").filter(
    (path) => !path.startsWith("server/http/") && parses.test(readFileSync(join(root, path), "utf8")),
  );
  expect(others.filter((path) => !Object.values(ownJson).some((known) => known.test(path)))).toEqual([]);
  expect(Object.values(ownJson).filter((known) => !others.some((path) => known.test(path)))).toEqual([]);
});

test("normalizes foreign texts only in contract/normal-form.ts", () => {
  const sources = ["contract", "server", "speech", "translation"].flatMap(sourcesIn);
  const found = sources.filter((path) => /\.normalize\(/.test(readFileSync(join(root, path), "utf8")));
  // Passwords are short, and migrations must not change.
  expect(found.filter((path) => !path.startsWith("server/db/migrations/"))).toEqual([
    "contract/account.ts",
    "contract/normal-form.ts",
  ]);
});

/** Values that a test should wait for with `expect(locator)`: `toHaveText`, `toHaveAttribute`, `toBeVisible`. */
const looksOnce =
  /expect\(await [^;]*?\.(textContent|innerText|innerHTML|allTextContents|allInnerTexts|inputValue|getAttribute|is(Visible|Hidden|Verified|Disabled|Enabled|Editable))\(/;

test("lets browser tests wait for the page instead of expecting a locator's immediate value", () => {
  const files = [...sourcesIn("tests/browser"), ...sourcesIn("tests/grown/browser")];
  expect(files.length).toBeGreaterThan(70);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (looksOnce.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(found).toEqual([]);
});

/** All files under tests/ that a test imports, directly or not. */
function partsOf(test: string): Set<string> {
  const parts = new Set([test]);
  for (const part of parts) for (const path of importsOf(part)) if (path.startsWith("tests/")) parts.add(path);
  return parts;
}

test.each(withoutDatabase)("opens no database in %s, which does not run on PostgreSQL", (file) => {
  const opening = ["tests/server/harness.ts", "tests/server/database.ts", "server/db/open.ts", "server/start.ts"];
  const opened = [...partsOf(file)].filter((part) => [part, ...importsOf(part)].some((path) => opening.includes(path)));
  expect(opened).toEqual([]);
});
