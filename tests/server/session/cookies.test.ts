import { describe, expect, test } from "vitest";
import { RegisterAnswer } from "#contract/index.ts";
import { asPerson, post, read, refusal, startTestServer, testClock } from "#tests/server/harness.ts";

const account = { email: "ada@example.org", password: "correct horse battery", name: "Ada" };
const https = { PUBLIC_URL: "https://parlance.example.org", API_URL: "https://api.parlance.example.org" };
const day = 24 * 3_600_000;

const pair = (line: string) => line.split(";", 1)[0] ?? "";
const lineOf = (answer: Response, name: string) => answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
const refresh = (server: { apiUrl: string }, cookie: string) =>
  fetch(`${server.apiUrl}/auth/refresh`, { method: "POST", headers: { Cookie: cookie } });

/**
 * Registers an account.
 * @returns the Set-Cookie line, the refresh cookie ("name=value") and the person
 */
async function registered(server: { apiUrl: string }, name: string) {
  const answer = await post(server, "/auth/register", account);
  const line = lineOf(answer, name) ?? "";
  const { accessToken = "" } = await read(answer, 201, RegisterAnswer);
  return { line, cookie: pair(line), person: asPerson(server, accessToken) };
}

describe("cookies of an https server", () => {
  test("an https server's refresh cookie has the prefix __Host-, so no other host can set it", async () => {
    const server = await startTestServer({ env: https });
    const { line, cookie } = await registered(server, "__Host-parlance_refresh");
    expect(line).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const renewed = await refresh(server, cookie);
    expect(renewed.status).toBe(200);
    expect(lineOf(renewed, "__Host-parlance_refresh")).toMatch(/; Path=\/; HttpOnly; Secure;/);
    const out = await fetch(`${server.apiUrl}/auth/logout`, { method: "POST", headers: { Cookie: cookie } });
    expect(lineOf(out, "__Host-parlance_refresh")).toMatch(/^__Host-parlance_refresh=; Max-Age=0; Path=\//);
  });

  test("accepts the refresh cookie of an earlier release and replaces it", async () => {
    const before = await startTestServer();
    const { cookie } = await registered(before, "parlance_refresh");
    await before.close();
    const server = await startTestServer({ env: https, dataDir: before.dataDir });
    const answer = await refresh(server, cookie);
    expect(answer.status).toBe(200);
    expect(lineOf(answer, "parlance_refresh")).toMatch(/^parlance_refresh=; Max-Age=0; Path=\/auth; Secure/);
    expect((await refresh(server, pair(lineOf(answer, "__Host-parlance_refresh") ?? ""))).status).toBe(200);
  });

  test("refuses a refresh token under the cookie name without __Host-", async () => {
    const server = await startTestServer({ env: https });
    const { cookie } = await registered(server, "__Host-parlance_refresh");
    expect(await refusal(await refresh(server, cookie.replace("__Host-", "")))).toBe("401 unauthorized");
    expect((await refresh(server, `${cookie}; parlance_refresh=planted`)).status).toBe(200);
  });

  test("the cookie for a download has the prefix __Secure-", async () => {
    const server = await startTestServer({ env: https });
    const { person } = await registered(server, "__Host-parlance_refresh");
    const access = await person.call("POST", "/users/me/export-access");
    const line = lineOf(access, "__Secure-parlance_export") ?? "";
    expect(line).toMatch(/; Path=\/users\/me\/export; HttpOnly; Secure; SameSite=Lax$/);
    const taken = await fetch(`${server.apiUrl}/users/me/export`, { headers: { Cookie: pair(line) } });
    expect(taken.status).toBe(200);
    await taken.body?.cancel();
  });

  test("an https server sends Strict-Transport-Security with the page and the API", async () => {
    const server = await startTestServer({ env: https });
    const paths = ["/", "/users/me", "/nothing"];
    for (const path of paths) {
      expect((await fetch(`${server.apiUrl}${path}`)).headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    }
    const plain = await startTestServer();
    expect((await fetch(`${plain.apiUrl}/`)).headers.get("Strict-Transport-Security")).toBeNull();
    expect((await fetch(plain.pageUrl)).headers.get("Strict-Transport-Security")).toBeNull();
  });
});

describe("absolute end of a session", () => {
  test("a session ends after 180 days in spite of refreshes, and its access token with it", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    let { cookie } = await registered(server, "parlance_refresh");
    for (let days = 0; days < 175; days += 25) {
      clock.advance(25 * day);
      const answer = await refresh(server, cookie);
      expect(answer.status).toBe(200);
      cookie = pair(lineOf(answer, "parlance_refresh") ?? "");
    }
    clock.advance(5 * day - 60_000);
    const last = await refresh(server, cookie);
    const line = lineOf(last, "parlance_refresh") ?? "";
    expect(line).toContain("; Max-Age=60;");
    const { accessToken = "" } = await read(last, 200, RegisterAnswer);
    const person = asPerson(server, accessToken);
    expect((await person.call("GET", "/auth/ping")).status).toBe(200);
    clock.advance(60_000);
    expect(await refusal(await refresh(server, pair(line)))).toBe("401 unauthorized");
    await server.sweep();
    expect((await person.call("GET", "/auth/ping")).status).toBe(401);
  });

  test("SESSION_DAYS also applies to sessions that began before", async () => {
    const clock = testClock();
    const before = await startTestServer({ now: clock.now });
    const { cookie } = await registered(before, "parlance_refresh");
    await before.close();
    clock.advance(8 * day);
    const server = await startTestServer({ now: clock.now, dataDir: before.dataDir, env: { SESSION_DAYS: "7" } });
    expect(await refusal(await refresh(server, cookie))).toBe("401 unauthorized");
  });
});

test("limits a refresh cookie's lifetime to what browsers accept", async () => {
  const server = await startTestServer({ env: { REFRESH_DAYS: "1000", SESSION_DAYS: "2000" } });
  expect((await registered(server, "parlance_refresh")).line).toContain("; Max-Age=34560000;");
});
