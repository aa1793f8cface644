import { decodeJwt, SignJWT } from "jose";
import type { Browser, Page } from "playwright";
import * as v from "valibot";
import { createServer, type Plugin, type ViteDevServer } from "vite";
import { afterAll, beforeAll, test } from "vitest";
import { root } from "#scripts/tools.mjs";
import { expect, openBrowser, openPage, type Parlance, signUp, startParlance } from "#tests/browser/harness.ts";
import { freePort } from "#tests/fixtures/free-port.ts";

// Simultaneous calls in three tabs of the page as Vite serves it; one tab: tests/machines/session/refresh.test.ts.

const secret = "a secret that this test knows, so that it can make tokens";
const requests = 200;

let browser: Browser;
let vite: ViteDevServer;
let server: Parlance;
let url: string;

/**
 * Vite bundles a library when it first meets it, which breaks pages that were loaded before. After one or two visits it
 * knows all of them.
 * @throws the error of the fifth visit
 */
async function visitOnce(left = 5): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  try {
    await signUp(page, url);
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await vite.waitForRequestsIdle();
    await page.reload();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  } catch (error) {
    if (left === 1) throw error;
    await visitOnce(left - 1);
  } finally {
    await page.close();
  }
}

// Vite serves the page's modules under their own names, so that a test can call the API as the page does.
beforeAll(async () => {
  const port = await freePort();
  const apiAddress: Plugin = {
    name: "api-address",
    transformIndexHtml: (html) => html.replace(/(<meta name="parlance-api" content=")"/, `$1http://localhost:${port}"`),
  };
  vite = await createServer({
    root,
    plugins: [apiAddress],
    logLevel: "silent",
    server: { port: 0, strictPort: false, hmr: false },
  });
  await vite.listen();
  url = vite.resolvedUrls?.local[0] ?? "";
  server = await startParlance({ env: { PORT: String(port), PUBLIC_URL: new URL(url).origin, JWT_SECRET: secret } });
  browser = await openBrowser();
  await visitOnce();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await vite?.close();
});

/** The same user's token with another expiry, signed with this key. */
async function forged(token: string, expiresAt: number, key: string): Promise<string> {
  const { sub, sid, email, aud, iss } = decodeJwt<{ sid: string; email: string }>(token);
  return new SignJWT({ sub, sid, email, aud, iss, iat: expiresAt - 900, exp: expiresAt })
    .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
    .sign(new TextEncoder().encode(key));
}

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem("jwtToken") ?? "");

/** Sends this many calls at once, as the page does. @returns the statuses of their answers, or why there was none */
async function storm(page: Page, count: number): Promise<string[]> {
  // As a string, because the test runner would transform an import in a function.
  const outcomes = await page.evaluate(`import("/src/features/session/api.ts").then(({ send }) => Promise.all(
    Array.from({ length: ${count} }, () => send("/users/me").then((answer) => String(answer.status), String)),
  ))`);
  return v.parse(v.array(v.string()), outcomes);
}

// SPEC 4 Refresh: "Concurrent refresh requests share one in-flight refresh"
// SPEC 4 Unauthorised answers: "Other requests wait in a queue and are retried with the new token"
test(`refreshes once for ${requests} simultaneous requests of three tabs when their token has expired or is refused`, async () => {
  // Each refused request logs an error on the console.
  await using visit = await openPage(browser, { expected: [/401/] });
  const { page } = visit;
  await signUp(page, url);
  const tabs = [page, await page.context().newPage(), await page.context().newPage()];
  for (const tab of tabs.slice(1)) {
    await tab.goto(new URL("/dashboard", url).href);
    await tab.locator("h1").waitFor();
  }
  let refreshes = 0;
  page.context().on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/auth/refresh") refreshes += 1;
  });
  const bad = {
    expired: (token: string) => forged(token, Math.floor(Date.now() / 1000) - 60, secret),
    refused: (token: string) => forged(token, Math.floor(Date.now() / 1000) + 3600, `not ${secret}`),
  };
  for (const [what, makeToken] of Object.entries(bad)) {
    refreshes = 0;
    const token = await makeToken(await storedToken(page));
    await page.evaluate((value) => {
      localStorage.setItem("jwtToken", value);
    }, token);
    const share = Math.ceil(requests / tabs.length);
    const outcomes = await Promise.all(tabs.map((tab) => storm(tab, share)));
    expect([what, new Set(outcomes.flat())]).toEqual([what, new Set(["200"])]);
    expect(outcomes.flat().length).toBeGreaterThanOrEqual(requests);
    expect([what, refreshes]).toEqual([what, 1]);
    expect(await storedToken(page)).not.toBe(token);
  }
});
