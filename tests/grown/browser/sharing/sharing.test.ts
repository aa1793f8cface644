import type { Page, Request } from "playwright";
import { test } from "vitest";
import { enter, expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

// A link to a transcript: its owner copies it, a visitor without an account opens it, and the owner changes and revokes
// it.

const shared = sharedParlance();
const passphrase = "seventeen green boats";
const segments = [
  spokenSegment("Shall we begin with the budget?", 0, 4, { speaker: "Anna", translation: "¿Empezamos por el presupuesto?" }),
  spokenSegment("It is lower than last year.", 4, 9, { speaker: "1", translation: "Es más bajo que el año pasado." }),
];

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const rows = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("listitem");
const panel = (page: Page) => page.getByRole("region", { name: "Share", exact: true });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** All requests of a page with their headers. */
function requestsOf(page: Page): Request[] {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  return requests;
}

// PROMISE sharing: A link shares a transcript until a day, with a passphrase; its end is immediate
test("shares a transcript with audio, translation and passphrase without an account, until its link is revoked", async () => {
  await using owning = await openPage(shared.browser, { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = owning;
  await enter(page, shared.server);
  const path = await putTranscript(shared.server, page, {
    segments,
    audioSeconds: 20,
    title: "The budget",
    targetLanguage: "es",
  });
  await page.goto(new URL(path, shared.server.url).href);
  await button(page, "Share").click();
  await button(page, "Copy link").click();
  await page.getByText("Link copied.").waitFor();
  const link = await copied(page);
  expect(link).toMatch(/\/shared#[\da-f]{16}\.[\w-]{43}$/);
  const secret = link.slice(-43);
  await panel(page).getByLabel("Downloads").check();
  await panel(page).getByText("More", { exact: true }).click();
  await panel(page).getByLabel("Your name on its page").fill("Anna of the harbour");
  await panel(page).getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await screenshots(page, "sharing-form", { fullPage: true });
  expect(await violations(page)).toEqual([]);
  await button(page, "Save").click();
  await panel(page).getByText("With a passphrase").waitFor();
  expect(await page.content()).not.toContain(secret);

  await using visiting = await openPage(shared.browser, {
    context: { locale: "de-DE" },
    expected: [/404 \(Not Found\).*\/api\/v1\/shared\//],
  });
  const visitor = visiting.page;
  const requests = requestsOf(visitor);
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "Dieses Transkript braucht eine Passphrase" })).toBeVisible();
  await screenshots(visitor, "sharing-locked");
  await visitor.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await visitor.keyboard.press("Enter");
  await expect(visitor.getByRole("heading", { name: "The budget" })).toBeFocused();
  await visitor.getByText("Geteilt von Anna of the harbour").waitFor();
  const list = visitor.getByRole("list", { name: "Transkript" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await list.getByText("¿Empezamos por el presupuesto?").waitFor();
  await expect(list.getByText("Sprecher 1")).toBeVisible();
  await expect(visitor.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  expect(await violations(visitor)).toEqual([]);

  // Plays from a clicked word and marks the spoken word; the keyboard works too.
  await list.getByText("lower", { exact: true }).click();
  await expect(visitor.getByRole("button", { name: /^Pause/ })).toBeVisible();
  await expect.poll(async () => Number(await visitor.getByRole("slider").inputValue())).toBeGreaterThan(5);
  await expect(list.locator('li[data-index="1"] [class*="spoken"]')).toHaveCount(1);
  await screenshots(visitor, "sharing-shown", { fullPage: true });
  await visitor.keyboard.press("Alt+k");
  await expect(visitor.getByRole("button", { name: /^Abspielen/ })).toBeVisible();
  const saving = visitor.waitForEvent("download");
  await visitor.getByText("Exportieren").click();
  await visitor.getByRole("button", { name: "Text (.txt)" }).click();
  expect((await saving).suggestedFilename()).toBe("The budget.txt");

  // The skip link keeps the link's secret in the address. A reload needs no passphrase and is not counted as a visit.
  await visitor.evaluate(() => {
    location.hash = "main";
  });
  await expect.poll(() => visitor.url()).toBe(link);
  await visitor.getByRole("button", { name: /^Abspielen/ }).click();
  await expect(visitor.getByRole("button", { name: /^Pause/ })).toBeVisible();
  await visitor.reload();
  await visitor.getByText("Geteilt von Anna of the harbour").waitFor();
  const said = await Promise.all(requests.map(async (request) => JSON.stringify([request.url(), await request.allHeaders()])));
  expect(said.length).toBeGreaterThan(10);
  expect(said.filter((text) => text.includes(secret) || /"authorization"|"referer":"[^"]*\/shared["#?]/.test(text))).toEqual([]);

  await page.reload();
  await button(page, "Share").click();
  await panel(page).getByText("Opened 1 time").waitFor();
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button(page, "Copy link").click();
  await expect.poll(() => copied(page)).toBe(link);
  await screenshots(page, "sharing-links", { fullPage: true });
  expect(await violations(page)).toEqual([]);
  await panel(page).getByLabel("Translation").uncheck();
  await panel(page).getByText("More", { exact: true }).click();
  await panel(page).getByLabel("Remove the passphrase").check();
  await button(page, "Save").click();
  await expect(panel(page).getByText("With a passphrase")).toHaveCount(0);

  // A change applies when the link is opened again; access by the old passphrase has ended.
  await visitor.reload();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByText("¿Empezamos por el presupuesto?")).toHaveCount(0);
  await button(page, /^Revoke the link from/).click();
  await page.getByRole("dialog", { name: "Revoke this link?" }).getByRole("button", { name: "Revoke" }).click();
  await panel(page).getByText("Only you.").waitFor();
  await visitor.getByRole("button", { name: /^Abspielen/ }).click();
  await visitor.getByRole("heading", { name: "Dieser Link funktioniert nicht" }).waitFor();
  await expect(visitor.getByText("lower", { exact: true })).toHaveCount(0);
  await screenshots(visitor, "sharing-gone");
  await expect(rows(page)).toHaveCount(2);
});
