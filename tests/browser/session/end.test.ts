import type { Page } from "playwright";
import { describe, test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";

// External starts and ends of a session, on any page (SPEC.md section 4).

const shared = sharedParlance({ acrossFiles: true });
const item = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
const keep = (page: Page, key: string, value: string) =>
  page.evaluate(([name, what]) => localStorage.setItem(name ?? "", what ?? ""), [key, value]);

async function openVisitorsPage(page: Page, path: string): Promise<void> {
  await page.goto(shared.at(path));
  await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/**
 * Creates an account through the API.
 * @returns its access token
 */
async function someToken(): Promise<string> {
  const answer = await fetch(`${shared.server.apiUrl}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.org`, password: "violet harbour lantern" }),
  });
  return String((await answer.json()).accessToken);
}

describe("the message AUTH_SUCCESS", () => {
  // SPEC 4 Federated sign-in message: "A window message of type AUTH_SUCCESS, from the API origin"
  test("signs in by a message from the API's origin, and ignores messages from other origins", async () => {
    await using visit = await openPage(shared.browser, { expected: [/404/] });
    const { page } = visit;
    await openVisitorsPage(page, "/");
    const message = { type: "AUTH_SUCCESS", accessToken: await someToken() };
    await page.evaluate((what) => window.postMessage(what, "*"), message);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(await item(page, "jwtToken")).toBeNull();
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate((api) => void window.open(api), `${shared.server.apiUrl}/`),
    ]);
    await popup.waitForLoadState();
    const say = (what: unknown) => popup.evaluate((said) => window.opener.postMessage(said, "*"), what);
    await say({ ...message, accessToken: 7 });
    await say(message);
    await page.waitForURL((url) => url.pathname === "/dashboard");
    await expect.poll(() => item(page, "jwtToken")).toBe(message.accessToken);
  });
});

test("leads from an unknown path directly to the landing page when the token has expired", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openVisitorsPage(page, "/terms");
  await keep(page, "jwtToken", makeToken({ sub: "somebody", exp: Date.now() / 1000 - 60 }));
  const seen: string[] = [];
  page.on("framenavigated", (frame) => seen.push(new URL(frame.url()).pathname));
  await page.goto(shared.at("/no-such-page"));
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(seen.filter((path) => path !== "/" && path !== "/no-such-page")).toEqual([]);
});
