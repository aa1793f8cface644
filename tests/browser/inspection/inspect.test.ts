import type { Page } from "playwright";
import * as v from "valibot";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance, signUp } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });

const machine = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
/** The state of this machine, where it is active. */
const active = (page: Page, name: string, state: string) =>
  machine(page, name)
    .locator("[data-active=true] > :first-child > [data-name]")
    .filter({ hasText: new RegExp(`^${state}$`) });

/** The source of every script that a page has loaded. */
async function scriptsOf(page: Page): Promise<string> {
  const texts = await page.evaluate(async () => {
    const names = performance.getEntriesByType("resource").flatMap(({ name }) => (/\.js$/.test(name) ? [name] : []));
    return Promise.all(names.map(async (name) => (await fetch(name)).text()));
  });
  return texts.join("\n");
}

// PROMISE start: People can watch the live machines, without tokens, addresses, names or texts
test("?inspect opens a page that draws the live machines, without a word of what is secret, and replays", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  const complaints: string[] = [];
  page.context().on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.context().on("weberror", (error) => complaints.push(error.error().message));
  const opened = page.context().waitForEvent("page");
  const person = await signUp(page, server.url, "?inspect");
  const machines = await opened;
  await machines.waitForURL(/\/debug\/machines$/);

  await machines.getByRole("heading", { name: "Machines", level: 1 }).waitFor();
  await machines
    .getByRole("navigation", { name: "Live machines" })
    .getByRole("button", { name: /^session/ })
    .click();
  await expect(active(machines, "session", "valid")).toBeVisible();

  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  for (const choice of await machines.getByRole("navigation", { name: "Live machines" }).getByRole("button").all()) {
    await choice.click();
    const shown = await machines.locator("body").textContent();
    for (const secret of [token ?? "no token", person.email, person.password]) expect(shown).not.toContain(secret);
  }

  await machines.emulateMedia({ reducedMotion: "reduce" });
  expect(await violations(machines)).toEqual([]);

  // Back to the beginning of the session, and forth: what was, is drawn again.
  await machines
    .getByRole("navigation", { name: "Live machines" })
    .getByRole("button", { name: /^session/ })
    .click();
  await machines.getByRole("button", { name: "First" }).click();
  await expect(active(machines, "session", "signedOut")).toBeVisible();
  await machines.getByRole("button", { name: "Latest" }).click();
  await expect(active(machines, "session", "valid")).toBeVisible();

  // The event that began the session, once more: the live machine hears it.
  const stored = machines.getByRole("listitem").getByRole("button", { name: /^token\.stored/ });
  await stored.first().click();
  const before = await stored.count();
  await machines.getByRole("button", { name: "Send this event again" }).click();
  await expect(stored).toHaveCount(before + 1);
  expect(complaints).toEqual([]);
});

/** Opens the page of machines in a tab of its own, as somebody does who has come late. */
async function lookNow(page: Page): Promise<Page> {
  const machines = await page.context().newPage();
  await machines.goto(shared.at("/debug/machines"));
  return machines;
}

/** The button of a machine, with the state that it is in now. */
const listed = (machines: Page, name: string, value: string) =>
  machines
    .getByRole("navigation", { name: "Live machines" })
    .getByRole("button")
    .filter({ has: machines.getByText(name, { exact: true }) })
    .filter({ hasText: value });

test("who looks later sees each machine by its name in the diagrams and in its present state, also when the page was away", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/dashboard?inspect");
  // An unreadable file is no row of the history: without one there would be nothing to search.
  await putTranscript(shared.server, page, { title: "harbor", segments: [] });
  await page.getByRole("link", { name: "Speech to text" }).first().click();
  // A machine that another one spawns, under an id of its own.
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "nothing.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("nothing") });
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  const search = page.getByRole("searchbox");
  // More than is kept of a machine happens.
  await search.evaluate((field: HTMLInputElement) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    for (let count = 1; count <= 210; count++) {
      write?.call(field, "h".repeat(count));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  await expect(search).toHaveValue(/^h{210}$/);
  const later = await lookNow(page);
  await expect(
    listed(later, "session", "token: valid, refresh: idle, backOff: counting, leaving: staying, profile (known: confirmed)"),
  ).toHaveCount(1);
  await expect(listed(later, "filters", "search: entered, language: all, status: all, dateRange: all")).toHaveCount(1);
  await expect(listed(later, "uploads", "")).toHaveCount(1);
  await expect(listed(later, "upload", "")).toHaveCount(1);

  // As from the checkout, or from a sign-in with Google: the address does not ask again.
  await page.goto(shared.at("/subscription-success"));
  await expect(listed(later, "checkoutReturn", "")).toHaveCount(1);
  await expect(listed(later, "filters", "")).toHaveCount(0);
  expect(page.context().pages()).toHaveLength(3);
});

/** Stands in for Stately's inspector: says that it is there, and keeps what it is sent. */
const inspectorPage = `<script>
  const heard = [];
  addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
  opener.postMessage({ type: "@statelyai.connected" }, "*");
</script>`;

test("?inspect=stately opens Stately's inspector, which hears no more than our own", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await page
    .context()
    .route("https://stately.ai/**", (route) => route.fulfill({ contentType: "text/html", body: inspectorPage }));
  const opened = page.context().waitForEvent("page");
  const person = await signUp(page, server.url, "?inspect=stately");
  const inspector = await opened;
  await inspector.waitForURL(/^https:\/\/stately\.ai\/inspect/);
  const heard = async () => String(await inspector.evaluate("heard.join()"));
  await expect.poll(heard).toContain('"token":"valid"');
  const Sent = v.array(v.looseObject({ definition: v.optional(v.pipe(v.string(), v.parseJson())) }));
  const session = v.parse(Sent, JSON.parse(`[${await heard()}]`)).find(({ name }) => name === "session");
  const { states } = v.parse(v.object({ states: v.looseObject({}) }), session?.definition);
  // The names of our own page and of the diagrams: guards that are made of others, too.
  expect(JSON.stringify(session?.definition)).toContain('"¬ isValid"');
  expect(session).not.toHaveProperty("taken");
  // In the diagram's order.
  expect(Object.keys(states)).toEqual(["token", "refresh", "backOff", "leaving", "profile"]);
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  for (const secret of [token ?? "no token", person.email, person.password]) expect(await heard()).not.toContain(secret);
});

test("without ?inspect nothing of it is loaded", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  await openSignedIn(visit.page, server, "/dashboard");
  await visit.page.getByRole("heading", { name: "Dashboard" }).waitFor();
  const scripts = await scriptsOf(visit.page);
  // The machines are there; what watches them is not.
  const marks = ["needsRefresh", "@statelyai", "parlance-machines", "xstateinspector", "elk.algorithm"];
  expect(marks.filter((mark) => scripts.includes(mark))).toEqual(["needsRefresh"]);
  expect(visit.page.context().pages()).toHaveLength(1);
});
