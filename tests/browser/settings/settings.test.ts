import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { test } from "vitest";
import { enterAs, expect, openPage, type Person, sharedPage, sharedParlance, type Visit } from "#tests/browser/harness.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";
import type { StartedPage } from "#tests/browser/harness-shared-page.ts";
import { unzipped } from "#tests/server/zip.ts";

// The settings in the server, in the browser's storage and in other tabs. tests/components/settings covers each
// control.

const shared = sharedParlance();
const pages = sharedPage(shared);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const said = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });

/** Opens a section of a new account's settings. */
async function open(section: string, name: string): Promise<StartedPage> {
  const begun = await pages.begin(`/settings/${section}`);
  await begun.page.getByRole("heading", { name, level: 1 }).waitFor();
  return begun;
}

const goTo = (page: Page, section: string) => page.getByRole("link", { name: section, exact: true }).click();

/** Signs the same user in in another browser. */
async function enterElsewhere(person: Person, expected: RegExp[] = []): Promise<Visit> {
  const visit = await openPage(shared.browser, { expected });
  await enterAs(visit.page, shared.server, person);
  await visit.page.goto(shared.at("/dashboard"));
  await visit.page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  return visit;
}

const png = () =>
  execFileSync("ffmpeg", [
    ...["-loglevel", "error", "-f", "lavfi", "-i", "color=red:size=400x300", "-frames:v", "1"],
    ...["-f", "image2pipe", "-c:v", "png", "pipe:1"],
  ]);

test("keeps name, picture, mails and theme after a reload, and applies the theme in other tabs at once", {
  tags: "quick",
}, async () => {
  const { page } = await open("account", "Account");
  const name = page.getByLabel("Your name");
  await name.fill("Ada Lovelace");
  await name.press("Enter");
  await said(page, "Name saved.").waitFor();
  const chooser = card(page, "Picture").locator("input[type=file]").first();
  await chooser.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: png() });
  await button(page, "Use this picture").click();
  await said(page, "Picture saved.").waitFor();
  const inSidebar = page.getByRole("group", { name: "Your account" }).locator("img");
  await expect.poll(() => inSidebar.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await goTo(page, "Notifications");
  const done = page.getByLabel("When a transcript is ready");
  await done.check();
  await said(page, "Notification settings saved.").waitFor();
  const themeIs = (of: Page, theme: string) => expect(of.locator("html")).toHaveAttribute("data-theme", theme);
  const tab = await page.context().newPage();
  await tab.goto(shared.at("/"));
  await screenshots(page, "settings-notices");
  await goTo(page, "Preferences");
  await page.getByLabel("Dark").check();
  await themeIs(page, "dark");
  await themeIs(tab, "dark");

  await page.reload();
  // The theme is set without a delay.
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  await goTo(page, "Notifications");
  await expect(done).toBeChecked();
  await goTo(page, "Data and privacy");
  await card(page, "Storage").getByText("0 byte of 5.4 GB used.", { exact: true }).waitFor();
  await goTo(page, "Account");
  await expect(name).toHaveValue("Ada Lovelace");
  await page.getByAltText("Your picture").waitFor();
  await button(page, "Remove picture").click();
  await said(page, "Picture removed.").waitFor();
  await expect(inSidebar).toHaveCount(0);
  await goTo(page, "Preferences");
  await page.getByLabel("Same as device").check();
  await themeIs(tab, "");
});

test("ends one session, then all others by a new password, which signs in", async () => {
  const { page, person } = await open("security", "Security");
  await using other = await enterElsewhere(person, [/401/]);
  await using third = await enterElsewhere(person, [/401/]);
  await page.reload();
  const list = card(page, "Where you’re signed in");
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(list.getByRole("listitem").filter({ hasText: "This device" })).toHaveText(/Chrome on Linux[\s\S]*Last used: /);
  await list.getByRole("button", { name: "Sign out: Chrome on Linux" }).first().click();
  await said(page, "Signed out.").waitFor();
  const password = card(page, "Password");
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await password.getByLabel("Current password").fill(person.password);
  await password.getByLabel("New password").fill("battery staple");
  await button(page, "Change password").click();
  await said(page, "Password changed. All other devices are signed out.").waitFor();
  for (const ended of [other, third]) {
    await ended.page.reload();
    await ended.page.waitForURL(/signin/);
  }
  await enterAs(third.page, shared.server, { ...person, password: "battery staple" });
  await page.reload();
  // The list also contains ended sign-ins, so that the owner notices foreign ones.
  const recent = card(page, "Recent sign-ins").getByRole("listitem");
  await expect(recent).toHaveCount(4);
  await expect(recent.filter({ hasText: "This device" })).toHaveText(/Chrome on Linux[\s\S]*, with the password/);
});

/**
 * Stores an interrupted recording in this browser, if an owner is given.
 * @returns the number of rows
 */
const rows = (page: Page, ownerId?: string) =>
  page.evaluate(
    (owner) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("parlance-recordings", 1);
        opening.onupgradeneeded = () => {
          opening.result.createObjectStore("recordings", { keyPath: "id" });
          opening.result.createObjectStore("frames");
        };
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(["recordings", "frames"], "readwrite");
          const uuid = crypto.randomUUID();
          const kept = { id: uuid, recordingId: uuid, clientId: uuid, base: 0, sourceLanguage: "en-US", targetLanguage: null };
          const row = { ...kept, startedAt: 0, confirmed: 0, frames: 1, reached: false, fate: "open", ownerId: owner };
          if (owner !== undefined) transaction.objectStore("recordings").put(row);
          if (owner !== undefined) transaction.objectStore("frames").put(new ArrayBuffer(8), [uuid, 0]);
          const counts = [transaction.objectStore("recordings").count(), transaction.objectStore("frames").count()];
          transaction.oncomplete = () => {
            opening.result.close();
            resolve(counts.reduce((sum, { result }) => sum + result, 0));
          };
        };
      }),
    ownerId,
  );

test("downloads all data as a ZIP file, then deletes the account and its data in this browser", async () => {
  const { page, person } = await pages.begin("/feedback", [/401/]);
  await page.getByLabel("Your message").fill("a secret draft");
  await page.goto(shared.at("/settings/data"));
  const id = await page.evaluate(() => JSON.parse(localStorage.getItem("persist:root") ?? "").user.id);
  await expect.poll(() => rows(page, id)).toBe(2);
  const download = page.waitForEvent("download");
  await button(page, "Download everything").click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^parlance-\d{4}-\d\d-\d\d\.zip$/);
  const content = unzipped(await readFile(await file.path()));
  expect([...content.values()].some((each) => each.toString().includes(person.email))).toBe(true);
  await said(page, "The download has started. With many recordings it takes a while.").waitFor();

  await button(page, "Delete my account…").click();
  await page.getByRole("dialog").getByLabel("Current password").fill(person.password);
  await button(page, "Delete everything").click();
  await page.getByText("Your account and all its data were deleted.").waitFor();
  await page.waitForURL(shared.at("/"));
  await expect.poll(() => rows(page)).toBe(0);
  const left = await page.evaluate(() => Object.entries(localStorage));
  expect(left.filter((entry) => `${entry}`.includes(id) || `${entry}`.includes("secret"))).toEqual([]);
  expect(left.map(([key]) => key)).not.toContain("jwtToken");
  await page.goto(shared.at("/signin"));
  await page.locator("input[type=email]").fill(person.email);
  await page.locator("input[type=password]").fill(person.password);
  await page.locator("form button[type=submit]").click();
  await page.getByRole("alert").getByText("Wrong e-mail or password.").waitFor();
});
