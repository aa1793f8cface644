import { describe, expect, onTestFinished, test } from "vitest";
import { HistoryAnswer, maxPersonalTokens, PersonalTokensAnswer, UserProfile } from "#contract/index.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import {
  asPerson,
  base,
  type Person,
  post,
  read,
  refusal,
  signInAgain,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { silentWav } from "#tests/server/jobs/scripted.ts";
import { signUpSuperuser, startWithSuperuser } from "#tests/server/superuser.ts";
import { unzipped } from "#tests/server/zip.ts";
import { makeToken } from "./tokens.ts";

const password = "correct horse";
const history = `${base}/transcription-history`;
const dayMs = 24 * 60 * 60 * 1000;

const tokensOf = async (person: Person) =>
  (await read(await person.call("GET", "/users/me/tokens"), 200, PersonalTokensAnswer)).tokens;
const works = async (program: Person) => (await program.call("GET", "/users/me")).status;

describe("personal access token", () => {
  // PROMISE programs: A token reaches only the routes of its scopes, until its end
  test("a new token needs the password, is shown once and reaches only its scopes", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wanted = {
      name: "  Nightly import ",
      scopes: ["transcriptions:read", "transcriptions:read"],
      days: 7,
      password: "wrong",
    };
    expect(await refusal(await person.call("POST", "/users/me/tokens", wanted))).toBe("403 wrongPassword");
    const { made, program } = await makeToken(person, { name: "  Nightly import ", scopes: ["transcriptions:read"], days: 7 });
    expect(made).toMatchObject({ name: "Nightly import", scopes: ["transcriptions:read"], lastUsedAt: null });
    expect(made.token).toMatch(new RegExp(`^parlance_${made.id}_[\\w-]{43}$`));
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(7 * dayMs);

    const { token: secret, ...shown } = made;
    expect(await tokensOf(person)).toEqual([shown]);
    using db = openSql(server.dataDir);
    expect(JSON.stringify(db.prepare("select * from personal_tokens").all())).not.toContain(secret.slice(26));

    await read(await program.call("GET", history), 200, HistoryAnswer);
    expect(await refusal(await upload(program, silentWav(0.3)))).toBe("403 forbidden");
    expect(await refusal(await program.call("GET", "/users/me"))).toBe("403 forbidden");
    expect(await refusal(await program.call("GET", "/users/me/tokens"))).toBe("403 forbidden");
    expect(await refusal(await program.call("DELETE", "/users/me", { password }))).toBe("403 forbidden");
    expect(await refusal(await program.call("GET", "/users/me/export"))).toBe("401 unauthorized");
  });

  // PROMISE programs: A token reaches only the routes of its scopes, until its end
  test("a superuser's token can't administer anything", async () => {
    const server = await startTestServer();
    const { program } = await makeToken(await signUpSuperuser(server));
    expect((await read(await program.call("GET", "/users/me"), 200, UserProfile)).isSuperUser).toBe(true);
    expect(await refusal(await program.call("GET", "/admin/users"))).toBe("401 adminRequired");
    expect(await refusal(await program.call("POST", "/admin/backups"))).toBe("401 adminRequired");
  });

  test("an expired token stops working, is listed for a month and then deleted", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const { program } = await makeToken(person, { days: 1 });
    clock.advance(dayMs - 1);
    expect(await works(program)).toBe(200);
    clock.advance(1);
    expect(await refusal(await program.call("GET", "/users/me"))).toBe("401 unauthorized");
    const again = await signInAgain(server, person);
    expect(await tokensOf(again)).toHaveLength(1);
    clock.advance(30 * dayMs);
    await server.sweep();
    expect(await tokensOf(await signInAgain(server, person))).toEqual([]);
  });

  test("shows a token's last use to the minute", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const { program } = await makeToken(person);
    const used = async () => (await tokensOf(person))[0]?.lastUsedAt;
    expect(await used()).toBeNull();
    await works(program);
    const first = new Date(clock.now()).toISOString();
    expect(await used()).toBe(first);
    clock.advance(59_000);
    await works(program);
    expect(await used()).toBe(first);
    clock.advance(1_000);
    await works(program);
    expect(await used()).toBe(new Date(clock.now()).toISOString());
  });

  test("refuses a token with another secret, another id or another scheme", async () => {
    const server = await startTestServer();
    const { made } = await makeToken(await signUp(server));
    const last = made.token.at(-1) === "A" ? "B" : "A";
    const forged = [
      made.token.slice(0, -1) + last,
      made.token.replace(made.id, "0123456789abcdef"),
      made.token.slice(0, -1),
      `${made.token}A`,
      `parlance_${made.id}_`,
      "parlance_",
      made.token.toUpperCase(),
    ];
    for (const token of forged) expect([token, await works(asPerson(server, token))]).toEqual([token, 401]);
    const basic = { Authorization: `Basic ${made.token}` };
    expect((await fetch(`${server.apiUrl}/users/me`, { headers: basic })).status).toBe(401);
  });

  test("limits a person's tokens to twenty and a token's calls to 1,200 in ten minutes", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const { made, program } = await makeToken(person);
    for (let count = 1; count < maxPersonalTokens; count++) await makeToken(person, { scopes: ["vocabulary"] });
    const body = { name: "One more", scopes: ["vocabulary"], days: 1, password };
    expect(await refusal(await person.call("POST", "/users/me/tokens", body))).toBe("429 tooManyAtOnce");
    await person.call("DELETE", `/users/me/tokens/${made.id}`);
    expect(await works(program)).toBe(401);
    const { program: next } = await makeToken(person);
    using db = openSql(server.dataDir);
    expect(await works(next)).toBe(200);
    db.prepare("update attempts set count = 1200 where count = 1").run();
    const refused = await next.call("GET", "/users/me");
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "600"]);
    clock.advance(600_000);
    expect(await works(next)).toBe(200);
  });
});

describe("end of a personal access token", () => {
  interface Scene {
    server: Awaited<ReturnType<typeof startTestServer>>;
    person: Person;
    superuser: Person;
    id: string;
    tokenId: string;
  }
  const reason = { reason: "a reason" };
  const endings: [string, (scene: Scene) => Promise<Response>][] = [
    ["when it is revoked", ({ person, tokenId }) => person.call("DELETE", `/users/me/tokens/${tokenId}`)],
    [
      "with a change of the password",
      ({ person }) =>
        person.call("POST", "/users/me/password", { currentPassword: password, newPassword: "battery staple nine" }),
    ],
    ["with signing out everywhere else", ({ person }) => person.call("DELETE", "/users/me/sessions")],
    ["with the account", ({ person }) => person.call("DELETE", "/users/me", { password })],
    [
      "when an operator signs the account out",
      ({ superuser, id }) => superuser.call("POST", `/admin/users/${id}/sign-out`, reason),
    ],
    [
      "when an operator blocks the account",
      ({ superuser, id }) => superuser.call("PATCH", `/admin/users/${id}/blocked`, { blocked: true, ...reason }),
    ],
  ];

  // PROMISE programs: A changed credential ends all tokens and the connections under them
  test("a token and its open connections end in each of these ways", async () => {
    const { server, superuser } = await startWithSuperuser({ recheckMs: 60 * 60_000 });
    for (const [how, end] of endings) {
      const person = await signUp(server);
      const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
      const { made, program } = await makeToken(person);
      const left = new AbortController();
      onTestFinished(() => left.abort());
      const headers = { Authorization: `Bearer ${program.token}` };
      const stream = await fetch(`${server.apiUrl}${base}/events`, { headers, signal: left.signal });
      expect(stream.status).toBe(200);
      const answer = await end({ server, person, superuser, id, tokenId: made.id });
      expect([how, answer.ok]).toEqual([how, true]);
      // Reads to the end, which comes only because the server closes the stream.
      await stream.text();
      expect([how, await works(program)]).toEqual([how, 401]);
    }
  });

  test("a token survives the end of a session and can't be revoked by other people", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const other = await signUp(server);
    const { made, program } = await makeToken(await signInAgain(server, person));
    expect(await refusal(await other.call("DELETE", `/users/me/tokens/${made.id}`))).toBe("404 notFound");
    expect(await tokensOf(other)).toEqual([]);
    await post(server, "/auth/logout", {}, { Authorization: `Bearer ${person.token}` });
    expect(await works(program)).toBe(200);
  });
});

test("a new token is announced by mail, and the export names it without its secret or hash", async () => {
  const mail = await startMailServer();
  const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
  const person = await signUp(server);
  const { made } = await makeToken(person, { name: "Nightly import" });
  await expect.poll(() => mail.received.filter(({ raw }) => raw.includes("A program can now use your account")).length).toBe(1);
  expect(mail.received.some(({ raw }) => raw.includes(made.token))).toBe(false);
  const zip = Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer());
  const account = unzipped(zip).get("account.json") ?? "";
  expect(account).toContain("Nightly import");
  expect(account).not.toContain(made.token.slice(26));
  using db = openSql(server.dataDir);
  const row = db.prepare("select hash from personal_tokens").get();
  expect(account).not.toContain(String(row?.hash));
});
