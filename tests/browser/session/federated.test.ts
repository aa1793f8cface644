import type { Browser, Page, Request } from "playwright-core";
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

/** A page in a profile of its own; the provider's pages look for fonts and a favicon elsewhere, which is not our matter. */
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

/** The provider's own two pages. */
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

/** As with a browser that lets no window be opened. */
const refuseWindows = (page: Page) =>
  page.addInitScript(() => {
    window.open = () => null;
  });

/** An account of somebody else, made elsewhere. */
async function strangersToken(): Promise<{ token: string; email: string }> {
  const email = `${crypto.randomUUID()}@example.org`;
  const answer = await fetch(`${server.apiUrl}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse" }),
  });
  const { accessToken } = await answer.json();
  return { token: String(accessToken), email };
}

describe("in a window of its own", () => {
  // SPEC 4 Federated sign-in message: "A window message of type AUTH_SUCCESS, from the API origin"
  // SPEC 4 Federated sign-in message: "The browser then navigates to the remembered path or to /dashboard"
  // SPEC 1: "or through a federated account provider"
  test("signs in the page that has opened it, and leads to where the person wanted to go", { tags: "quick" }, async () => {
    await using opened = await visit();
    const { page } = opened;
    await page.goto(at("/transcription/none?x=1"));
    await arrives(page, "/signin");
    const popup = await openWindow(page);
    await page.getByText("Go on in the window that has opened.").waitFor();
    await expect.poll(() => stored(page, "redirectTo")).toBe("/transcription/none?x=1");
    const closed = popup.waitForEvent("close");
    await signInAtProvider(popup);
    await closed;
    await arrives(page, "/transcription/none");
    await expect.poll(() => stored(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    await expect.poll(() => stored(page, "redirectTo")).toBeNull();
    opened.expect(/404/);
  });

  // SPEC 4 Federated sign-in message: "When sign-in starts and the current path is not /signin, that path is stored"
  test("the path that it is started from is remembered, unless that is /signin", async () => {
    await using opened = await visit();
    const { page } = opened;
    await page.goto(at("/signup?lng=en"));
    const popup = await openWindow(page);
    await popup.locator("input[name=login]").waitFor();
    await expect.poll(() => stored(page, "redirectTo")).toBe("/signup?lng=en");
    await signInAtProvider(popup);
    await arrives(page, "/dashboard");
  });

  test("a plan that was chosen before the sign-up is what the checkout asks for", async () => {
    await using opened = await visit();
    opened.expectOnly([/favicon\.ico/, /404 \(Not Found\).*subscription/]);
    const { page } = opened;
    await page.goto(at("/signup?plan=premium&interval=month"));
    await signInAtProvider(await openWindow(page));
    await page.waitForURL(/\/billing\/test\//);
    await page.getByText("€12.00").waitFor();
  });

  test("says why it did not work; when it did, the refresh cookie is there", async () => {
    await using opened = await visit();
    const { page } = opened;
    await page.goto(at("/signin"));
    const refused = await openWindow(page);
    await Promise.all([refused.waitForEvent("close"), refused.getByText("Cancel").click()]);
    await page.getByRole("alert").getByText("Google authentication failed", { exact: true }).waitFor();
    const popup = await openWindow(page);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await signInAtProvider(popup);
    await arrives(page, "/dashboard");
    await page.evaluate(() => localStorage.removeItem("jwtToken"));
    const refreshed = await page.evaluate(
      async (api) => (await fetch(`${api}/auth/refresh`, { method: "POST", credentials: "include" })).status,
      server.apiUrl,
    );
    expect(refreshed).toBe(200);
  });

  test("can be closed and opened again", async () => {
    await using opened = await visit();
    const { page } = opened;
    await page.goto(at("/signin"));
    const first = await openWindow(page);
    await first.close();
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(page.getByText("Go on in the window that has opened.")).toHaveCount(0);
    await signInAtProvider(await openWindow(page));
    await arrives(page, "/dashboard");
  });

  test("that has lost who opened it becomes the page itself; the first page follows", async () => {
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

describe("in the same window, where no other may be opened", () => {
  // SPEC 2 Public routes: "Return point of the federated sign-in"
  // SPEC 2 Navigation: "shows a success toast and removes the parameter from the URL"
  // PROMISE security: No address, log or page holds a token
  test("comes back with a code that is out of the address at once, in no history and in no Referer", async () => {
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
    // The code that stands for the token was in one address, from where it went at once.
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

  test("a code that can't be brought to the server is brought once more", async () => {
    await using opened = await visit();
    const { page } = opened;
    opened.expect(/exchange|ERR_FAILED/);
    await refuseWindows(page);
    await page.route("**/auth/google/exchange", (route) => route.abort());
    await page.goto(at("/signin"));
    await button(page).click();
    await signInAtProvider(page);
    await page.getByRole("heading", { name: "Google authentication failed", exact: true }).waitFor();
    await page.unroute("**/auth/google/exchange");
    await page.getByRole("button", { name: "Try again" }).click();
    await arrives(page, "/dashboard");
  });

  // SPEC 8: "'Google authentication failed'"
  test("says so to the letter when it fails", async () => {
    await using opened = await visit();
    const { page } = opened;
    await refuseWindows(page);
    await page.goto(at("/signin"));
    await button(page).click();
    await page.getByText("Cancel").click();
    await page.getByRole("heading", { name: "Google authentication failed", exact: true }).waitFor();
    expect(page.url()).toBe(at("/auth/google/callback"));
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await button(page).waitFor();
  });

  // SPEC 8: "'Failed to fetch user profile after Google auth'"
  test("says so to the letter when the profile can't be had, and tries again", async () => {
    await using opened = await visit();
    const { page } = opened;
    opened.expect(/users\/me|ERR_FAILED/);
    await refuseWindows(page);
    await page.route("**/users/me", (route) => route.abort());
    await page.goto(at("/signin"));
    await button(page).click();
    await signInAtProvider(page);
    await page.getByRole("heading", { name: "Failed to fetch user profile after Google auth", exact: true }).waitFor();
    await page.unroute("**/users/me");
    await page.getByRole("button", { name: "Try again" }).click();
    await arrives(page, "/dashboard");
  });

  test("an account with a password is not taken over: its password is asked for", async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    provider.serve(server.apiUrl, { ...people, grace: { email, email_verified: true } });
    await fetch(`${server.apiUrl}/auth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password: "correct horse" }),
    });
    await using opened = await visit();
    const { page } = opened;
    await refuseWindows(page);
    await page.goto(at("/signin"));
    await button(page).click();
    await signInAtProvider(page, "grace");
    await page.getByText(`There is already an account for ${email}.`).waitFor();
    expect(await stored(page)).toBeNull();
  });
});

describe("what somebody else sends", () => {
  // SPEC 4 Federated sign-in message: "A window message of type AUTH_SUCCESS, from the API origin"
  test("a message from another origin, or one that is none of ours, signs nobody in", async () => {
    await using opened = await visit();
    const { page } = opened;
    const { token } = await strangersToken();
    await page.context().route("https://evil.example/", (route) => route.fulfill({ contentType: "text/html", body: "<p>hello" }));
    await page.goto(at("/signin"));
    await button(page).waitFor();
    const openAt = async (url: string) => {
      const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate((address) => void window.open(address), url)]);
      await popup.waitForLoadState();
      return popup;
    };
    const say = (popup: Page, message: unknown) => popup.evaluate((what) => window.opener.postMessage(what, "*"), message);
    const good = { type: "AUTH_SUCCESS", accessToken: token };
    const evil = await openAt("https://evil.example/");
    await say(evil, good);
    await page.evaluate((message) => window.postMessage(message, "*"), good);
    const api = await openAt(`${server.apiUrl}/`);
    for (const message of [
      null,
      7,
      "AUTH_SUCCESS",
      {},
      { type: "AUTH_SUCCESS" },
      { ...good, accessToken: 7 },
      { ...good, type: "x" },
    ]) {
      await say(api, message);
    }
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(await stored(page)).toBeNull();
    expect(new URL(page.url()).pathname).toBe("/signin");
    await say(api, good);
    await arrives(page, "/dashboard");
    await expect.poll(() => stored(page)).toBe(token);
  });

  test("a link with the token of an account is asked about first", async () => {
    await using opened = await visit();
    const { page } = opened;
    const { token, email } = await strangersToken();
    opened.expect(/401/);
    await page.goto(at(`/auth/google/callback?token=${token}`));
    await page.getByText(`This sign-in as ${email} was not started in this browser.`).waitFor();
    expect(page.url()).toBe(at("/auth/google/callback"));
    expect(await stored(page)).toBeNull();
    await page.getByRole("button", { name: "Yes, continue" }).click();
    await arrives(page, "/dashboard");
  });

  test.each(["?token=x.y.z", "?token=", "?error=nonsense", ""])(
    "the address with %j is a failure that is shown",
    async (query) => {
      await using opened = await visit();
      const { page } = opened;
      await page.goto(at(`/auth/google/callback${query}`));
      await page.getByRole("heading", { name: "Google authentication failed", exact: true }).waitFor();
      expect(page.url()).toBe(at("/auth/google/callback"));
    },
  );
});

test("without a provider there is no button", async () => {
  await using plain = await startParlance();
  await using opened = await openPage(browser);
  const { page } = opened;
  const asked = page.waitForResponse((answer) => answer.url().endsWith("/auth/providers"));
  await page.goto(`${plain.url}/signin`);
  await (await asked).finished();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  await expect(button(page)).toHaveCount(0);
});
