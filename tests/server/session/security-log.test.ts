import * as v from "valibot";
import { expect, test } from "vitest";
import { ActiveSessionsAnswer, LoginAnswer, UserProfile } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { asPerson, type Person, post, read, signUp, startTestServer } from "#tests/server/harness.ts";

const Entry = v.object({
  message: v.string(),
  requestId: v.string(),
  code: v.optional(v.string()),
  route: v.optional(v.string()),
  account: v.nullish(v.string()),
});

/**
 * Starts a server at LOG_LEVEL=info.
 * @returns the server, and a function that takes the log's entries on sign-ins and refusals
 */
async function setUp() {
  const lines: string[] = [];
  const server = await startTestServer({ env: { LOG_LEVEL: "info" }, writeLog: (line) => void lines.push(line) });
  const taken = () =>
    lines
      .splice(0)
      .map((line): unknown => JSON.parse(line))
      .filter((entry) => v.is(Entry, entry))
      .map((entry) => v.parse(Entry, entry))
      .filter(({ message }) => message !== "request")
      .map(({ message, code, route, account }) => [message, code, route, account]);
  return { server, taken };
}

const idOf = async (person: Person) => (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;

test("logs sign-ins, sign-outs and wrong passwords with the account's id", async () => {
  const { server, taken } = await setUp();
  const person = await signUp(server);
  const account = await idOf(person);
  expect(taken()).toEqual([["signed in", undefined, undefined, account]]);

  const { email } = person;
  expect((await post(server, "/auth/login", { email, password: "wrong horse" })).status).toBe(401);
  expect((await post(server, "/auth/login", { email: "nobody@example.org", password: "wrong horse" })).status).toBe(401);
  expect(taken()).toEqual([
    ["refused", "badCredentials", "/auth/login", account],
    ["refused", "badCredentials", "/auth/login", null],
  ]);

  const login = await post(server, "/auth/login", { email, password: "correct horse" });
  const cookie = login.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  await post(server, "/auth/logout", {}, { Cookie: cookie });
  await post(server, "/auth/refresh", {}, { Cookie: cookie });
  expect(taken()).toEqual([
    ["signed in", undefined, undefined, account],
    ["signed out", undefined, undefined, account],
    ["refused", "unauthorized", "/auth/refresh", null],
  ]);
});

test("logs refused requests and attempts to bypass the rules", async () => {
  const { server, taken } = await setUp();
  const person = await signUp(server);
  const account = await idOf(person);
  taken();
  await person.call("GET", "/admin/users");
  await fetch(`${server.apiUrl}/admin/users`);
  await post(server, "/auth/login", {}, { Origin: "https://evil.example" });
  await person.call("POST", "/api/v1/audio-transcriptions/transcribe-url", {
    clientId: crypto.randomUUID(),
    sourceLanguage: "en",
    url: "http://169.254.169.254/latest/meta-data",
  });
  expect(taken()).toEqual([
    ["refused", "adminRequired", "/admin/users", account],
    ["refused", "adminRequired", "/admin/users", null],
    ["refused", "forbidden", "/auth/login", null],
    ["refused", "urlRefused", "/api/v1/audio-transcriptions/transcribe-url", account],
  ]);
});

test("a new session ends the one idle for longest when the account has a hundred", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const id = await idOf(person);
  const at = Date.now() + 1_000;
  // Inserts 99 other sessions that were used later.
  {
    using db = openSql(server.dataDir);
    const session = db.prepare("insert into sessions (id, user_id, created_at, seen_at) values (?, ?, ?, ?)");
    const token = db.prepare("insert into refresh_tokens (hash, session_id, created_at, expires_at) values (?, ?, ?, ?)");
    for (let number = 0; number < 99; number++) {
      session.run(`session ${number}`, id, at, at);
      token.run(`hash ${number}`, `session ${number}`, at, at + 1_000_000);
    }
  }
  const statusWith = async (token: string) =>
    (await fetch(`${server.apiUrl}/users/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await statusWith(person.token)).toBe(200);
  const login = await post(server, "/auth/login", { email: person.email, password: "correct horse" });
  const { accessToken } = await read(login, 200, LoginAnswer);
  expect([await statusWith(person.token), await statusWith(accessToken)]).toEqual([401, 200]);
  const again = asPerson(server, accessToken);
  const { sessions } = await read(await again.call("GET", "/users/me/sessions"), 200, ActiveSessionsAnswer);
  expect(sessions).toHaveLength(100);
});
