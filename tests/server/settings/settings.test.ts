import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ActiveSessionsAnswer,
  LoginAnswer,
  MessageAnswer,
  RecentSignInsAnswer,
  Transcription,
  UserProfile,
} from "#contract/index.ts";
import { linkIn, startMailServer, tokenIn } from "#tests/fixtures/mail-server.ts";
import { onPostgres, openSql } from "#tests/server/database.ts";
import {
  asPerson,
  type Person,
  post,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { change, save } from "#tests/server/transcription/saved.ts";
import { putIn, withVault } from "#tests/server/vault/vaults.ts";
import { unzipped } from "#tests/server/zip.ts";

const password = "correct horse";
const me = async (person: Person) => read(await person.call("GET", "/users/me"), 200, UserProfile);
const activeSessions = async (person: Person) =>
  (await read(await person.call("GET", "/users/me/sessions"), 200, ActiveSessionsAnswer)).sessions;

test("changes a user's name and language independently and ignores protected fields", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  expect(await read(await person.call("PATCH", "/users/me", { name: " Ada " }), 200, UserProfile)).toMatchObject({ name: "Ada" });
  await person.call("PATCH", "/users/me", { language: "nl" });
  expect(await me(person)).toMatchObject({ name: "Ada", hasPassword: true, emailVerified: false });
  expect(await refusal(await person.call("PATCH", "/users/me", { language: "xx" }))).toBe("400 badRequest");
  // Fields that users may not change are ignored.
  await person.call("PATCH", "/users/me", { is_superuser: 1, isSuperUser: true, planType: "premium" });
  expect(await me(person)).toMatchObject({ isSuperUser: false, planType: "free" });
});

describe("POST /users/me/password", () => {
  test("changes the password of a user who knows it and ends all other sessions", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const other = await signInAgain(server, person);
    const call = (currentPassword: string) =>
      person.call("POST", "/users/me/password", { currentPassword, newPassword: "battery staple" });
    expect(await refusal(await call("wrong horse"))).toBe("403 wrongPassword");
    await read(await call(password), 200, MessageAnswer);
    expect((await other.call("GET", "/users/me")).status).toBe(401);
    await me(person);
    expect(await refusal(await post(server, "/auth/login", { email: person.email, password }))).toBe("401 badCredentials");
  });

  test("limits guesses of the current password by somebody who holds only a token", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const guess = () => person.call("POST", "/users/me/password", { currentPassword: "wrong", newPassword: "battery staple" });
    for (let times = 0; times < 10; times++) expect((await guess()).status).toBe(403);
    expect(await refusal(await guess())).toBe("429 tooManyRequests");
  });
});

describe("POST /users/me/email", () => {
  test("changes the address when its link is opened and mails the old address", async () => {
    const mail = await startMailServer();
    const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
    const person = await signUp(server);
    const wanted = { email: "new@example.org", password };
    expect(await refusal(await person.call("POST", "/users/me/email", { ...wanted, password: "x" }))).toBe("403 wrongPassword");
    await read(await person.call("POST", "/users/me/email", wanted), 202, MessageAnswer);
    // The current address is notified, and the new one gets the link.
    await expect.poll(() => mail.received.length).toBe(2);
    expect(mail.received.map(({ to }) => to)).toEqual([[person.email], ["new@example.org"]]);
    expect(linkIn(mail.received[1])).toContain("/email-verification#");
    expect((await me(person)).email).toBe(person.email);
    await read(await post(server, "/auth/confirm-email", { token: tokenIn(mail.received[1]) }), 200, MessageAnswer);
    expect(await me(person)).toMatchObject({ email: "new@example.org", emailVerified: true });
    await expect.poll(() => mail.received.length).toBe(3);
    expect(mail.received[2]?.to).toEqual([person.email]);
    expect(mail.received[2]?.raw).toContain("new@example.org");
  });

  test("answers a request for a taken address like any other and mails the address's owner", async () => {
    const mail = await startMailServer();
    const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
    const [person, owner] = [await signUp(server), await signUp(server)];
    const answer = await person.call("POST", "/users/me/email", { email: owner.email, password });
    expect(answer.status).toBe(202);
    await expect.poll(() => mail.received.length).toBe(2);
    expect(mail.received.map(({ to }) => to)).toEqual([[person.email], [owner.email]]);
    expect(tokenIn(mail.received[1])).toBe("no token");
  });
});

test("lists active sessions with their devices and ends one or all others", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const others = [await signInAgain(server, person), await signInAgain(server, person)];
  const list = await activeSessions(person);
  expect(list).toHaveLength(3);
  expect(list.filter(({ current }) => current)).toHaveLength(1);
  expect(list[0]?.device).toContain("node");
  const [first] = (await activeSessions(others[0] ?? person)).filter(({ current }) => current);
  expect((await person.call("DELETE", `/users/me/sessions/${first?.id}`)).status).toBe(204);
  expect((await others[0]?.call("GET", "/users/me"))?.status).toBe(401);
  expect((await person.call("DELETE", "/users/me/sessions")).status).toBe(204);
  expect((await others[1]?.call("GET", "/users/me"))?.status).toBe(401);
  expect(await activeSessions(person)).toHaveLength(1);
  const other = await signUp(server);
  const [own] = await activeSessions(person);
  expect(await refusal(await other.call("DELETE", `/users/me/sessions/${own?.id}`))).toBe("404 notFound");
});

describe("recent sign-ins", () => {
  const recent = async (person: Person) =>
    (await read(await person.call("GET", "/users/me/sign-ins"), 200, RecentSignInsAnswer)).signIns;

  test("lists a user's recent sign-ins with time and browser, newest first, even after they end", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    clock.advance(60_000);
    const device = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";
    const answer = await post(server, "/auth/login", { email: person.email, password }, { "User-Agent": device });
    const second = asPerson(server, (await read(answer, 200, LoginAnswer)).accessToken, person.email);
    expect(await recent(person)).toMatchObject([
      { at: "2026-03-01T12:01:00.000Z", method: "password", device, current: false },
      { at: "2026-03-01T12:00:00.000Z", method: "password", device: "node", current: true },
    ]);
    await person.call("DELETE", "/users/me/sessions");
    expect((await second.call("GET", "/users/me")).status).toBe(401);
    expect(await recent(person)).toHaveLength(2);
    expect((await post(server, "/auth/login", { email: person.email, password: "wrong" })).status).toBe(401);
    expect(await recent(person)).toHaveLength(2);
    expect(await recent(await signUp(server))).toHaveLength(1);
    const zip = await person.call("GET", "/users/me/export");
    const account = unzipped(Buffer.from(await zip.arrayBuffer())).get("account.json");
    expect(JSON.parse(account ?? "")).toMatchObject({ recentSignIns: [{ device }, { device: "node" }] });
  });

  test("keeps at most 200 sign-ins per account for 90 days and shows 20", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    clock.advance(60_000);
    for (let times = 0; times < 21; times++) await signInAgain(server, person);
    expect(await recent(person)).toHaveLength(20);
    using db = openSql(server.dataDir);
    const kept = async () => (await db.prepare("select id from sign_ins").all()).length;
    expect(await kept()).toBe(22);
    const { id: owner } = await me(person);
    const note = db.prepare("insert into sign_ins (id, user_id, at, method) values (?, ?, ?, 'password')");
    for (let number = 0; number < 190; number++) note.run(`program ${number}`, owner, clock.now() - 1000 - number);
    await signInAgain(server, person);
    expect(await kept()).toBe(200);
    clock.advance(1);
    await signInAgain(server, person);
    expect(await kept()).toBe(200);
    clock.advance(90 * 24 * 60 * 60_000 - 1);
    await server.sweep();
    expect(await kept()).toBe(1);
    clock.advance(1);
    await server.sweep();
    expect(await kept()).toBe(0);
  });
});

describe("PUT /users/me/avatar", () => {
  const put = (server: { apiUrl: string }, person: Person, body: Uint8Array, type = "image/png") =>
    fetch(`${server.apiUrl}/users/me/avatar`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${person.token}`, "Content-Type": type },
      body: new Uint8Array(body),
    });
  const picture = () =>
    execFileSync("ffmpeg", [
      ...["-loglevel", "error", "-f", "lavfi", "-i", "color=red:size=400x300", "-frames:v", "1"],
      ...["-metadata", "comment=secret place", "-f", "image2pipe", "-c:v", "png", "pipe:1"],
    ]);

  test("re-encodes an avatar as a square WebP without metadata and deletes the previous one", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const { avatar_url: url } = await read(await put(server, person, picture()), 200, UserProfile);
    const answer = await fetch(`${server.apiUrl}${url}`);
    expect(answer.headers.get("Content-Type")).toBe("image/webp");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(8, 12).toString()).toBe("WEBP");
    expect(bytes.includes("secret place")).toBe(false);
    expect((await me(person)).avatar_url).toBe(url);
    await put(server, person, picture());
    expect((await fetch(`${server.apiUrl}${url}`)).status).toBe(404);
    expect(await read(await person.call("DELETE", "/users/me/avatar"), 200, UserProfile)).toMatchObject({ avatar_url: null });
    expect(await readdir(join(server.dataDir, "avatars"))).toEqual([]);
  });

  test.each([
    ["no picture", "<svg onload=alert(1)>", "image/png", "422 notImage"],
    ["a type that runs", "<svg/>", "image/svg+xml", "400 badRequest"],
    ["too large", "x".repeat(5_000_001), "image/png", "413 tooLarge"],
  ])("refuses an avatar: %s", async (_, body, type, expected) => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await put(server, person, Buffer.from(body), type))).toBe(expected);
  });
});

describe("GET /users/me/export", () => {
  test("exports texts, audio, encrypted recordings and the account in one ZIP file", async () => {
    const all = await withVault();
    const { server, person } = all;
    const { id } = await read(await upload(person, buzzWav(3), { name: "A/talk.wav" }), 202, Transcription);
    await settled(person, id);
    await change(person, id, { title: "../../Übung: one" });
    await save(person, { title: "Dictated", text: "hello there" });
    await putIn(all, "secret words");
    expect((await fetch(`${server.apiUrl}/users/me/export`)).status).toBe(401);
    expect((await person.call("POST", "/users/me/export-access")).status).toBe(204);
    const answer = await person.call("GET", "/users/me/export");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="parlance-[\d-]+\.zip"$/);
    const files = unzipped(Buffer.from(await answer.arrayBuffer()));
    const names = [...files.keys()];
    expect(names.filter((name) => name.includes(".."))).toEqual([]);
    expect(names.some((name) => /^transcriptions\/[\d-]+ Übung one \w{8}\/talk\.wav$/.test(name))).toBe(true);
    const text = names.find((name) => /Dictated \w{8}\/transcript\.txt$/.test(name));
    expect(files.get(text ?? "")).toContain("hello there");
    expect(names.filter((name) => name.endsWith("recording.age"))).toHaveLength(1);
    expect(files.get("account.json")).toContain(person.email);
    expect([...files.values()].join("")).not.toContain("argon2");
  });
});

describe("DELETE /users/me", () => {
  test("deletes an account with its password, ends its sessions and leaves no data behind", async () => {
    const all = await withVault();
    const { server, person } = all;
    const bystander = await signUp(server);
    const kept = await save(bystander, { text: "somebody else's words" });
    const { id } = await read(await upload(person, buzzWav(3), { name: "talk.wav" }), 202, Transcription);
    await settled(person, id);
    await save(person, { text: "unmistakable rhubarb" });
    await putIn(all, "secret words");
    expect(await refusal(await person.call("DELETE", "/users/me", { password: "x" }))).toBe("403 wrongPassword");
    expect((await person.call("DELETE", "/users/me", { password })).status).toBe(204);
    expect((await person.call("GET", "/users/me")).status).toBe(401);
    expect(await refusal(await post(server, "/auth/login", { email: person.email, password }))).toBe("401 badCredentials");
    const files = (await readdir(server.dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      const bytes = await readFile(join(parentPath, name));
      expect([name, bytes.includes("unmistakable rhubarb"), bytes.includes(person.email)]).toEqual([name, false, false]);
    }
    for (const folder of ["audio", "live", "uploads", "vault", "jobs"]) {
      expect(await readdir(join(server.dataDir, folder)).catch(() => [])).toEqual([]);
    }
    expect(rowsWithOwners(server.dataDir)).toEqual([]);
    expect((await bystander.call("GET", `/api/v1/audio-transcriptions/transcription/${kept.id}`)).status).toBe(200);
  });

  test("cancels the subscription when its account is deleted", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const answer = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "year" });
    const { url } = (await answer.json()) satisfies { url: string };
    await fetch(`${url}/pay`, { method: "POST", redirect: "manual" });
    expect((await person.call("DELETE", "/users/me", { password })).status).toBe(204);
    expect((await asPerson(server, person.token).call("GET", "/subscriptions/me")).status).toBe(401);
  });
});

/** Rows whose user no longer exists. */
function rowsWithOwners(dataDir: string): unknown[] {
  using db = openSql(dataDir);
  const named = onPostgres
    ? "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'"
    : "select m.name from sqlite_master as m, pragma_table_info(m.name) as c where m.type = 'table' and c.name = 'user_id'";
  const tables = db.prepare(named).all();
  expect(tables.length).toBeGreaterThan(10);
  return tables.flatMap(({ name }) =>
    db.prepare(`select * from ${String(name)} where user_id is not null and user_id not in (select id from users)`).all(),
  );
}
