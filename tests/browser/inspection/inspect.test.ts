import type { Page } from "playwright";
import * as v from "valibot";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance, signUp } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });

const machine = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
/** The machine's active state with this name. */
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
test("opens a page that draws the live machines without secrets, and replays their events", async () => {
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

  // Steps back to the session's first state and forward again; the diagram follows.
  await machines
    .getByRole("navigation", { name: "Live machines" })
    .getByRole("button", { name: /^session/ })
    .click();
  await machines.getByRole("button", { name: "First" }).click();
  await expect(active(machines, "session", "signedOut")).toBeVisible();
  await machines.getByRole("button", { name: "Latest" }).click();
  await expect(active(machines, "session", "valid")).toBeVisible();

  // Sends the session's first event again to the live machine.
  const stored = machines.getByRole("listitem").getByRole("button", { name: /^token\.stored/ });
  await stored.first().click();
  const before = await stored.count();
  await machines.getByRole("button", { name: "Resend this event" }).click();
  await expect(stored).toHaveCount(before + 1);
  expect(complaints).toEqual([]);
});

/** Opens the page of machines late, in a separate tab. */
async function lookNow(page: Page): Promise<Page> {
  const machines = await page.context().newPage();
  await machines.goto(shared.at("/debug/machines"));
  return machines;
}

/** The button of a machine with its current state. */
const listed = (machines: Page, name: string, value: string) =>
  machines
    .getByRole("navigation", { name: "Live machines" })
    .getByRole("button")
    .filter({ has: machines.getByText(name, { exact: true }) })
    .filter({ hasText: value });

test("shows each machine's name and current state to a late watcher, even after a page load", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/dashboard?inspect");
  // An unreadable file gets no row in the history, and an empty history has no search.
  await putTranscript(shared.server, page, { title: "harbor", segments: [] });
  await page.getByRole("link", { name: "Speech to text" }).first().click();
  // A machine that another one spawns with its own id.
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "nothing.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("nothing") });
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  const search = page.getByRole("searchbox");
  // Sends more events than the inspection keeps per machine.
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

  // Imitates the return from the checkout or from Google: the address has no `?inspect` any more.
  await page.goto(shared.at("/subscription-success"));
  await expect(listed(later, "checkoutReturn", "")).toHaveCount(1);
  await expect(listed(later, "filters", "")).toHaveCount(0);
  expect(page.context().pages()).toHaveLength(3);
});

/** Replaces Stately's inspector: it reports that it is connected, and records the messages. */
const inspectorPage = `<script>
  const heard = [];
  addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
  opener.postMessage({ type: "@statelyai.connected" }, "*");
</script>`;

test("opens Stately's inspector with ?inspect=stately, and sends it no more than our own inspector gets", async () => {
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
  // The names of our own page and diagrams, including guards that combine others.
  expect(JSON.stringify(session?.definition)).toContain('"¬ isValid"');
  expect(session).not.toHaveProperty("taken");
  // In the order of the diagram.
  expect(Object.keys(states)).toEqual(["token", "refresh", "backOff", "leaving", "profile"]);
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  for (const secret of [token ?? "no token", person.email, person.password]) expect(await heard()).not.toContain(secret);
});

test("loads no inspection code without ?inspect", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  await openSignedIn(visit.page, server, "/dashboard");
  await visit.page.getByRole("heading", { name: "Dashboard" }).waitFor();
  const scripts = await scriptsOf(visit.page);
  // The scripts contain the machines, but not the inspection.
  const marks = ["needsRefresh", "@statelyai", "parlance-machines", "xstateinspector", "elk.algorithm"];
  expect(marks.filter((mark) => scripts.includes(mark))).toEqual(["needsRefresh"]);
  expect(visit.page.context().pages()).toHaveLength(1);
});
