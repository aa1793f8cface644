import type { Page, Response } from "playwright-core";
import { describe, test } from "vitest";
import { expect, openPage, openSignedIn, type Person, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture, inState, rows } from "#tests/browser/harness-files.ts";
import { makeSuperuser, messages, meter, spendMinutes, subscribe } from "#tests/browser/harness-usage.ts";

// The free tier's minutes (SPEC.md section 5, "Free-tier usage warning"; section 9, "Free-tier limit").

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const remaining = "You have 1.6 minutes remaining in your free tier.";
const reached = "You've reached your 10-minute monthly limit. Upgrade for unlimited usage.";
const refused = /402 \(Payment Required\)/;
/** From the sidebar, as people go from page to page. */
const follow = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name }).first().click();

/** What somebody opens who has used so many minutes. */
const having = (used: number, path: string) => (person: Person) => {
  spendMinutes(shared.server, person.email, used);
  return path;
};
const visitor = (used: number, path = "/dashboard", expected?: readonly RegExp[]) => pages.begin(having(used, path), expected);

describe("a warning", () => {
  test("comes with every visit of a page on which minutes are spent, and with no other", async () => {
    const { page } = await visitor(8.4);
    await expect(page.getByRole("link", { name: "free minutes left" })).toContainText("1.6");
    // The empty dashboard says how many are left.
    await page.getByText(remaining).waitFor();
    // Pointing at a link is no visit.
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const loaded = page.waitForResponse(/\/api\/v1\/engines$/);
    await page.getByRole("navigation").getByRole("link", { name: "Speech to text" }).first().hover();
    await loaded;
    expect(asked.filter((path) => path === "/api/v1/usage")).toEqual([]);
    expect(await messages(page).count()).toBe(0);
    for (const name of ["Speech to text", "Voice translator", "Speech to text"]) {
      await follow(page, name);
      await messages(page).getByText(remaining, { exact: true }).waitFor();
      await expect(messages(page)).toHaveCount(1);
      await messages(page).getByRole("button", { name: "Close" }).click();
      await messages(page).waitFor({ state: "detached" });
      await expect(meter(page)).toHaveText("8.4 of 10 free minutes used this month");
      await follow(page, "Dashboard");
      await page.waitForURL("**/dashboard");
    }
    expect(await messages(page).count()).toBe(0);
  });

  test("has the way to the subscription beside it", async () => {
    const { page } = await visitor(8.4, "/speech-to-text", [/404 \(Not Found\).*subscription/]);
    await messages(page).filter({ hasText: remaining }).getByRole("button", { name: "Upgrade" }).click();
    await page.waitForURL("**/subscription");
  });

  test("stays for five seconds", async () => {
    const { page } = await visitor(8.4);
    await follow(page, "Speech to text");
    await messages(page).getByText(remaining).waitFor();
    const begin = performance.now();
    await messages(page).waitFor({ state: "detached" });
    // With the time that it takes to go.
    expect(performance.now() - begin).toBeGreaterThan(4_600);
    expect(performance.now() - begin).toBeLessThan(7_000);
  });

  test("comes when the threshold is crossed meanwhile", async () => {
    const { page } = await visitor(7.9, "/speech-to-text");
    await meter(page).getByText("7.9 of 10").waitFor();
    await page.locator("input[type=file]").setInputFiles(fixture("harbor.wav"));
    await messages(page)
      .getByText(/^You have 1\.\d minutes remaining in your free tier\.$/)
      .waitFor();
    await inState(rows(page), "completed").waitFor();
    await meter(page)
      .getByText(/8\.\d of 10/)
      .waitFor();
  });

  test("speaks the person's language, and writes numbers as that does", async () => {
    await using visit = await openPage(shared.browser, { context: { locale: "de-DE" } });
    const { page } = visit;
    await openSignedIn(page, shared.server, having(8.4, "/speech-to-text"));
    await messages(page).getByText("In Ihrem kostenlosen Tarif bleiben Ihnen noch 1,6 Minuten.").waitFor();
    await meter(page).getByText("8,4 von 10 Freiminuten in diesem Monat verbraucht").waitFor();
  });

  test.each(["subscribed", "a superuser"])("is none for who has %s, and no meter", async (who) => {
    let known: Promise<Response> | undefined;
    const { page } = await pages.begin((person, opened) => {
      if (who === "subscribed") subscribe(shared.server, person.email);
      else makeSuperuser(shared.server, person.email);
      known = opened.waitForResponse(/\/api\/v1\/usage$/);
      return having(25, "/speech-to-text")(person);
    });
    await (await known)?.finished();
    await page.getByRole("button", { name: "Start recording" }).waitFor();
    expect([await messages(page).count(), await meter(page).count()]).toEqual([0, 0]);
    const record = page.getByRole("button", { name: "Start recording" });
    await expect(record).not.toHaveAttribute("aria-disabled");
  });
});

describe("at the limit", () => {
  test("everything that would need minutes says why it does not work, before one speaks, and leads to the subscription", async () => {
    // /subscription says who has none.
    const { page } = await visitor(10, "/speech-to-text", [/404 \(Not Found\).*subscription/]);
    await messages(page).getByText(reached, { exact: true }).waitFor();
    await messages(page).getByRole("button", { name: "Close" }).click();
    await messages(page).waitFor({ state: "detached" });
    const record = page.getByRole("button", { name: "Start recording" });
    await expect(record).toHaveAttribute("aria-disabled", "true");
    const reason = await record.getAttribute("aria-describedby");
    await expect(page.locator(`[id="${reason}"]`)).toHaveText(reached);
    await record.click({ force: true });
    await messages(page).getByText(reached, { exact: true }).waitFor();
    await expect(page.getByTestId("drop-zone")).toContainText(reached);
    await expect(page.getByRole("button", { name: "Choose files" })).toHaveCount(0);
    await page.getByRole("main").getByRole("link", { name: "Upgrade" }).first().click();
    await page.waitForURL("**/subscription");
  });

  test("a file that is longer than what is left keeps its audio, and is made after the upgrade", async () => {
    const { page, person } = await visitor(9.98, "/speech-to-text", [refused]);
    await page.locator("input[type=file]").setInputFiles(fixture("market.wav"));
    const row = rows(page);
    await inState(row, "failed").waitFor();
    await expect(row).toContainText("This file is 0:02 long, you have 0.0 free minutes left this month.");
    await expect(row.getByRole("link", { name: "Upgrade" })).toHaveAttribute("href", "/subscription");
    await follow(page, "Dashboard");
    // The file's row on the page before has such a button, too.
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    // What it is called depends on the minutes that the page knows of, which it may ask for at any time.
    const retry = page
      .getByRole("listitem")
      .filter({ hasText: "market" })
      .getByRole("button", { name: /^(Try again|Transcribe now)$/ });
    const message = messages(page).getByText("Your free minutes of this month are used up.");
    await retry.click();
    await message.waitFor();
    subscribe(shared.server, person.email);
    await retry.click();
    await retry.waitFor({ state: "detached" });
    await page
      .getByRole("listitem")
      .filter({ hasText: "market" })
      .getByText(/a small market near the harbor/i)
      .first()
      .waitFor();
  });

  test("what was too long is made after paying, with one press, from the file that the server has", async () => {
    const { page } = await visitor(9.98, "/speech-to-text", [/404 \(Not Found\).*subscription/]);
    await page.locator("input[type=file]").setInputFiles(fixture("market.wav"));
    await inState(rows(page), "failed").waitFor();
    await page.goto(shared.at("/subscription"));
    await page.getByRole("button", { name: "Upgrade for €96 a year" }).click();
    await page.getByRole("button", { name: "Pay (test)" }).click();
    await page.getByText("“market” was longer than your free minutes.").waitFor();
    await expect(page.getByRole("link", { name: "Set up encrypted recordings" })).toHaveAttribute("href", "/encrypted-audio");

    // Elsewhere it is not told that an upgrade is needed, but offered, too.
    const other = await page.context().newPage();
    await other.goto(shared.at("/dashboard"));
    const listed = other.getByRole("listitem").filter({ hasText: "market" });
    await listed.getByRole("button", { name: "Transcribe now" }).waitFor();
    await expect(listed).toContainText("It is stored here and can be transcribed now.");
    await expect(listed.getByRole("link", { name: "Upgrade" })).toHaveCount(0);
    await other.close();

    await page.getByRole("button", { name: "Transcribe it now" }).click();
    await page.waitForURL("**/file-processing/*");
    await page.locator('[data-testid="processing"][data-state="completed"]').waitFor();
  });
});
