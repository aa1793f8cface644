import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RegisterAnswer, SearchAnswer, UserProfile } from "#contract/index.ts";
import { freePort } from "#tests/fixtures/free-port.ts";
import { onPostgres, openSql } from "#tests/server/database.ts";
import { asPerson, base, type Person, post, read, startTestServer, testClock } from "#tests/server/harness.ts";
import { share } from "#tests/server/sharing/links.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { save } from "#tests/server/transcription/saved.ts";

const account = { email: "ada.rhubarb@example.org", password: "an unlikely 7 horses", name: "Ada Rhubarb" };
const moved = "ada.celery@example.net";

/** Creates a person with data in every place where the product stores data of people. */
async function leaveTraces(server: Awaited<ReturnType<typeof startTestServer>>, admin: Person, url: string): Promise<Person> {
  const { email, name, password } = account;
  const browser = { "User-Agent": "Rhubarb Browser 7" };
  const answer = await read(await post(server, "/auth/register", account, browser), 201, RegisterAnswer);
  const person = asPerson(server, answer.accessToken ?? "", email);
  const message = { clientId: crypto.randomUUID(), text: "I like rhubarb best", language: "en" };
  const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
  const audio = { clientId: crypto.randomUUID(), sourceLanguage: "en", url };
  const traces: [string, () => Promise<Response>][] = [
    ["another address", () => person.call("POST", "/users/me/email", { email: moved, password })],
    ["a forgotten password", () => post(server, "/auth/forgot-password", { email })],
    ["feedback", () => person.call("POST", "/feedback", message)],
    ["a message", () => post(server, "/contact", { ...message, name, email })],
    ["the waiting list", () => post(server, "/waitlist", { email, language: "en" })],
    ["a wrong password", () => post(server, "/auth/login", { email, password: "wrong" })],
    ["another sign-in", () => post(server, "/auth/login", { email, password }, browser)],
    ["a checkout", () => person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "year" })],
    [
      "a webhook",
      () => person.call("POST", "/users/me/webhooks", { url: `${url}?rhubarb`, events: ["transcription.completed"] }),
    ],
    ["a recording to be fetched", () => person.call("POST", `${base}/transcribe-url`, audio)],
    [
      "what an administrator did",
      () =>
        admin.call("PATCH", `/admin/users/${id}/subscription`, {
          plan: "premium",
          periodEnd: "2026-05-01T00:00:00Z",
          reason: "A friend",
        }),
    ],
  ];
  for (const [what, trace] of traces) {
    const { status } = await trace();
    expect([what, status < 400 || what === "a wrong password"]).toEqual([what, true]);
  }
  const talk = await save(person, { title: "Rhubarb talk", text: "unmistakable rhubarb" });
  await share(person, talk.id, { name: "Rhubarb & Co." });
  const noted = { start: 0, end: 1, colour: "blue", text: "Rhubarb, again", revision: 0 };
  const note = await person.call("PUT", `${base}/transcription/${talk.id}/notes/${crypto.randomUUID()}`, noted);
  expect(note.status).toBe(200);
  for (const kind of ["folders", "tags"]) {
    const draft = { name: `Rhubarb ${kind}`, colour: "pink" };
    expect((await person.call("POST", `${base}/${kind}`, draft)).status).toBe(201);
  }
  // From here on the words are in the search index.
  expect((await read(await person.call("GET", `${base}/search?q=rhubarb`), 200, SearchAnswer)).total).toBe(2);
  return person;
}

/** Starts a host that accepts requests and never answers. */
async function startSilentHost(): Promise<{ host: string }> {
  const port = await freePort();
  const host = createServer().listen(port, "127.0.0.1");
  await once(host, "listening");
  onTestFinished(() => {
    host.close();
    host.closeAllConnections();
  });
  return { host: `127.0.0.1:${port}` };
}

/** Lists the files of the data folder that contain these words, ignoring case; with PostgreSQL also the tables. */
async function tracesOf(dataDir: string, words: readonly string[]): Promise<string[]> {
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = (await readFile(join(parentPath, name), "latin1")).toLowerCase();
      return words.filter((word) => bytes.includes(word.toLowerCase())).map((word) => `${word} in ${name}`);
    }),
  );
  if (!onPostgres) return found.flat();
  const inTables = words.flatMap((word) => tablesWith(dataDir, word).map((table) => `${word} in ${table}`));
  return [...found.flat(), ...inTables];
}

/** All tables, including those of libraries. */
const tableNames = onPostgres
  ? `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`
  : "select name from sqlite_master where type = 'table'";

/** Names of the tables with a row that holds this text in any column, ignoring case. */
function tablesWith(dataDir: string, text: string): string[] {
  using db = openSql(dataDir);
  const tables = db
    .prepare(tableNames)
    .all()
    .map(({ name }) => String(name));
  const found = tables.filter((table) =>
    db
      .prepare(`select * from ${table}`)
      .all()
      .some((row) => JSON.stringify(row).toLowerCase().includes(text.toLowerCase())),
  );
  return found.map((table) => table.replace("public.", ""));
}

test("deleting an account removes every trace of the person except an id in the audit log", async () => {
  const clock = testClock();
  const silent = await startSilentHost();
  const env = { OWNER_EMAIL: "owner@example.org", FETCH_ALLOW_HOSTS: silent.host, WEBHOOK_ALLOW_HOSTS: silent.host };
  const server = await startTestServer({ now: clock.now, env });
  const admin = await signUpSuperuser(server);
  const person = await leaveTraces(server, admin, `http://${silent.host}/rhubarb.mp3`);
  const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
  const words = ["rhubarb", moved, account.email];
  const mails = async () => (await (await fetch(`${server.apiUrl}/mails`)).text()).match(/<li>/g)?.length ?? 0;
  // Feedback, contact message and waiting list: one mail each; the new address: two; the forgotten password: one.
  await expect.poll(mails).toBe(6);
  expect(await tracesOf(server.dataDir, words)).not.toEqual([]);
  expect((await person.call("DELETE", "/users/me", { password: account.password })).status).toBe(204);
  expect(await mails()).toBe(0);
  expect(await tracesOf(server.dataDir, words)).toEqual([]);
  expect(tablesWith(server.dataDir, id)).toEqual(["audit_log"]);
});
