import { readFile } from "node:fs/promises";
import axe from "axe-core";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Transcription } from "../../src/api/contract/index.ts";
import { asPerson, type Person, read, settled, upload } from "../server/harness.ts";
import { subscribe } from "../server/subscribed.ts";
import { openPage, sharedParlance, signUp } from "./harness.ts";
import { fixture } from "./harness-files.ts";
import { entranceRoutes, ownRoutes, specifiedRoutes } from "./harness-routes.ts";

// What axe-core finds on every route, in light and dark, signed out, signed in, subscribed and as a superuser: nothing.

const { everyone, signedIn, subscribed, superuser } = specifiedRoutes;
const publicRoutes = [...everyone, ...ownRoutes];
const withAccount = [...publicRoutes.filter((route) => !entranceRoutes.includes(route)), ...signedIn];

const shared = sharedParlance();

const Findings = v.array(v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string() })) }));

/** Each violation with the first places where it stands. @param only axe's tags; all rules without */
async function violations(page: Page, only?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
  const found = v.parse(Findings, await page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`));
  const places = (nodes: readonly { html: string }[]) => nodes.slice(0, 3).map(({ html }) => html.slice(0, 160));
  return found.map(({ id, nodes }) => `${id}: ${places(nodes).join(" | ")}`);
}

/** Follows a link to the path within the page, and waits until its heading has the focus. @returns the heading */
async function follow(page: Page, path: string): Promise<string> {
  await page.evaluate((to) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    history.pushState({}, "", to);
  }, path);
  const arrived = page.waitForFunction(
    (to) => location.pathname === to && document.activeElement?.tagName === "H1" && document.activeElement.textContent,
    path,
  );
  const heading = await arrived.catch(async (reason: unknown) => {
    const shown = await page.locator("h1").allTextContents();
    throw new Error(`${path} leads to ${page.url()}, where the heading is: ${shown}`, { cause: reason });
  });
  return String(await heading.jsonValue());
}

/** All rules in light, and in dark those about colours: the rest of the page is the same. */
async function check(page: Page, path: string): Promise<void> {
  expect(await follow(page, path), path).not.toMatch(/^(Something went wrong)?$/);
  for (const [colorScheme, only] of [["light"], ["dark", ["cat.color"]]] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
    expect.soft(await violations(page, only), `${path} in ${colorScheme}`).toEqual([]);
  }
}

/** Every route, one after the other, in one page: only the first is loaded. */
async function checkAll(page: Page, routes: readonly string[], id = "1"): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  page.setDefaultTimeout(10_000);
  // As a text: the content security policy lets the page itself load no script from elsewhere.
  await page.evaluate(axe.source);
  for (const route of routes) await check(page, route.replace(/\{\w+\}/, id));
}

/** Whoever is signed in in the page, for calls of the API. */
async function whoeverIsIn(page: Page): Promise<Person> {
  return asPerson(shared.server, String(await page.evaluate(() => localStorage.getItem("jwtToken"))));
}

/** A transcript with a recording and a translation. @returns its id */
async function transcribe(person: Person): Promise<string> {
  const answer = await upload(person, new Uint8Array(await readFile(fixture("harbor.opus"))), { name: "harbor.opus" });
  const { id } = await read(answer, 202, Transcription);
  expect((await settled(person, id)).status).toBe("completed");
  return id;
}

test("what a visitor sees", async () => {
  await using visit = await openPage(shared.browser);
  await visit.page.goto(shared.at("/about"));
  await checkAll(visit.page, publicRoutes);
});

test("what somebody sees who is signed in", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  await signUp(visit.page, shared.server.url);
  await checkAll(visit.page, withAccount, await transcribe(await whoeverIsIn(visit.page)));
});

test("what somebody sees who has subscribed", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  await signUp(visit.page, shared.server.url);
  const person = await whoeverIsIn(visit.page);
  await subscribe(shared.server.dataDir, person);
  await visit.page.reload();
  await checkAll(visit.page, [...withAccount, ...subscribed], await transcribe(person));
});

test("what a superuser sees", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  const password = /password: (\S+)/.exec(shared.server.log())?.[1] ?? "";
  await page.goto(shared.at("/signin"));
  await page.getByLabel("E-mail").fill("superuser@parlance.local");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
  // Being one is no subscription.
  await checkAll(page, [...withAccount, ...superuser]);
});
