import { execFile } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { HistoryAnswer, LoginAnswer, SearchAnswer } from "#contract/index.ts";
import { compareWithPostgres, moveToPostgres } from "#server/db/move.ts";
import { openDb } from "#server/db/open.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { asPerson, base, type Person, post, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { expectSums } from "./expect-sums.ts";

// Needs PostgreSQL: moves a whole installation there.

async function target(empty = false): Promise<string> {
  const { url, drop } = await createTestDatabase(empty);
  onTestFinished(drop);
  return url;
}

const history = async (person: Person) =>
  (await read(await person.call("GET", `${base}/transcription-history?limit=100&sort=title`), 200, HistoryAnswer)).data;

/** The data of a closed server with a history. */
async function filled() {
  const server = await startTestServer();
  const person = await signUp(server);
  for (const title of ["Überall", "zebra", "Ant", "ﷺ".repeat(100), "🦓 + 'quotes' \\ \"double\""]) {
    await save(person, { title, text: `${title} `.repeat(2000) });
  }
  const before = await history(person);
  await server.close();
  return { dataDir: server.dataDir, person, before };
}

const rowsAt = async (url: string) => {
  await using db = await openDb("", url);
  await expectSums(db);
  return (await db.selectFrom("users").selectAll().execute()).length;
};

/** The exit code and output of `npm run db`. */
async function program(command: string, dataDir: string, url: string): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env.PATH, PARLANCE_DATA: dataDir, DATABASE_URL: url };
  const script = join(import.meta.dirname, "../../../scripts/db.ts");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", script, command], {
      env,
    });
    return { code: 0, said: stdout };
  } catch (error) {
    if (!(error instanceof Error && "stderr" in error)) throw error;
    return { code: 1, said: String(error.stderr) };
  }
}

// PROMISE processes: PostgreSQL replaces the embedded database; `npm run db -- move` compares rows
test("moves the embedded database with everything in it, including sessions", async () => {
  const { dataDir, person, before } = await filled();
  // As stored before such characters were filtered.
  using old = new DatabaseSync(join(dataDir, "parlance.db"));
  old.prepare("update transcriptions set file_name = 'a' || char(0) || 'b' where title = 'zebra'").run();
  old.close();
  const url = await target(true);
  const { code, said } = await program("move", dataDir, url);
  expect(said).toContain("transcriptions: 5 rows are the same\n");
  expect(said).toContain("users: 2 rows are the same\n");
  expect(said).toMatch(/\d+ rows were moved\.\n\nNext: start Parlance with this DATABASE_URL/);
  expect(code).toBe(0);
  expect((await program("check", dataDir, url)).said).toMatch(/\d+ rows are equal in both databases\.\n$/);
  expect(await rowsAt(url)).toBe(2);
  const server = await startTestServer({ dataDir, env: { DATABASE_URL: url } });
  const stillSignedIn = asPerson(server, person.token, person.email);
  const after = await history(stillSignedIn);
  expect(after.map((row) => ({ ...row, fileName: null }))).toEqual(before.map((row) => ({ ...row, fileName: null })));
  const again = await post(server, "/auth/login", { email: person.email, password: "correct horse" });
  await read(again, 200, LoginAnswer);
  // The sweep finishes the new search index at the latest.
  await server.sweep();
  const found = await read(await stillSignedIn.call("GET", `${base}/search?q=zebra&limit=1`), 200, SearchAnswer);
  expect([found.hits[0]?.title, found.behind]).toEqual(["zebra", 0]);
  await save(stillSignedIn, { title: "one more", text: "said since" });
  expect(await history(stillSignedIn)).toHaveLength(6);
  await server.close();
  const differs = await program("check", dataDir, url);
  expect([differs.code, differs.said]).toEqual([1, expect.stringMatching(/of \w+ .*differs between the databases|more rows of/)]);
});

test("moves nothing while a database is in use, or into a database that is not empty", async () => {
  const { dataDir } = await filled();
  const running = await startTestServer({ dataDir });
  const url = await target();
  await expect(moveToPostgres({ dataDir, url })).rejects.toThrow(`The database in ${dataDir} is in use.`);
  await running.close();
  const connected = await openDb("", url);
  await expect(moveToPostgres({ dataDir, url })).rejects.toThrow("The database in PostgreSQL is in use.");
  await connected.insertInto("attempts").values({ key: "a", count: 1, resets_at: 1 }).execute();
  await connected.destroy();
  await expect(moveToPostgres({ dataDir, url })).rejects.toThrow("is not empty: attempts has rows. Nothing was moved.");
  expect(await rowsAt(url)).toBe(0);
  const foreign = await target(true);
  await administer(foreign, "create table orders (id int)");
  await expect(moveToPostgres({ dataDir, url: foreign })).rejects.toThrow("has tables of another program");
  await expect(moveToPostgres({ dataDir: `${dataDir}-none`, url })).rejects.toThrow("There is no database in");
});

// Each failure happens at the row with this title.
const failures = [
  ["an error", "raise exception 'the disk is full'", /Nothing was moved/],
  ["a broken connection", "perform pg_terminate_backend(pg_backend_pid())", /Nothing was moved/],
  [
    "a row that is stored otherwise",
    "new.title = upper(new.title)",
    /^Row \d of transcriptions \(.+\) differs between the databases\.$/,
  ],
] as const;

test("leaves nothing of a move that fails, and repeats it completely", async () => {
  const { dataDir } = await filled();
  const url = await target();
  for (const [name, failure, said] of failures) {
    await administer(
      url,
      `create or replace function fail() returns trigger language plpgsql as $$ begin ${failure}; return new; end $$;
       create or replace trigger fail before insert on transcriptions for each row when (new.title = 'zebra') execute function fail()`,
    );
    await expect(moveToPostgres({ dataDir, url }), name).rejects.toThrow(said);
    expect(await rowsAt(url), name).toBe(0);
  }
  await administer(url, "drop trigger fail on transcriptions");
  expect(await moveToPostgres({ dataDir, url })).toBeGreaterThan(10);
  expect(await rowsAt(url)).toBe(2);
  expect(await compareWithPostgres({ dataDir, url })).toBeGreaterThan(10);
});
