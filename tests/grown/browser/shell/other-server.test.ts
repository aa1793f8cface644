import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, openPage, sharedBrowser, type Visit } from "#tests/browser/harness.ts";
import { type StaticPage, servePage } from "#tests/browser/harness-page.ts";
import { specifiedRoutes } from "#tests/browser/harness-routes.ts";
import { type SpecServer, startSpecServer } from "#tests/fixtures/spec-server.ts";

// The page against a server that speaks SPEC.md section 7 and nothing else (issue 10, number 20): every route of section 2, by everybody
// who may see it. What the server does not know is not offered, and said.

let browser: Browser;
let api: SpecServer;
let host: StaticPage;
beforeAll(async () => {
  browser = await sharedBrowser();
  api = await startSpecServer();
  host = await servePage(api.url);
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

/** Nothing but calls that the server does not know, and the sign-in that was refused before it worked. */
const expected = [/the server responded with a status of 404/];

const open = (): Promise<Visit> => openPage(browser, { expected });
const at = (path: string) => host.url + path;

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(at("/signin"));
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("correct horse");
  await page.locator("form button[type=submit]").click();
  await page.waitForURL("**/dashboard");
}

/** What each route shows there: its heading. */
const headings: Readonly<Record<string, string>> = {
  "/": "Every word, kept.",
  "/waitlist": "Waitlist",
  "/signin": "Welcome back",
  "/signup": "Create your account",
  "/forgot-password": "Forgot your password?",
  "/reset-password": "Choose a new password",
  "/auth/reset-password": "Choose a new password",
  "/terms": "Terms",
  "/privacy": "Privacy",
  "/about": "About",
  "/contact": "Contact",
  "/auth/google/callback": "Google authentication failed",
  "/subscription-success": "Sign in to go on",
  "/subscription-cancelled": "Nothing was paid",
  "/email-confirmation": "Confirm your e-mail",
  "/email-verification": "E-mail verification",
  "/email-confirm-success": "E-mail confirmed",
  "/auth/confirm-email": "E-mail confirmed",
  "/blog": "Blog",
  "/blog/{slug}": "Harbours",
  "/debug/languages": "Language tester",
  "/analytics-test": "Analytics test",
  "/test/chunked-transcription": "Chunked transcription test",
  "/test/realtime-transcription": "Realtime transcription test",
  "/settings": "Settings",
  "/subscription": "Subscription",
  "/feedback": "Feedback",
  "/dashboard": "Dashboard",
  "/transcription/{id}": "Harbour talk",
  "/file-upload-config": "Transcribing is not offered here",
  "/url-transcription-config": "Transcribing is not offered here",
  "/file-processing/{transcriptionId}": "Harbour talk",
  "/voice-translator": "Translating is not offered here",
  "/speech-to-text": "Transcribing is not offered here",
  "/encrypted-audio": "Encrypted audio",
  "/encrypted-audio/{transcriptionId}": "Encrypted audio",
  "/admin": "Admin Panel",
  "/blog/admin": "Blog Admin",
  "/blog/admin/analytics": "Blog analytics",
  "/blog/admin/editor": "New post",
  "/blog/admin/generator": "Generator",
  "/admin/blog": "Blog Admin",
  "/admin/blog/analytics": "Blog analytics",
  "/admin/blog/editor": "New post",
  "/admin/blog/generator": "Generator",
};

/** A route is there when its heading is, nothing is being waited for, and nothing has broken. */
async function walk(page: Page, routes: readonly string[]): Promise<void> {
  for (const route of routes) {
    const path = route.replace("{slug}", "harbours").replace(/\{.*\}/, "t1");
    await page.goto(at(path));
    const name = headings[route];
    if (name === undefined) throw new Error(`${route} has no heading in the table.`);
    await page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
    await expect(page.getByText("Something went wrong", { exact: true }), route).toHaveCount(0);
    await expect(page.locator("main [role=status]").getByText(/^Loading/), route).toHaveCount(0);
  }
}

describe("every route", () => {
  test("for visitors", async () => {
    await using visit = await open();
    await walk(visit.page, specifiedRoutes.everyone);
  });

  test.each([
    ["free@example.org", [...specifiedRoutes.signedIn]],
    ["paying@example.org", [...specifiedRoutes.signedIn, ...specifiedRoutes.subscribed]],
    ["chief@example.org", [...specifiedRoutes.subscribed, ...specifiedRoutes.superuser]],
  ])("for %s", async (email, routes) => {
    await using visit = await open();
    await signIn(visit.page, email);
    await walk(visit.page, routes);
  });
});

test("a refused sign-in is shown in the server's words", async () => {
  await using visit = await openPage(browser, { expected: [...expected, /status of 401/] });
  const { page } = visit;
  await page.goto(at("/signin"));
  await page.getByLabel("E-mail").fill("nobody@example.org");
  await page.getByLabel("Password").fill("something else");
  await page.locator("form button[type=submit]").click();
  await page.getByText("Wrong e-mail or password, says the other server.", { exact: true }).waitFor();
});

test("transcripts are filtered, read, corrected and deleted", async () => {
  await using visit = await open();
  const { page } = visit;
  await signIn(page, "free@example.org");
  const list = page.getByRole("list", { name: "Transcripts" });
  const rows = page
    .getByRole("main")
    .locator("li")
    .filter({ has: page.getByRole("link", { name: /Harbour talk|Waiting for words|Broken wave/ }) });
  await expect(rows).toHaveCount(3);
  await page.getByLabel("Search in titles, texts and translations").fill("puerto");
  await expect(rows).toHaveCount(1);
  await page.getByRole("link", { name: "Harbour talk" }).click();
  await page.getByText("El puerto está tranquilo.").waitFor();
  await page.getByRole("button", { name: "Correct the text" }).click();
  await page.getByRole("textbox", { name: "Transcript" }).fill("The harbour is loud.");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => api.asked.filter((call) => call === "PUT /audio/remove-transcription/t1").length).toBe(1);
  await page.goto(at("/dashboard"));
  await page.getByText("The harbour is loud.").waitFor();
  await page.getByRole("button", { name: /Broken wave/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(rows).toHaveCount(2);
  // It is shown as deleted before the server has answered.
  await expect.poll(() => api.asked).toContain("DELETE /audio/remove-transcription/t3");
  expect(await list.count()).toBeLessThanOrEqual(1);
});

test("a post is liked, and written, changed and deleted by a superuser", async () => {
  await using visit = await open();
  const { page } = visit;
  await page.goto(at("/blog/listening-well"));
  await page.getByRole("button", { name: /Like/ }).first().click();
  await page.getByText("3 likes", { exact: false }).first().waitFor();
  await signIn(page, "chief@example.org");
  await page.goto(at("/blog/admin/editor"));
  await page.getByLabel("Title", { exact: true }).fill("A new harbour");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect.poll(() => api.asked.filter((call) => call === "POST /admin/blog").length).toBe(1);
  await page.goto(at("/blog/admin"));
  await page.getByRole("link", { name: "A new harbour" }).first().waitFor();
});

test("what was filled in is kept when the server takes no messages", async () => {
  await using visit = await open();
  const { page } = visit;
  await page.goto(at("/contact"));
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Your message").fill("Is anybody there?");
  await page.getByRole("button", { name: "Send the message" }).click();
  await page.getByText("This server does not offer that.", { exact: true }).waitFor();
  await expect(page.getByLabel("Your message")).toHaveValue("Is anybody there?");
});
