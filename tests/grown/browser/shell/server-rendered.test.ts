import { type Page, request } from "playwright";
import { afterAll, beforeAll, describe, test } from "vitest";
import { digestOf } from "#server/blog/plain-text.ts";
import { createPost } from "#server/blog/posts.ts";
import { type Db, openDb } from "#server/db/open.ts";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { ownConnection } from "#tests/browser/harness-account.ts";
import { servePage } from "#tests/browser/harness-page.ts";

// Public pages arrive as HTML in the visitor's language and are hydrated unchanged.

const shared = sharedParlance();
const { at } = shared;
const german = { locale: "de-AT" };
const content = "Eine Tasse Tee.\n\n## Wie man sie macht\n\n- [x] Wasser\n\n<script>window.ran = true;</script>";
const post = "/blog/ueber-tee";

/** The German text of each page's first heading. */
const pages = [
  ["/", "Jedes Wort bleibt."],
  ["/about", "Über Parlance"],
  ["/terms", "Nutzungsbedingungen"],
  ["/privacy", "Datenschutz"],
  ["/signin", "Willkommen zurück"],
  ["/signup?plan=premium&interval=year", "Konto anlegen"],
  ["/blog?topics=Tee", "Blog"],
  [post, "Über Tee"],
] as const;

let db: Db | undefined;
beforeAll(async () => {
  db = await openDb(shared.server.dataDir);
  const draft = { summary: "", content, topics: ["Tee"], language: "de", cover: null, generated: false };
  const now = () => Date.parse("2026-09-01T23:30:00Z");
  await createPost({ db, now }, { ...draft, title: "Über Tee", status: "published" }, digestOf(content), { authorId: null });
  for (const language of ["de-AT", "en-GB"]) await renderAll(language);
});
afterAll(() => db?.destroy());

/**
 * Makes the server render and cache each of these pages, however slow it is. @param language as a browser asks for it
 */
async function renderAll(language: string): Promise<void> {
  const headers = { ...ownConnection, Accept: "text/html", "Accept-Language": language };
  const client = await request.newContext({ extraHTTPHeaders: headers });
  for (const path of [...pages.map(([each]) => each), "/blog"]) {
    await expect.poll(async () => (await client.get(at(path))).text(), { message: path }).toContain("data-page=");
  }
  await client.dispose();
}

/** Holds back the page's script until the returned function is called. */
async function holdScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/index-*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Records on the window whether the page is hydrated (`hydrated`), and its layout shift (`moved`). */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { hydrated: false, moved: 0 });
    addEventListener("parlance-hydrated", () => Object.assign(window, { hydrated: true }), true);
    new PerformanceObserver((list) => {
      const shifts = list.getEntries().map((entry) => ("value" in entry ? Number(entry.value) : 0));
      Object.assign(window, { moved: shifts.reduce((sum, shift) => sum + shift, Number(Reflect.get(window, "moved"))) });
    }).observe({ type: "layout-shift", buffered: true });
  });
}

describe("visitor's page from the server", () => {
  test("the visitor's page from the server is readable without scripts in the visitor's language, and explains what its forms need", async () => {
    await using visit = await openPage(shared.browser, { context: { ...german, javaScriptEnabled: false } });
    const { page } = visit;
    for (const [path, heading] of pages) {
      await page.goto(at(path));
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await expect(page.locator("html")).toHaveAttribute("lang", "de");
    }
    await page.getByText("Eine Tasse Tee.", { exact: true }).waitFor();
    await expect(page.getByRole("button", { name: "Gefällt mir", exact: false })).toHaveCount(0);
    await page.goto(at("/blog"));
    await page.getByRole("link", { name: "Über Tee" }).first().click();
    await page.getByRole("heading", { level: 2, name: "Wie man sie macht" }).waitFor();
    await page.goto(at("/?lng=fr"));
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await expect(page.getByRole("combobox")).toHaveCount(0);

    await page.goto(at("/signin"));
    // Chromium does not draw <noscript> when the developer tools switch scripts off instead of the settings.
    const html = async (path: string) =>
      (
        await page.request.get(at(path), { headers: { ...ownConnection, Accept: "text/html", "Accept-Language": german.locale } })
      ).text();
    expect(await html("/signin")).toContain("<noscript><p>Dieses Formular braucht JavaScript");
    expect(await html("/dashboard")).toContain("<noscript>Parlance braucht JavaScript.");
    await page.getByLabel("Passwort", { exact: true }).fill("secret words");
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByLabel("Passwort", { exact: true }).press("Enter");
    expect(page.url()).toBe(at("/signin"));
  });

  test("hydrates without replacing elements, moving content or errors", async () => {
    await using visit = await openPage(shared.browser, { context: german });
    const { page } = visit;
    await watch(page);
    for (const [path, heading] of pages) {
      const release = await holdScript(page);
      await page.goto(at(path), { waitUntil: "commit" });
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await page.waitForFunction(() => document.readyState !== "loading");
      await page.evaluate(() => document.querySelector("h1")?.setAttribute("data-first", ""));
      release();
      await page.waitForFunction(() => Reflect.get(window, "hydrated"));
      await expect(page.locator("h1[data-first]")).toHaveText(heading);
      expect([path, await page.evaluate(() => Reflect.get(window, "moved"))]).toEqual([path, 0]);
      await page.unrouteAll({ behavior: "wait" });
    }
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
  });

  test("keeps presses and typed text from before its script", async () => {
    await using visit = await openPage(shared.browser, { expected: [/status of 401/] });
    const { page } = visit;
    let release = await holdScript(page);
    await page.goto(at("/"), { waitUntil: "commit" });
    await page.getByRole("radio", { name: "Monthly" }).click();
    await page.getByRole("combobox", { name: "Language" }).first().selectOption("de");
    release();
    await page.getByText(/^12\s€\sim Monat/).waitFor();
    await page.unrouteAll({ behavior: "wait" });

    const person = await enter(page, shared.server);
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    release = await holdScript(page);
    await page.goto(at("/signin?lng=en"), { waitUntil: "commit" });
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("another");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    release();
    await page.getByRole("alert").waitFor();
    await page.unrouteAll({ behavior: "wait" });

    release = await holdScript(page);
    await page.goto(at("/signin"), { waitUntil: "commit" });
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    expect(page.url()).toBe(at("/signin"));
    release();
    await page.waitForURL("**/dashboard");
  });

  test("shows signed-in people their entries, and no sign-in link, before any script", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    let release = await holdScript(page);
    await page.goto(at("/"), { waitUntil: "commit" });
    const bar = page.getByRole("navigation", { name: "Main" });
    await bar.getByRole("link", { name: "Dashboard" }).waitFor();
    await expect(bar.getByRole("link", { name: "Sign in" })).not.toBeVisible();
    release();
    await page.locator('main a[href="/speech-to-text"]').first().waitFor();
    await page.unrouteAll({ behavior: "wait" });
    release = await holdScript(page);
    await page.goto(at("/signin"), { waitUntil: "commit" });
    await page.waitForFunction(() => document.readyState !== "loading");
    await expect(page.getByLabel("Password", { exact: true })).not.toBeVisible();
    release();
    await page.waitForURL("**/dashboard");
  });

  test("the server's page contains no session data, and tells caches what it depends on", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    const person = await enter(page, shared.server);
    const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`);
    expect(cookies.length).toBeGreaterThan(0);
    const client = await request.newContext({
      extraHTTPHeaders: { ...ownConnection, Accept: "text/html", "Accept-Language": "en-GB" },
    });
    for (const path of [...pages.map(([each]) => each), "/blog", "/dashboard"]) {
      const anybody = await client.get(at(path));
      const html = await anybody.text();
      const known = await client.get(at(path), { headers: { Cookie: cookies.join("; "), Authorization: `Bearer ${token}` } });
      expect([path, (await known.text()) === html, html.includes(person.email)]).toEqual([path, true, false]);
      for (const { headers } of [anybody, known].map((answer) => ({ headers: answer.headers() }))) {
        expect(headers).toMatchObject({ "cache-control": "no-cache", vary: "Host, Accept-Encoding, Accept-Language, Cookie" });
        expect(headers).not.toHaveProperty("set-cookie");
      }
      // A chosen language is sent as a cookie: caches keep the languages apart.
      const french = await client.get(at(path), { headers: { Cookie: "i18next=fr" } });
      expect([path, await french.text()]).toEqual([path, expect.stringContaining('<html lang="fr"')]);
    }
    await client.dispose();
  });

  test("moves the focus to the next page after hydration", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await page.goto(at("/"));
    await expect(page.locator("body")).toBeFocused();
    await page.getByRole("link", { name: "Terms", exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Terms" })).toBeFocused();
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Every word, kept." })).toBeFocused();

    const person = await enter(page, shared.server);
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    await page.goto(at("/signin"));
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/dashboard");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });

  test("the page also comes from a static host without languages and other pages", async () => {
    await using host = await servePage(shared.server.apiUrl);
    await using visit = await openPage(shared.browser, { expected: [/CORS|Failed to load resource/] });
    const { page } = visit;
    let release = await holdScript(page);
    await page.goto(host.url, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: "Every word, kept." }).waitFor();
    release();
    await page.unrouteAll({ behavior: "wait" });
    for (const [path, heading] of [
      ["/?lng=de", "Jedes Wort bleibt."],
      ["/terms", "Nutzungsbedingungen"],
    ] as const) {
      release = await holdScript(page);
      await page.goto(host.url + path, { waitUntil: "commit" });
      await page.waitForFunction(() => document.readyState !== "loading");
      await expect(page.getByRole("heading", { level: 1 })).not.toBeVisible();
      release();
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.unrouteAll({ behavior: "wait" });
    }
  });
});
