import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { test } from "vitest";
import {
  enterAs,
  enterAsSuperuser,
  expect,
  openPage,
  type Person,
  sharedPage,
  sharedParlance,
  type Visit,
} from "#tests/browser/harness.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";
import type { StartedPage } from "#tests/browser/harness-shared-page.ts";
import { unzipped } from "#tests/server/zip.ts";

const shared = sharedParlance();
const pages = sharedPage(shared);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const said = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const refused = (page: Page, text: string) => page.getByRole("alert").getByText(text);

/** A new account's settings. */
async function open(expected: RegExp[] = []): Promise<StartedPage> {
  const begun = await pages.begin("/settings", expected);
  await begun.page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  return begun;
}

/** The same person in another browser. */
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

test("a name is saved, survives a reload, and what is too long is not lost", { tags: "quick" }, async () => {
  const { page } = await open();
  const name = page.getByLabel("Your name");
  await name.fill("x".repeat(101));
  await name.press("Enter");
  await page.getByText("Use at most 100 characters.").waitFor();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("x".repeat(101));
  await name.fill("Ada Lovelace");
  await name.press("Enter");
  await said(page, "Your name is saved.").waitFor();
  await page.reload();
  await expect(name).toHaveValue("Ada Lovelace");
});

test("a picture is chosen, seen before it is sent, shown in the sidebar, and removed", async () => {
  const { page } = await open();
  const chooser = card(page, "Picture").locator("input[type=file]").first();
  await chooser.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
  await refused(page, "This is not a picture that can be used.").waitFor();
  await chooser.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture either") });
  await refused(page, "This picture can’t be read.").waitFor();
  await chooser.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: png() });
  await page.getByAltText("This is how it will look.").waitFor();
  await button(page, "Not this one").click();
  await expect(button(page, "Choose a picture")).toBeFocused();
  await chooser.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: png() });
  await button(page, "Use this picture").click();
  await said(page, "Your picture is saved.").waitFor();
  const inSidebar = page.getByRole("link", { name: "Settings" }).locator("img");
  await expect.poll(() => inSidebar.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.reload();
  await page.getByAltText("Your picture").waitFor();
  await button(page, "Remove the picture").click();
  await said(page, "Your picture is deleted.").waitFor();
  await expect(inSidebar).toHaveCount(0);
});

/** A form that is behind a button. */
async function openForm(page: Page, name: string, opener = "Change…") {
  await card(page, name)
    .getByRole("button", { name: `${opener} ${name}`, exact: true })
    .click();
}

test("each section has a link, which leads there and is marked; an address with a name leads there from elsewhere, too", async () => {
  const { page } = await open();
  const nav = page.getByRole("navigation", { name: "On this page" });
  const current = nav.locator("[aria-current]");
  const focused = page.locator(":focus");
  await expect(nav.getByRole("link")).toHaveText([
    ...[
      "Your profile",
      "Look and languages",
      "When something is done",
      "Podcasts you follow",
      "Words to expect",
      "Recognised voices",
    ],
    ...["Signing in", "Access tokens", "Webhooks", "Plan and vault", "Your data"],
  ]);
  await expect(current).toHaveText("Your profile");
  for (const name of ["Signing in", "Look and languages", "Your data", "Plan and vault"]) {
    await nav.getByRole("link", { name }).click();
    await expect(focused).toHaveText(name);
    await expect(focused).toBeInViewport();
    await expect(current).toHaveText(name);
    await expect(nav).toBeInViewport();
  }
  await page.mouse.wheel(0, -10_000);
  await expect(current).toHaveText("Your profile");
  // A heading of a card, from another page, typed, and on a telephone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(shared.at("/feedback"));
  await page.goto(shared.at("/settings#password"));
  await expect(focused).toHaveText("Password");
  await expect(focused).toBeInViewport();
  await expect(current).toHaveText("Signing in");
  await expect(current).toBeInViewport();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test("the forms for address and password open by a button, have the focus, and give it back when they are given up", async () => {
  const { page, person } = await open([/403/]);
  const email = card(page, "E-mail");
  const opener = email.getByRole("button", { name: "Change… E-mail", exact: true });
  await expect(email.locator("form")).toHaveCount(0);
  await expect(card(page, "Password").locator("form")).toHaveCount(0);
  await opener.press("Enter");
  const address = email.getByLabel("New e-mail address");
  await expect(address).toBeFocused();
  await address.fill("new@example.org");
  await email.getByLabel("Your present password").fill("wrong");
  await email.getByLabel("Your present password").press("Enter");
  await refused(page, "The password is wrong.").waitFor();
  // What was typed in is there as long as it was not given up.
  await expect(address).toHaveValue("new@example.org");
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
  await expect(refused(page, "The password is wrong.")).toHaveCount(0);
  await opener.press("Enter");
  await expect(address).toHaveValue("");
  await button(page, "Cancel").click();
  await expect(opener).toBeFocused();
  // What a password manager goes by.
  await openForm(page, "Password");
  await expect(page.getByLabel("Your present password")).toBeFocused();
  const fields = card(page, "Password").locator("input");
  const wanted = ["username", "current-password", "new-password"];
  await expect(fields).toHaveCount(wanted.length);
  for (const [index, use] of wanted.entries()) await expect(fields.nth(index)).toHaveAttribute("autocomplete", use);
  await expect(fields.first()).toHaveValue(person.email);
});

test("an address is changed by mail, and that none is sent is said; a wrong password is, too", async () => {
  const { page, person } = await open([/403/]);
  const email = card(page, "E-mail");
  await email.getByText(person.email).waitFor();
  await button(page, "Send the mail again").click();
  // This server has no mail server. (Where mails are sent: account/mails.test.ts.)
  const none =
    "This server sends no mails. If there is a link for you, whoever runs it finds it with “npm run mails” and can give it to you.";
  await said(page, none).waitFor();
  await openForm(page, "E-mail");
  // What became of the mail that was asked for before is no longer said beside the form.
  await expect(email.getByText(none)).toHaveCount(0);
  await email.getByLabel("New e-mail address").fill("new@example.org");
  await email.getByLabel("Your present password").fill("wrong");
  await button(page, "Change the address").click();
  await refused(page, "The password is wrong.").waitFor();
  await expect(email.getByLabel("New e-mail address")).toHaveValue("new@example.org");
  await email.getByLabel("Your present password").fill(person.password);
  await button(page, "Change the address").click();
  await email.getByText(none).waitFor();
  await email.getByText(person.email).waitFor();
  await expect(email.locator("form")).toHaveCount(0);
  await expect(email.getByRole("button", { name: /^Change…/ })).toBeFocused();
  // Asked for again, it is said anew, once.
  await button(page, "Send the mail again").click();
  await expect(email.getByText(none)).toHaveCount(1);
});

test("a password is changed: another session ends, this one goes on", async () => {
  const { page, person } = await open();
  await using other = await enterElsewhere(person, [/401/]);
  await openForm(page, "Password");
  await card(page, "Password").getByLabel("Your present password").fill(person.password);
  await card(page, "Password").getByLabel("New password").fill("battery staple");
  await button(page, "Change the password").click();
  await said(page, "The password is changed. All other sign-ins have ended.").waitFor();
  await expect(page.getByLabel("New password")).toHaveCount(0);
  await other.page.reload();
  await other.page.waitForURL(/signin/);
  await page.reload();
  await card(page, "Where you are signed in").getByText("This one", { exact: true }).waitFor();
  await using again = await enterElsewhere({ ...person, password: "battery staple" });
  expect(again.page.url()).toContain("/dashboard");
});

test("who signs in through another account alone is asked for no password", async () => {
  const { page } = await open();
  await page.route(`${shared.server.apiUrl}/users/me`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), hasPassword: false } });
  });
  await page.reload();
  await card(page, "Password").getByText("You sign in through another account so far.").waitFor();
  await button(page, "Delete my account…").click();
  await button(page, "Delete everything").waitFor();
  await expect(page.getByLabel("Your present password")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await openForm(page, "Password", "Choose…");
  await page.getByLabel("New password").fill("short");
  await button(page, "Choose the password").click();
  await page.getByText("Use at least 8 characters.").waitFor();
});

test("active sessions are listed with their devices; one is ended, then all others", async () => {
  const { page, person } = await open();
  await using other = await enterElsewhere(person, [/401/]);
  await using third = await enterElsewhere(person, [/401/]);
  await page.reload();
  const list = card(page, "Where you are signed in");
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(list.getByRole("listitem").filter({ hasText: "This one" })).toHaveText(/Chrome on Linux[\s\S]*Last used: /);
  await list.getByRole("button", { name: "Sign out: Chrome on Linux" }).first().click();
  await said(page, "This sign-in has ended.").waitFor();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  // What had the focus is gone: it is where it is said.
  await expect(page.locator(":focus")).toHaveText("This sign-in has ended.");
  await button(page, "Sign out all others").click();
  await said(page, "All other sign-ins have ended.").waitFor();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  for (const ended of [other, third]) {
    await ended.page.reload();
    await ended.page.waitForURL(/signin/);
  }
  // They are remembered: whoever was not it sees them also when they have ended.
  const recent = card(page, "Recent sign-ins").getByRole("listitem");
  await expect(recent).toHaveCount(3);
  await expect(recent.filter({ hasText: "This one" })).toHaveText(/Chrome on Linux[\s\S]*, with the password/);
});

test("what is stored is said, of how much, with the ways to what can be deleted; not where the server does not say it", async () => {
  const { page } = await open([/404 \(Not Found\).*\/api\/v1\/storage/]);
  const stored = card(page, "Storage");
  const text = "0 byte of 5.4 GB used.";
  await stored.getByText(text, { exact: true }).waitFor();
  const meter = stored.getByRole("meter", { name: text });
  await expect(meter).toHaveJSProperty("value", 0);
  await expect(meter).toHaveJSProperty("max", 1);
  const ways = ["/dashboard", "/encrypted-audio", "/trash"];
  await expect(stored.getByRole("link")).toHaveCount(ways.length);
  for (const [index, way] of ways.entries()) await expect(stored.getByRole("link").nth(index)).toHaveAttribute("href", way);
  const json = { usedBytes: 5_400_000_000, quotaBytes: 5_368_709_120 };
  await page.route("**/api/v1/storage", (route) => route.fulfill({ json }));
  await page.reload();
  await stored.getByText("5.4 GB of 5.4 GB used.", { exact: true }).waitFor();
  await stored.getByText("There is no room left for anything new.").waitFor();
  await screenshots(page, "settings-stored", { fullPage: true });
  json.usedBytes = 1_234_567;
  await page.route("**/api/v1/storage", (route) => route.fulfill({ json: { ...json, quotaBytes: null } }));
  await page.reload();
  await stored.getByText("1.2 MB stored on this server.", { exact: true }).waitFor();
  await expect(stored.getByRole("meter")).toHaveCount(0);
  await page.route("**/api/v1/storage", (route) => route.fulfill({ status: 404, json: { message: "Not found" } }));
  const answered = page.waitForResponse("**/api/v1/storage");
  await page.reload();
  await answered;
  await card(page, "Download all my data").waitFor();
  // What another answer brings stands there, and nothing of this one.
  await card(page, "Where you are signed in").getByText("This one").waitFor();
  expect([await stored.count(), await page.getByRole("alert").count()]).toEqual([0, 0]);
});

test("the theme holds from the first paint of the next visit on, and in other tabs at once", async () => {
  const { page } = await open();
  const themeIs = (of: Page, theme: string) => expect(of.locator("html")).toHaveAttribute("data-theme", theme);
  const tab = await page.context().newPage();
  await tab.goto(shared.at("/"));
  await page.getByLabel("Dark").check();
  await themeIs(page, "dark");
  await themeIs(tab, "dark");
  await page.reload();
  // It is so at once.
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  await page.getByLabel("As on this device").check();
  await themeIs(tab, "");
});

test("the language changes the page, and that of mails; the first languages are those of the next dictation", async () => {
  const { page } = await open();
  const changed = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByLabel("Language of the pages").selectOption("de");
  expect((await changed).postDataJSON()).toEqual({ language: "de" });
  await said(page, "Die Sprache ist gespeichert. Ab jetzt kommen auch E-Mails in dieser Sprache.").waitFor();
  await page.getByRole("heading", { name: "Einstellungen", level: 1 }).waitFor();
  const defaults = card(page, "Sprechen und Übersetzen");
  await defaults.locator("select").last().selectOption("es");
  await page.goto(shared.at("/speech-to-text"));
  await expect(page.locator("select[name=targetLanguage]").first()).toHaveValue("es");
});

test("mails about what is done are off until somebody wants them, and stay chosen", async () => {
  const { page } = await open();
  const done = page.getByLabel("A transcript is ready");
  await expect(done).not.toBeChecked();
  await done.press("Space");
  await said(page, "What you are told about is saved.").waitFor();
  await screenshots(page, "settings-notices");
  await page.reload();
  await expect(done).toBeChecked();
  await expect(page.getByLabel("Something could not be transcribed")).not.toBeChecked();
});

test("everything is downloaded as a zip file", async () => {
  const { page, person } = await open();
  const download = page.waitForEvent("download");
  await button(page, "Download everything").click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^parlance-\d{4}-\d\d-\d\d\.zip$/);
  const content = unzipped(await readFile(await file.path()));
  expect([...content.values()].some((each) => each.toString().includes(person.email))).toBe(true);
  await said(page, "The download has begun. With many recordings it takes a while.").waitFor();
  expect(page.url()).toContain("/settings");
});

/** A recording that was cut off, as it is kept in this browser. @returns how many rows there are now */
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

test("an account is deleted: who it was is signed out, and nothing of theirs is left in this browser", async () => {
  const { page, person } = await open([/401/, /403/]);
  await page.goto(shared.at("/feedback"));
  await page.getByLabel("Your message").fill("a secret draft");
  await page.goto(shared.at("/settings"));
  const id = await page.evaluate(() => JSON.parse(localStorage.getItem("persist:root") ?? "").user.id);
  await expect.poll(() => rows(page, id)).toBe(2);
  await button(page, "Delete my account…").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("your vault with all encrypted audio").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expect(button(page, "Delete my account…")).toBeFocused();
  await button(page, "Delete my account…").click();
  await dialog.getByLabel("Your present password").fill("wrong");
  await button(page, "Delete everything").click();
  await dialog.getByRole("alert").getByText("The password is wrong.").waitFor();
  await dialog.getByLabel("Your present password").fill(person.password);
  await button(page, "Delete everything").click();
  await page.getByText("Your account and all its data are deleted.").waitFor();
  await page.waitForURL(shared.at("/"));
  expect(await page.getByText("Your session has expired").count()).toBe(0);
  await expect.poll(() => rows(page)).toBe(0);
  const left = await page.evaluate(() => Object.entries(localStorage));
  expect(left.filter((entry) => `${entry}`.includes(id) || `${entry}`.includes("secret"))).toEqual([]);
  expect(left.map(([key]) => key)).not.toContain("jwtToken");
  await page.goto(shared.at("/signin"));
  await page.locator("input[type=email]").fill(person.email);
  await page.locator("input[type=password]").fill(person.password);
  await page.locator("form button[type=submit]").click();
  await refused(page, "E-mail or password is wrong.").waitFor();
});

test("the only administrator can't delete the account, and reads what to do first", async () => {
  const { page } = await pages.empty([/409/]);
  const { password } = await enterAsSuperuser(page, shared.server);
  await page.goto(shared.at("/settings"));
  await button(page, "Delete my account…").click();
  await page.getByRole("dialog").getByLabel("Your present password").fill(password);
  await button(page, "Delete everything").click();
  await refused(page, "You are the only administrator. Make somebody else one in the Admin Panel first").waitFor();
  await button(page, "Keep the account").click();
  await page.reload();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
});
