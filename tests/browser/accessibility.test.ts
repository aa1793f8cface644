import axe from "axe-core";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { expect, test } from "vitest";
import { openPage, sharedParlance, signUp } from "./harness.ts";

// What axe-core finds on every page, in light and dark: nothing.

const publicPaths = ["/", "/signin", "/signup", "/terms", "/blog", "/debug/machines", "/forgot-password"];
const signedInPaths = ["/dashboard", "/speech-to-text", "/settings", "/subscription", "/voice-translator"];
const superuserPaths = ["/admin", "/admin/blog", "/dashboard"];

const Findings = v.array(v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string() })) }));

const shared = sharedParlance();

/** Each violation with the first places where it stands. */
async function violations(page: Page): Promise<string[]> {
  // As a text: the content security policy lets the page itself load no script from elsewhere.
  await page.evaluate(axe.source);
  const found = v.parse(Findings, await page.evaluate("axe.run(document).then(({ violations }) => violations)"));
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(" | ")}`,
  );
}

/** In both schemes; colours that are on their way to others are waited for. */
async function check(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(new URL(path, shared.server.url).href);
  await page.locator("h1").first().waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
    expect(await violations(page), `${path} in ${colorScheme}`).toEqual([]);
  }
}

test("what a visitor sees", async () => {
  await using visit = await openPage(shared.browser);
  for (const path of publicPaths) await check(visit.page, path);
});

test("what somebody sees who is signed in", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await signUp(page, shared.server.url);
  for (const path of signedInPaths) await check(page, path);
});

test("a history, and a transcript", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await signUp(page, shared.server.url);
  await page.goto(new URL("/speech-to-text", shared.server.url).href);
  await page.locator("input[type=file]").setInputFiles(new URL("../fixtures/audio/harbor.opus", import.meta.url).pathname);
  await page.getByRole("link", { name: "Open the transcript" }).waitFor();
  await check(page, "/dashboard");
  await page.getByRole("link", { name: "harbor" }).click();
  await page.locator("[data-start]").first().waitFor();
  await check(page, new URL(page.url()).pathname);
});

test("what a superuser sees", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const password = /password: (\S+)/.exec(shared.server.log())?.[1] ?? "";
  await page.goto(new URL("/signin", shared.server.url).href);
  await page.getByLabel("E-mail").fill("superuser@parlance.local");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
  for (const path of superuserPaths) await check(page, path);
});
