import type { Browser, Page, Response } from "playwright-core";
import { beforeAll, describe, test } from "vitest";
import {
  expect,
  openPage,
  openSignedIn,
  type Person,
  sharedBrowser,
  sharedPage,
  sharedParlance,
} from "#tests/browser/harness.ts";
import { fixture, inState, rows } from "#tests/browser/harness-files.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";
import { makeSuperuser, messages, meter, spendMinutes, subscribe } from "#tests/browser/harness-usage.ts";

// The free tier's minutes (SPEC.md section 5, "Free-tier usage warning"; section 9, "Free-tier limit").

const shared = sharedParlance();
const pages = sharedPage(shared);
const remaining = "You have 1.6 minutes remaining in your free tier.";
const reached = "You've reached your 10-minute monthly limit. Upgrade for unlimited usage.";
const ended = "The recording ended when your free minutes were used up. What you said until then is written down and saved.";
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
      .waitFor({ timeout: 60_000 });
    await inState(rows(page), "completed").waitFor({ timeout: 60_000 });
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
    await inState(row, "failed").waitFor({ timeout: 60_000 });
    await expect(row).toContainText("This file is 0:02 long, you have 0.0 free minutes left this month.");
    await expect(row.getByRole("link", { name: "Upgrade" })).toHaveAttribute("href", "/subscription");
    await follow(page, "Dashboard");
    // The file's row on the page before has such a button, too.
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    const retry = page.getByRole("listitem").filter({ hasText: "market" }).getByRole("button", { name: "Try again" });
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
      .waitFor({ timeout: 60_000 });
  });

  test("what was too long is made after paying, with one press, from the file that the server has", async () => {
    const { page } = await visitor(9.98, "/speech-to-text", [/404 \(Not Found\).*subscription/]);
    await page.locator("input[type=file]").setInputFiles(fixture("market.wav"));
    await inState(rows(page), "failed").waitFor({ timeout: 60_000 });
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
    await page.locator('[data-testid="processing"][data-state="completed"]').waitFor({ timeout: 60_000 });
  });

  describe("reached by who speaks", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await sharedBrowser({ microphone: { speaks: fixture("microphone.wav") } });
    });

    test("the recording ends with the reason; what was said until then is written down and saved", async () => {
      await using visit = await openPage(browser, { expected: [/404 \(Not Found\).*subscription/] });
      const { page } = visit;
      // What is said begins after 1.6 s.
      await openSignedIn(page, shared.server, having(10 - 4.2 / 60, "/speech-to-text"));
      await messages(page).getByText("You have 0.1 minutes remaining in your free tier.").waitFor();
      await page.getByRole("button", { name: "Start recording" }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await page.getByRole("alert").filter({ hasText: ended }).waitFor();
      await messages(page).getByText(reached, { exact: true }).waitFor();
      await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
      const open = page.getByRole("link", { name: "Open the transcript" });
      await open.waitFor({ timeout: 30_000 });
      await expect(page.getByText("Saved on your dashboard.")).toHaveCount(1);
      // Nothing is left over: what was on its way was taken too.
      await expect(page.getByText("A recording was not finished")).toHaveCount(0);
      await page.getByRole("main").getByRole("link", { name: "Upgrade" }).first().waitFor();
      const again = page.getByRole("button", { name: "Record again" });
      await expect(again).toHaveAttribute("aria-disabled", "true");
      if (process.env.SCREENSHOTS) await screenshots(page, "limit-while-speaking", { fullPage: true });
      await open.click();
      await page.locator("[data-start]").first().waitFor();
      expect((await page.locator("[data-start]").allTextContents()).join(" ").toLowerCase()).toContain("please call me");
    });

    test("in a conversation: the turn ends there and is kept, and typing goes on", async () => {
      await using visit = await openPage(browser);
      const { page } = visit;
      await openSignedIn(page, shared.server, having(10 - 4.2 / 60, "/voice-translator"));
      const status = (name: string) => page.locator(`[data-testid="status"][data-status="${name}"]`);
      await status("idle").waitFor();
      await page
        .getByRole("button", { name: /English/ })
        .first()
        .click();
      await status("listening").waitFor();
      await page.getByRole("alert").filter({ hasText: ended }).waitFor();
      await messages(page).getByText(reached, { exact: true }).waitFor();
      await status("limited").waitFor({ timeout: 30_000 });
      await page
        .getByText(/please call me/i)
        .first()
        .waitFor();
      await page.getByRole("textbox", { name: "Type in Spanish" }).fill("hasta luego");
      await page.getByRole("button", { name: "Translate", exact: true }).click();
      await page.getByText("hasta luego").first().waitFor();
      if (process.env.SCREENSHOTS) await screenshots(page, "limit-while-conversing", { fullPage: true });
    });

    test("in another tab: what was recorded is kept, and finished after the upgrade", async () => {
      await using visit = await openPage(browser);
      const { page } = visit;
      const person = await openSignedIn(page, shared.server, "/speech-to-text");
      await meter(page).waitFor();
      spendMinutes(shared.server, person.email, 10);
      const heard = await holdRefusal(page);
      await page.getByRole("button", { name: "Start recording" }).click();
      await expect.poll(() => framesKept(page)).toBeGreaterThan(3);
      heard.resolve();
      const notice = page.getByRole("alert").filter({ hasText: "Your free minutes of this month are used up." });
      await notice.waitFor();
      await notice.getByText("What you said just now stays in this browser.").waitFor();
      await notice.getByRole("link", { name: "Upgrade" }).waitFor();
      await page.reload();
      const leftover = page.getByText("A recording was not finished");
      await leftover.waitFor();
      await page.getByText("It was spoken after your free minutes were used up.").waitFor();
      if (process.env.SCREENSHOTS) await screenshots(page, "limit-leftover", { fullPage: true });
      subscribe(shared.server, person.email);
      await page.getByRole("button", { name: "Finish it" }).click();
      await page
        .getByRole("link", { name: "Open the transcript" })
        .or(page.getByRole("button", { name: "Keep the recording" }))
        .waitFor({ timeout: 30_000 });
    });
  });
});

/** What the server answers to who dictates waits until this is resolved: before the first frame there is nothing to be kept. */
async function holdRefusal(page: Page): Promise<PromiseWithResolvers<void>> {
  const heard = Promise.withResolvers<void>();
  await page.routeWebSocket(/realtime/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => heard.promise.then(() => socket.send(message)));
    server.onClose((code, reason) =>
      heard.promise.then(() => socket.close({ ...(code && { code }), ...(reason && { reason }) })),
    );
  });
  return heard;
}

/** How many frames this browser keeps of what was dictated. */
const framesKept = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const asked = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const db = await asked(indexedDB.open("parlance-recordings"));
    const count = await asked(db.transaction("frames").objectStore("frames").count());
    db.close();
    return count;
  });
