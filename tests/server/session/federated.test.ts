import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { RecentSignInsAnswer, RefreshAnswer } from "#contract/index.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, post, read, refusal, startTestServer, testClock } from "#tests/server/harness.ts";
import { openVisitor, type Visitor, windowAnswer } from "#tests/server/visitor.ts";
import { exchange, failed, profileOf, setUp, signIn, signInFor } from "./harness-federated.ts";

const attemptsOf = ({ cookies }: Visitor) => [...cookies.keys()].filter((name) => name.startsWith("parlance_attempt_"));

describe("federated sign-in", () => {
  test("a sign-in in the same window gives the page a return code and the browser the refresh cookie", async () => {
    const { server, start } = await setUp();
    const visitor = openVisitor();
    const answer = await visitor.get(await visitor.signInAtProvider(start, "ada"));
    const there = new URL(answer.headers.get("Location") ?? "");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(there.href).toMatch(new RegExp(`^${server.pageUrl}/auth/google/callback\\?code=[\\w-]{43}$`));
    expect(await profileOf(server, there, visitor)).toMatchObject({
      email: "ada@example.org",
      name: "Ada Lovelace",
      isSuperUser: false,
    });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("parlance_refresh="));
    expect(cookie).toMatch(/; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Lax$/);
    const headers = { Cookie: `parlance_refresh=${visitor.cookies.get("parlance_refresh")}` };
    expect((await fetch(`${server.apiUrl}/auth/refresh`, { method: "POST", headers })).status).toBe(200);
    expect(attemptsOf(visitor)).toEqual([]);
  });

  test("a sign-in in a popup sends the token only to the page's origin", async () => {
    const { server, start } = await setUp();
    const visitor = openVisitor();
    const answer = await visitor.get(await visitor.signInAtProvider(`${start}?popup=1`, "ada"));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cross-Origin-Opener-Policy")).toBeNull();
    const { message, page, there, script, policy } = await windowAnswer(answer);
    if (message.type !== "AUTH_SUCCESS") throw new Error(message.type);
    expect((await asPerson(server, message.accessToken).call("GET", "/users/me")).status).toBe(200);
    expect(page).toBe(server.pageUrl);
    expect(there.href).not.toContain(message.accessToken);
    expect((await profileOf(server, there, visitor)).email).toBe("ada@example.org");
    expect(policy).toContain(`script-src 'sha256-${createHash("sha256").update(script).digest("base64")}';`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  });

  test("the callback page sends no Referer, because its address contains a code", async () => {
    const { server } = await setUp();
    const at = async (path: string) =>
      (await fetch(`${server.pageUrl}${path}`, { headers: { Accept: "text/html" } })).headers.get("Referrer-Policy");
    expect(await at("/auth/google/callback?token=x")).toBe("no-referrer");
    expect(await at("/auth/google/callback/")).toBe("no-referrer");
    expect(await at("/signin")).toBe("strict-origin-when-cross-origin");
  });

  test("a return code works once, for a minute, and only in the browser that signed in", async () => {
    const clock = testClock(Date.now());
    const { server, start } = await setUp({ now: clock.now });
    const [ada, eve] = [openVisitor(), openVisitor()];
    const stolen = await signIn(start, "ada", ada);
    await signIn(start, "eve2", eve);
    expect(await refusal(await exchange(server, stolen, openVisitor()))).toBe("401 providerFailed");
    const second = await signIn(start, "ada", ada);
    expect(await refusal(await exchange(server, second, eve))).toBe("401 providerFailed");
    const third = await signIn(start, "ada", ada);
    expect((await exchange(server, third, ada)).status).toBe(200);
    expect(await refusal(await exchange(server, third, ada))).toBe("401 providerFailed");
    const late = await signIn(start, "ada", ada);
    clock.advance(60_000);
    expect(await refusal(await exchange(server, late, ada))).toBe("401 providerFailed");
    const ended = await signIn(start, "ada", ada);
    await ada.post(`${server.apiUrl}/auth/logout`, {});
    expect(await refusal(await exchange(server, ended, ada))).toBe("401 providerFailed");
  });

  test("the database stores only the hash of a return code", async () => {
    const { server, start } = await setUp();
    const code = (await signIn(start, "ada")).searchParams.get("code") ?? "none";
    await using db = await openTestDb(server.dataDir);
    const rows = await db.selectFrom("return_codes").selectAll().execute();
    expect(rows).toEqual([expect.objectContaining({ hash: createHash("sha256").update(code).digest("hex") })]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test("accepts the e-mail from the ID token itself", async () => {
    const { server, start } = await setUp({ options: { conformIdTokenClaims: false } });
    expect(await signInFor(server, start, "ada")).toMatchObject({ email: "ada@example.org" });
  });

  test("the second sign-in opens the same account even when the e-mail has changed", async () => {
    const { provider, server, start } = await setUp();
    const first = await signInFor(server, start, "ada");
    provider.serve(server.apiUrl, { ada: { email: "other@example.org", email_verified: true } });
    const second = await signInFor(server, start, "ada");
    expect(second).toEqual(first);
  });

  test("lists a federated sign-in among the recent sign-ins", async () => {
    const { server, start } = await setUp();
    const visitor = openVisitor();
    const { accessToken } = await read(await exchange(server, await signIn(start, "ada", visitor), visitor), 200, RefreshAnswer);
    const answer = await asPerson(server, accessToken).call("GET", "/users/me/sign-ins");
    const { signIns } = await read(answer, 200, RecentSignInsAnswer);
    expect(signIns).toMatchObject([{ method: "provider", current: true }]);
  });

  test("two windows of one browser can sign in at the same time", async () => {
    const { server, start } = await setUp();
    const visitor = openVisitor();
    const one = await visitor.signInAtProvider(start, "ada");
    const other = await visitor.signInAtProvider(start, "ada");
    expect(attemptsOf(visitor)).toHaveLength(2);
    const answers = await Promise.all([visitor.get(one), visitor.get(other)]);
    const ids = await Promise.all(
      answers.map(async (answer) => (await profileOf(server, new URL(answer.headers.get("Location") ?? ""), visitor)).id),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test("limits the cookies of unfinished sign-ins, and the last one still works", async () => {
    const { start } = await setUp();
    const visitor = openVisitor();
    for (let i = 0; i < 20; i++) {
      await visitor.get(start);
      expect(attemptsOf(visitor).length).toBeLessThanOrEqual(8);
    }
    expect((await signIn(start, "ada", visitor)).searchParams.has("code")).toBe(true);
  });

  test("a sign-in that began before a restart of the server still works", async () => {
    const { provider, server, start } = await setUp();
    const visitor = openVisitor();
    const back = await visitor.signInAtProvider(start, "ada");
    await server.close();
    const again = await startTestServer({
      dataDir: server.dataDir,
      env: { ...provider.env, PORT: new URL(server.apiUrl).port, WEB_PORT: new URL(server.pageUrl).port },
    });
    const answer = await visitor.get(back);
    expect((await profileOf(again, new URL(answer.headers.get("Location") ?? ""), visitor)).email).toBe("ada@example.org");
  });

  // SPEC 7 Auth: "GET /auth/google"
  test("the request to the provider has PKCE, state and nonce, and the cookie is short-lived", async () => {
    const { provider, server, start } = await setUp();
    const answer = await fetch(start, { redirect: "manual" });
    const { origin, searchParams } = new URL(answer.headers.get("Location") ?? "");
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: "parlance",
      response_type: "code",
      redirect_uri: `${server.apiUrl}/auth/google/callback`,
      scope: "openid email profile",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^parlance_attempt_[\w-]{12}=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test("under https the cookie of a sign-in is Secure with the prefix __Host-", async () => {
    const { provider } = await setUp();
    const env = { ...provider.env, PUBLIC_URL: "https://parlance.example.org", API_URL: "https://api.example.org" };
    const server = await startTestServer({ env });
    const answer = await fetch(`${server.apiUrl}/auth/google`, { redirect: "manual" });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-parlance_attempt_.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(answer.headers.get("Location")).toContain(encodeURIComponent("https://api.example.org/auth/google/callback"));
  });
});

describe("manipulated federated sign-in", () => {
  const change = (name: string) => (url: URL) => url.searchParams.set(name, "A".repeat(43));

  test.each([
    ["another nonce", "nonce"],
    ["another PKCE challenge", "code_challenge"],
    ["another state", "state"],
  ])("refuses a federated sign-in with %s", async (_, parameter) => {
    const { server, start } = await setUp();
    const visitor = openVisitor();
    const answer = await visitor.get(await visitor.signInAtProvider(start, "ada", change(parameter)));
    expect(answer.headers.get("Location")).toBe(failed(server));
    expect(visitor.cookies.has("parlance_refresh")).toBe(false);
  });

  test("refuses another browser's callback", async () => {
    const { server, start } = await setUp();
    const stolen = await openVisitor().signInAtProvider(start, "ada");
    const victim = openVisitor();
    expect((await victim.get(stolen)).headers.get("Location")).toBe(failed(server));
    const own = await victim.signInAtProvider(start, "eve");
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect((await victim.get(own)).headers.get("Location")).toBe(failed(server));
  });

  test("refuses the same callback a second time, even with the old cookie", async () => {
    const { server, start } = await setUp();
    const visitor = openVisitor();
    const back = await visitor.signInAtProvider(start, "ada");
    const before = new Map(visitor.cookies);
    expect((await visitor.get(back)).headers.get("Location")).toContain("code=");
    expect((await visitor.get(back)).headers.get("Location")).toBe(failed(server));
    for (const [name, value] of before) visitor.cookies.set(name, value);
    expect((await visitor.get(back)).headers.get("Location")).toBe(failed(server));
  });

  test("refuses a callback with a changed, invalid or foreign cookie", async () => {
    const { server, start } = await setUp();
    const { accessToken } = await (
      await post(server, "/auth/register", { email: "x@example.org", password: "correct horse" })
    ).json();
    for (const forge of [(token: string) => `${token.slice(0, -3)}AAA`, () => "x.y.z", () => String(accessToken)]) {
      const visitor = openVisitor();
      const back = await visitor.signInAtProvider(start, "ada");
      for (const name of attemptsOf(visitor)) visitor.cookies.set(name, forge(visitor.cookies.get(name) ?? ""));
      expect((await visitor.get(back)).headers.get("Location")).toBe(failed(server));
    }
  });

  test("refuses a callback after more than ten minutes", async () => {
    let late = 0;
    const { server, start } = await setUp({ now: () => Date.now() + late });
    const visitor = openVisitor();
    const back = await visitor.signInAtProvider(start, "ada");
    late = 10 * 60_000;
    expect((await visitor.get(back)).headers.get("Location")).toBe(failed(server));
  });

  test("a sign-in that the person cancels at the provider fails, also in a popup", async () => {
    const { server, start } = await setUp();
    expect((await signIn(start, "")).href).toBe(failed(server));
    const visitor = openVisitor();
    const { message, there } = await windowAnswer(await visitor.get(await visitor.signInAtProvider(`${start}?popup=1`, "")));
    expect(message).toEqual({ type: "AUTH_FAILURE", code: "providerFailed" });
    expect(there.href).toBe(failed(server));
  });

  test("limits the callbacks from one network address", async () => {
    const { server, start } = await setUp();
    const tries = async () => {
      const visitor = openVisitor();
      const state = new URL((await visitor.get(start)).headers.get("Location") ?? "").searchParams.get("state");
      return (await visitor.get(`${start}/callback?state=${state}&code=x`)).headers.get("Location");
    };
    for (let i = 0; i < 60; i++) expect(await tries()).toBe(failed(server));
    expect(await tries()).toBe(failed(server, "tooManyRequests"));
  });
});
