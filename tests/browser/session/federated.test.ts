import type { Browser, Page, Request } from "playwright";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, openPage, type Parlance, sharedBrowser, startParlance, type Visit } from "#tests/browser/harness.ts";
import { type IdentityProvider, type People, startIdentityProvider } from "#tests/fixtures/identity-provider.ts";

const people: People = { ada: { email: "ada@example.org", email_verified: true, name: "Ada" } };
let browser: Browser;
let provider: IdentityProvider;
let server: Parlance;

beforeAll(async () => {
  browser = await sharedBrowser();
  provider = await startIdentityProvider();
  server = await startParlance({ env: provider.env });
  provider.serve(server.apiUrl, people);
});
afterAll(async () => {
  await server?.stop();
  await provider?.[Symbol.asyncDispose]();
});

/**
 * Opens a page in a new profile. The provider's pages request external fonts and a favicon, which this test ignores.
 */
async function visit(): Promise<Visit> {
  const opened = await openPage(browser, { expected: [/favicon\.ico/] });
  await opened.page
    .context()
    .route("https://fonts.googleapis.com/**", (route) => route.fulfill({ contentType: "text/css", body: "" }));
  return opened;
}

const at = (path: string) => new URL(path, server.url).href;
const button = (page: Page) => page.getByRole("button", { name: "Continue with Google" });
const stored = (page: Page, key = "jwtToken") => page.evaluate((name) => localStorage.getItem(name), key);
const arrives = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);

/** Fills in the provider's own two pages. */
async function signInAtProvider(page: Page, login = "ada"): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function openWindow(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), button(page).click()]);
  return popup;
}

/** Imitates a browser that blocks popups. */
const refuseWindows = (page: Page) =>
  page.addInitScript(() => {
    window.open = () => null;
  });

describe("federated sign-in in a popup window", () => {
  // SPEC 4 Federated sign-in message: "A window message of type AUTH_SUCCESS, from the API origin"
  // SPEC 4 Federated sign-in message: "The browser then navigates to the remembered path or to /dashboard"
  // SPEC 1: "or through a federated account provider"
  test("signs in the page that opened the popup, and returns to the wanted page", { tags: "quick" }, async () => {
    await using opened = await visit();
    const { page } = opened;
    await page.goto(at("/transcription/none?x=1"));
    await arrives(page, "/signin");
    const popup = await openWindow(page);
    await page.getByText("Continue in the window that just opened.").waitFor();
    await expect.poll(() => stored(page, "redirectTo")).toBe("/transcription/none?x=1");
    const closed = popup.waitForEvent("close");
    await signInAtProvider(popup);
    await closed;
    await arrives(page, "/transcription/none");
    await expect.poll(() => stored(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    await expect.poll(() => stored(page, "redirectTo")).toBeNull();
    opened.expect(/404/);
  });

  test("says why the sign-in failed, then continues to the checkout of the chosen plan", async () => {
    await using opened = await visit();
    opened.expectOnly([/favicon\.ico/, /404 \(Not Found\).*subscription/]);
    const { page } = opened;
    await page.goto(at("/signup?plan=premium&interval=month"));
    const refused = await openWindow(page);
    await Promise.all([refused.waitForEvent("close"), refused.getByText("Cancel").click()]);
    await page.getByRole("alert").getByText("Google authentication failed", { exact: true }).waitFor();
    await signInAtProvider(await openWindow(page));
    await page.waitForURL(/\/billing\/test\//);
    await page.getByText("€12.00").waitFor();
  });

  test("turns a popup without an opener into the page itself, and the first page signs in, too", async () => {
    await using opened = await visit();
    const { page } = opened;
    await page.context().addInitScript(() => {
      if (location.pathname === "/auth/google/callback") window.opener = null;
    });
    await page.goto(at("/signin"));
    const popup = await openWindow(page);
    await signInAtProvider(popup);
    await Promise.all([arrives(popup, "/dashboard"), arrives(page, "/dashboard")]);
  });
});

describe("federated sign-in in the same window, when popups are blocked", () => {
  // SPEC 2 Public routes: "Return point of the federated sign-in"
  // SPEC 2 Navigation: "shows a success toast and removes the parameter from the URL"
  // PROMISE security: No address, log or page holds a token
  test("removes the callback's code from the address at once, and keeps it out of history and Referer", async () => {
    await using opened = await visit();
    const { page } = opened;
    await refuseWindows(page);
    await page.goto(at("/signup"));
    const requests: Request[] = [];
    const note = (request: Request) => requests.push(request);
    page.on("request", note);
    await button(page).click();
    await signInAtProvider(page);
    await arrives(page, "/dashboard");
    await page.getByText("You are signed in.").waitFor();
    const token = await stored(page);
    expect(token).not.toBeNull();
    const history = await page.evaluate(() => navigation.entries().map((entry) => String(entry.url)));
    expect(history.at(-1)).toBe(at("/dashboard"));
    page.off("request", note);
    const asked = requests.map((request) => request.url());
    const referers = await Promise.all(requests.map(async (request) => (await request.allHeaders()).referer ?? ""));
    const addresses = [...history, ...referers, ...asked];
    expect(addresses.filter((url) => url.includes("token=") || url.includes(String(token)))).toEqual([]);
    expect(referers.filter((referer) => referer.includes("/auth/google/callback"))).toEqual([]);
    // The one-time code was in a single address, from which the page removed it at once.
    const codes = asked.flatMap((url) => (url.startsWith(at("/")) ? (/[?&]code=([\w-]+)/.exec(url)?.[1] ?? []) : []));
    expect(codes).toHaveLength(1);
    expect(history.filter((url) => url.includes("code="))).toEqual([]);
    const again = await page.evaluate(
      async ([api, code]) => {
        const headers = { "Content-Type": "application/json" };
        const body = JSON.stringify({ code });
        return (await fetch(`${api}/auth/google/exchange`, { method: "POST", credentials: "include", headers, body })).status;
      },
      [server.apiUrl, codes[0]],
    );
    expect(again).toBe(401);
    opened.expect(/401/);
  });
});
