import { describe, expect, test } from "vitest";
import { LoginAnswer, RefreshAnswer, RegisterAnswer, UserProfile } from "#contract/index.ts";
import { createThrottle, everywhereLimit } from "#server/session/throttle.ts";
import type { Running } from "#server/start.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, post, read, refusal, signUp, startTestServer, testClock } from "#tests/server/harness.ts";

const account = { email: "Ada@Example.org ", password: "correct horse", name: "Ada" };

function cookieOf(answer: Response): string {
  const cookie = answer.headers.getSetCookie().find((line) => /^(__Host-)?parlance_refresh=/.test(line));
  if (cookie === undefined) throw new Error("no refresh cookie");
  return cookie;
}

const nameAndValue = (cookie: string) => cookie.split(";", 1)[0] ?? "";

const refresh = (server: Running, cookie?: string) =>
  fetch(`${server.apiUrl}/auth/refresh`, {
    method: "POST",
    headers: cookie === undefined ? {} : { Cookie: nameAndValue(cookie) },
  });

describe("registration", () => {
  // SPEC 7 Auth: "POST /auth/register"
  test("registration signs in at once and stores the e-mail in lower case", async () => {
    const server = await startTestServer();
    const { accessToken, user } = await read(await post(server, "/auth/register", account), 201, RegisterAnswer);
    expect(user).toMatchObject({ email: "ada@example.org", name: "Ada", planType: "free", isSuperUser: false });
    const me = await asPerson(server, accessToken ?? "").call("GET", "/users/me");
    expect(await read(me, 200, UserProfile)).toEqual(user);
  });

  test("refuses a second account with the same e-mail in any case", async () => {
    const server = await startTestServer();
    await post(server, "/auth/register", account);
    expect(await refusal(await post(server, "/auth/register", { ...account, email: "ADA@example.org" }))).toBe("409 emailTaken");
  });

  test("two registrations at the same time make one account", async () => {
    const server = await startTestServer();
    const answers = await Promise.all([post(server, "/auth/register", account), post(server, "/auth/register", account)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test.each([
    ["no e-mail", { password: "correct horse" }],
    ["no address", { email: "ada", password: "correct horse" }],
    ["a short password", { email: "ada@example.org", password: "1234567" }],
    ["a list", []],
  ])("refuses a registration with %s", async (_, body) => {
    const server = await startTestServer();
    expect(await refusal(await post(server, "/auth/register", body))).toBe("400 badRequest");
  });
});

describe("sign-in", () => {
  // SPEC 3: "The refresh credential is a cookie."
  // SPEC 7 Auth: "POST /auth/login"
  test("sign-in gives an access token and an HttpOnly refresh cookie", async () => {
    const server = await startTestServer();
    await post(server, "/auth/register", account);
    const answer = await post(server, "/auth/login", account);
    const cookie = cookieOf(answer);
    expect(cookie).toMatch(/; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Lax$/);
    const { accessToken } = await read(answer, 200, LoginAnswer);
    expect((await asPerson(server, accessToken).call("GET", "/auth/ping")).status).toBe(200);
  });

  test("the refresh cookie is Secure when the page uses https", async () => {
    const server = await startTestServer({ env: { PUBLIC_URL: "https://parlance.example.org" } });
    expect(cookieOf(await post(server, "/auth/register", account))).toContain("; Secure");
  });

  test("answers a wrong password and an unknown e-mail alike", async () => {
    const server = await startTestServer();
    await post(server, "/auth/register", account);
    const wrong = await post(server, "/auth/login", { ...account, password: "wrong horse" });
    const unknown = await post(server, "/auth/login", { ...account, email: "eve@example.org" });
    expect([wrong.status, await wrong.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(wrong.status).toBe(401);
  });

  test("takes about as long for an unknown e-mail as for a wrong password", async () => {
    const server = await startTestServer();
    await post(server, "/auth/register", account);
    const fastest = async (email: string) => {
      const times: number[] = [];
      for (let i = 0; i < 4; i++) {
        const from = performance.now();
        await (await post(server, "/auth/login", { email, password: "wrong horse" })).text();
        times.push(performance.now() - from);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await fastest(account.email), await fastest("eve@example.org")];
    // Without the same work the answer for an unknown e-mail would be ten times as fast.
    expect(unknown).toBeGreaterThan(known / 3);
  });

  test("refuses sign-ins for a while after ten wrong passwords", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    await post(server, "/auth/register", account);
    const attempts = await Promise.all(
      Array.from({ length: 10 }, () => post(server, "/auth/login", { ...account, password: "no" })),
    );
    expect(attempts.every(({ status }) => status === 401)).toBe(true);
    const refused = await post(server, "/auth/login", account);
    expect(refused.headers.get("Retry-After")).toBe("900");
    expect(await refusal(refused)).toBe("429 tooManyRequests");
    clock.advance(900_000);
    expect((await post(server, "/auth/login", account)).status).toBe(200);
  });
});

test("counts guesses from many networks and processes together, separately for each account", async () => {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  await post(server, "/auth/register", account);
  await using elsewhere = await openTestDb(server.dataDir);
  const throttle = createThrottle(elsewhere, clock.now);
  for (let times = 0; times < 200; times++) await throttle.count(everywhereLimit, "ada@example.org");
  const refused = await post(server, "/auth/login", account);
  expect(refused.headers.get("Retry-After")).toBe("900");
  expect(await refusal(refused)).toBe("429 tooManyRequests");
  expect(await refusal(await post(server, "/auth/login", { ...account, email: "eve@example.org" }))).toBe("401 badCredentials");
});

describe("refresh", () => {
  async function signedIn() {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    return { clock, server, first: cookieOf(await post(server, "/auth/register", account)) };
  }

  // SPEC 8: "is diagnosed as a cookie or cross-origin configuration problem"
  test("a refresh without a cookie answers that there is no auth token", async () => {
    const server = await startTestServer();
    const answer = await refresh(server);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("no auth token");
  });

  // SPEC 7 Auth: "POST /auth/refresh"
  test("each refresh gives a new token and a new cookie", async () => {
    const { server, first } = await signedIn();
    const answer = await refresh(server, first);
    const second = cookieOf(answer);
    expect(nameAndValue(second)).not.toBe(nameAndValue(first));
    const { accessToken } = await read(answer, 200, RefreshAnswer);
    expect((await asPerson(server, accessToken).call("GET", "/users/me")).status).toBe(200);
    expect((await refresh(server, second)).status).toBe(200);
  });

  test("repeats the refreshed cookie for ten seconds when its answer was lost", async () => {
    const { clock, server, first } = await signedIn();
    const second = cookieOf(await refresh(server, first));
    clock.advance(9_999);
    const again = await refresh(server, first);
    expect(again.status).toBe(200);
    expect(nameAndValue(cookieOf(again))).toBe(nameAndValue(second));
    clock.advance(1);
    expect(await refusal(await refresh(server, first))).toBe("401 sessionReused");
  });

  test("gives two refreshes at the same time the same new cookie", async () => {
    const { server, first } = await signedIn();
    const [one, other] = await Promise.all([refresh(server, first), refresh(server, first)]);
    expect(nameAndValue(cookieOf(one))).toBe(nameAndValue(cookieOf(other)));
  });

  test("ends the whole session when an old refresh token is used again", async () => {
    const { server, first } = await signedIn();
    const second = cookieOf(await refresh(server, first));
    const answer = await refresh(server, second);
    const third = cookieOf(answer);
    const { accessToken } = await read(answer, 200, RefreshAnswer);
    expect(await refusal(await refresh(server, first))).toBe("401 sessionReused");
    expect(await refusal(await refresh(server, third))).toBe("401 unauthorized");
    expect((await asPerson(server, accessToken).call("GET", "/users/me")).status).toBe(401);
  });

  test("keeps the person's other sessions when one ends by a reused refresh token", async () => {
    const { server, first } = await signedIn();
    const elsewhere = cookieOf(await post(server, "/auth/login", account));
    const second = cookieOf(await refresh(server, first));
    await refresh(server, second);
    await refresh(server, first);
    expect((await refresh(server, elsewhere)).status).toBe(200);
  });

  test("a session ends after thirty days without use", async () => {
    const { clock, server, first } = await signedIn();
    clock.advance(29 * 24 * 3_600_000);
    const second = cookieOf(await refresh(server, first));
    clock.advance(30 * 24 * 3_600_000);
    expect(await refusal(await refresh(server, second))).toBe("401 unauthorized");
  });

  test("limits a session to sixty refreshes in a quarter of an hour without ending it", async () => {
    const { clock, server, first } = await signedIn();
    let cookie = first;
    for (let times = 0; times < 60; times++) cookie = cookieOf(await refresh(server, cookie));
    const refused = await refresh(server, cookie);
    expect(refused.headers.get("Retry-After")).toBe("900");
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await refusal(refused)).toBe("429 tooManyRequests");
    const elsewhere = cookieOf(await post(server, "/auth/login", account));
    expect((await refresh(server, elsewhere)).status).toBe(200);
    clock.advance(900_000);
    expect((await refresh(server, cookie)).status).toBe(200);
  });

  test("allows six hundred refreshes from one network address in a quarter of an hour", async () => {
    const { server, first } = await signedIn();
    const statuses = new Set<number>();
    for (let times = 0; times < 600; times++) statuses.add((await refresh(server, "parlance_refresh=unknown")).status);
    expect([...statuses]).toEqual([401]);
    expect(await refusal(await refresh(server, first))).toBe("429 tooManyRequests");
  });

  test("a refresh cookie survives a restart of the server", async () => {
    const server = await startTestServer();
    const cookie = cookieOf(await post(server, "/auth/register", account));
    await server.close();
    const again = await startTestServer({ dataDir: server.dataDir });
    expect((await refresh(again, cookie)).status).toBe(200);
  });
});

describe("access tokens", () => {
  // SPEC 7 Auth: "GET /auth/ping"
  test("an access token is valid for fifteen minutes", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    clock.advance(15 * 60_000 - 1_000);
    expect((await person.call("GET", "/auth/ping")).status).toBe(200);
    clock.advance(1_000);
    expect(await refusal(await person.call("GET", "/auth/ping"))).toBe("401 unauthorized");
  });

  // SPEC 8: "'No auth token' when fetching the profile without a token"
  test("the profile without a token answers that there is no auth token", async () => {
    const server = await startTestServer();
    const answer = await fetch(`${server.apiUrl}/users/me`);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthorized", message: expect.stringContaining("No auth token") });
  });

  // SPEC 7 Auth: "POST /auth/logout"
  test("logging out ends the access token and the refresh cookie", async () => {
    const server = await startTestServer();
    const registered = await post(server, "/auth/register", account);
    const cookie = cookieOf(registered);
    const { accessToken } = await read(registered, 201, LoginAnswer);
    const out = await fetch(`${server.apiUrl}/auth/logout`, { method: "POST", headers: { Cookie: nameAndValue(cookie) } });
    expect(out.status).toBe(204);
    expect(cookieOf(out)).toContain("Max-Age=0");
    expect((await asPerson(server, accessToken).call("GET", "/users/me")).status).toBe(401);
    expect(await refusal(await refresh(server, cookie))).toBe("401 unauthorized");
  });

  // SPEC 3: "A signed token whose payload carries exp"
  test("refuses access tokens without a signature, with another algorithm or from another server", async () => {
    const server = await startTestServer();
    const { token } = await signUp(server);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
    const other = await signUp(await startTestServer());
    for (const forged of [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.AAAA`,
      other.token,
      "x.y.z",
    ]) {
      expect((await asPerson(server, forged).call("GET", "/users/me")).status).toBe(401);
    }
  });
});

// PROMISE administration: The first start creates a superuser; the last one keeps the right
test("the first start creates a superuser and prints the password once", async () => {
  const printed: string[] = [];
  const server = await startTestServer({ print: (line) => printed.push(line) });
  const [, email, password] = /Superuser: (\S+), password: (\S+)/.exec(printed.join("\n")) ?? [];
  const { user } = await read(await post(server, "/auth/login", { email, password }), 200, LoginAnswer);
  expect(user?.isSuperUser).toBe(true);
  await server.close();
  await startTestServer({ dataDir: server.dataDir, print: (line) => printed.push(line) });
  expect(printed).toHaveLength(1);
});
