import { describe, expect, onTestFinished, test } from "vitest";
import { ActiveSessionsAnswer, AdminUsersAnswer, closeCodes, HistoryAnswer, LoginAnswer } from "#contract/index.ts";
import { startMailServer, tokenIn } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { asPerson, base, type Person, post, read, signInAgain, signUp, startTestServer } from "#tests/server/harness.ts";
import { startWithSuperuser } from "#tests/server/superuser.ts";
import { save } from "#tests/server/transcription/saved.ts";

type Server = Awaited<ReturnType<typeof startTestServer>>;

/** Only the test of the periodic check needs a shorter interval. */
const never = { recheckMs: 60 * 60_000 };
const password = "correct horse";

/**
 * Opens an event stream of this person.
 * @returns a promise that resolves when the stream has ended
 */
async function listen(server: Server, person: Person): Promise<{ ended: Promise<void> }> {
  const headers = { Authorization: `Bearer ${person.token}` };
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const answer = await fetch(`${server.apiUrl}${base}/events`, { headers, signal: left.signal });
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  await reader?.read();
  const toItsEnd = async () => {
    while ((await reader?.read())?.done === false);
  };
  // The test may finish before the stream ends.
  const ended = toItsEnd();
  ended.catch(() => {});
  return { ended };
}

const sessionOf = async (person: Person) => {
  const { sessions } = await read(await person.call("GET", "/users/me/sessions"), 200, ActiveSessionsAnswer);
  return sessions.find(({ current }) => current)?.id ?? "";
};

/** Opens the connections of a stolen session: a stream and a dictation of two seconds. */
async function openUnder(server: Server, person: Person) {
  const stream = await listen(server, person);
  const live = await Dictation.start(server.apiUrl, person.token);
  live.sendFrames(0, 10);
  await live.acked(10);
  return { stream, live };
}

describe("connections of an ended session", () => {
  interface Scene {
    server: Server;
    person: Person;
    thief: Person;
  }
  const endings: [string, (scene: Scene) => Promise<{ status: number }>][] = [
    [
      "by a change of the password",
      ({ person }) =>
        person.call("POST", "/users/me/password", { currentPassword: password, newPassword: "battery staple nine" }),
    ],
    ["by signing out elsewhere", ({ person }) => person.call("DELETE", "/users/me/sessions")],
    [
      "by ending it from another session",
      async ({ person, thief }) => person.call("DELETE", `/users/me/sessions/${await sessionOf(thief)}`),
    ],
    ["by deleting the account", ({ person }) => person.call("DELETE", "/users/me", { password })],
  ];

  test.each(endings)("the connections of a session that ends %s close at once", async (_, end) => {
    const server = await startTestServer(never);
    const person = await signUp(server);
    const thief = await signInAgain(server, person);
    const open = await openUnder(server, thief);
    expect((await end({ server, person, thief })).status).toBeLessThan(300);
    expect(await open.live.closed).toBe(closeCodes.unauthorized);
    expect(open.live.messages.at(-1)).toMatchObject({ type: "error", code: "unauthorized" });
    await open.stream.ended;
  });

  test("resetting the password closes the connections of every session", async () => {
    const mail = await startMailServer();
    const server = await startTestServer({ ...never, env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
    const person = await signUp(server);
    const open = await openUnder(server, person);
    await post(server, "/auth/forgot-password", { email: person.email });
    await expect.poll(() => mail.received.length).toBe(1);
    await post(server, "/auth/reset-password", { token: tokenIn(mail.received[0]), password: "battery staple nine" });
    expect(await open.live.closed).toBe(closeCodes.unauthorized);
    await open.stream.ended;
  });

  test("closes the event stream after a logout and after a reused refresh token", async () => {
    const server = await startTestServer(never);
    const { email } = await signUp(server);
    for (const path of ["/auth/logout", "/auth/refresh"]) {
      const answer = await post(server, "/auth/login", { email, password });
      const Cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
      const { accessToken } = await read(answer, 200, LoginAnswer);
      const stream = await listen(server, asPerson(server, accessToken));
      const again = () => fetch(`${server.apiUrl}${path}`, { method: "POST", headers: { Cookie } });
      await again();
      if (path === "/auth/refresh") {
        // The successor was used, so its predecessor comes from a thief.
        const successor = await again();
        const next = successor.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
        await fetch(`${server.apiUrl}${path}`, { method: "POST", headers: { Cookie: next } });
        expect((await again()).status).toBe(401);
      }
      await stream.ended;
    }
  });

  test("an administrator's sign-out closes the user's connections", async () => {
    const { server, superuser } = await startWithSuperuser(never);
    const person = await signUp(server);
    const open = await openUnder(server, person);
    const { users } = await read(await superuser.call("GET", "/admin/users"), 200, AdminUsersAnswer);
    const id = users.find(({ email }) => email === person.email)?.id;
    const ended = await superuser.call("POST", `/admin/users/${id}/sign-out`, { reason: "A lost device" });
    expect(ended.status).toBe(200);
    expect(await open.live.closed).toBe(closeCodes.unauthorized);
    await open.stream.ended;
  });
});

test("the session that changes the password keeps its connections", async () => {
  const server = await startTestServer(never);
  const person = await signUp(server);
  const thief = await signInAgain(server, person);
  const [own, others] = [await openUnder(server, person), await openUnder(server, thief)];
  await person.call("POST", "/users/me/password", { currentPassword: password, newPassword: "battery staple nine" });
  await others.stream.ended;
  await others.live.closed;
  // The session's own dictation continues to its end, and its stream stays open.
  own.live.sendFrames(10, 20);
  own.live.say({ type: "end", frames: 20 });
  expect(textOf((await own.live.next("done")).segments)).toBe(allWords(4));
  expect(await Promise.race([own.stream.ended.then(() => "ended"), person.call("GET", "/users/me").then(() => "open")])).toBe(
    "open",
  );
});

test("keeps the words spoken before the session ended, and the next session continues the dictation", async () => {
  const server = await startTestServer(never);
  const person = await signUp(server);
  const other = await signInAgain(server, person);
  const { live } = await openUnder(server, other);
  await person.call("DELETE", "/users/me/sessions");
  expect(await live.closed).toBe(closeCodes.unauthorized);
  const later = await signInAgain(server, person);
  const again = new Dictation(server.apiUrl, { recordingId: live.recordingId });
  await again.open();
  again.say({ type: "start", token: later.token, recordingId: live.recordingId, sourceLanguage: "en" });
  expect((await again.next("ready")).ack).toBe(10);
  again.sendFrames(10, 15);
  again.say({ type: "end", frames: 15 });
  const { segments } = await again.next("done");
  expect(textOf(segments)).toBe(allWords(3));
  await save(later, { clientId: crypto.randomUUID(), recordingId: live.recordingId, title: "Dictated", segments });
  const history = await read(await later.call("GET", `${base}/transcription-history`), 200, HistoryAnswer);
  expect(history.data[0]).toMatchObject({ text: allWords(3) });
});

test("the periodic check closes connections of a session that another process ended", async () => {
  const server = await startTestServer({ recheckMs: 50 });
  const person = await signUp(server);
  const open = await openUnder(server, person);
  using db = openSql(server.dataDir);
  db.exec("update sessions set revoked_at = 1");
  expect(await open.live.closed).toBe(closeCodes.unauthorized);
  await open.stream.ended;
});
