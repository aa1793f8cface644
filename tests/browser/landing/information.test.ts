import { test } from "vitest";
import { digestOf } from "#server/blog/plain-text.ts";
import { createPost, type Draft } from "#server/blog/posts.ts";
import { openDb } from "#server/db/open.ts";
import { browserStorage, infoSections, storedName } from "#src/features/landing/sections.ts";
import { expect, openPage, sharedParlance, signUp } from "#tests/browser/harness.ts";

// /terms, /privacy and /about: what they say is what is so.

const shared = sharedParlance();

test("are reached from the landing page, and from each other", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/"));
  const footer = page.locator("footer");
  await footer.waitFor();
  const leads = await footer.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(leads).toEqual(["/blog", "/terms", "/privacy", "/about", "/contact"]);
  await footer.getByRole("link", { name: "Terms" }).click();
  await page.getByRole("heading", { level: 1, name: "Terms" }).waitFor();
  await page.getByText("10 spoken minutes a month cost nothing.").waitFor();
  await page.getByText("It costs €12 a month or €96 a year").waitFor();
  await page.getByRole("navigation", { name: "More about Parlance" }).getByRole("link", { name: "Privacy" }).click();
  await page.getByRole("heading", { level: 1, name: "Privacy" }).waitFor();
  const contents = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  await expect(contents).toHaveCount(infoSections.privacy.length);
  await contents.filter({ hasText: "Deleting" }).click();
  await page.waitForURL("**/privacy#deleting");
  await page.getByText("is in the trash for 30 days: you can bring it back").waitFor();
  await expect.poll(() => page.locator("#deleting").evaluate((section) => section.getBoundingClientRect().top)).toBeLessThan(200);
});

test("open beside the sign-up form, which keeps what is in it", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/signup"));
  await page.getByLabel("E-mail").fill("ada@example.org");
  for (const name of ["Terms", "Privacy"]) {
    const [tab] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name }).click()]);
    await tab.getByRole("heading", { level: 1, name }).waitFor();
    await tab.close();
  }
  await expect(page.getByLabel("E-mail")).toHaveValue("ada@example.org");
});

test("name the engines that this server has, those of others as such, and say so when it can't be asked", async () => {
  await using visit = await openPage(shared.browser, { expected: [/ERR_FAILED/] });
  const { page } = visit;
  await page.goto(shared.at("/privacy"));
  const said = page.locator("#engines").getByRole("status");
  await said.getByText("Moonshine tiny – on this server; nothing is sent elsewhere.").waitFor();
  await said.getByText("Apertium – on this server; nothing is sent elsewhere.").waitFor();
  const engine = { id: "openai", name: "whisper-1 (api.example.org)", offline: false, available: true };
  const away = { ...engine, name: "broken", available: false };
  const answer = {
    speech: { engines: [engine, away], languages: [] },
    translation: { engines: [], pairs: [] },
    limits: { maxUploadBytes: 1 },
  };
  await page.route("**/api/v1/engines", (route) => route.fulfill({ json: answer }));
  await page.goto(shared.at("/about"));
  const here = page.locator("#where").getByRole("status");
  await here.getByText("whisper-1 (api.example.org) – an outside service; what it works on is sent there.").waitFor();
  await here.getByText("Nothing is set up.").waitFor();
  await expect(here).not.toContainText("broken");
  await page.unroute("**/api/v1/engines");
  await page.route("**/api/v1/engines", (route) => route.abort());
  await page.goto(shared.at("/privacy"));
  await said.getByText("The server could not be asked just now.").waitFor();
});

/** Liking it leaves a cookie. */
const post: Draft = {
  ...{ title: "About cookies", summary: "", content: "What is kept.", topics: [], language: "en", cover: null },
  ...{ generated: false, status: "published" },
};

test("name everything that the browser keeps", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  await signUp(page, shared.server.url);
  for (const path of ["/speech-to-text", "/voice-translator", "/file-upload-config", "/settings", "/contact?lng=en"]) {
    await page.goto(shared.at(path));
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  const db = await openDb(shared.server.dataDir);
  const { slug } = await createPost({ db, now: Date.now }, post, digestOf(post.content), { authorId: null }).finally(() =>
    db.destroy(),
  );
  await page.goto(shared.at(`/blog/${slug}`));
  const liked = page.waitForResponse(/\/blog\/[^/]+\/like$/);
  await page.getByRole("button", { name: /^Like/ }).click();
  expect((await liked).status()).toBe(200);
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  const kept = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...databases.map(({ name }) => name ?? "")];
  });
  const named = browserStorage.flatMap(({ names }) => names.map((name) => storedName(name, "http:")));
  const isNamed = (key: string) => named.some((name) => (name.endsWith("…") ? key.startsWith(name.slice(0, -1)) : key === name));
  expect(cookies).toEqual(expect.arrayContaining(["parlance_refresh", "parlance_reader", "i18next"]));
  expect(kept).toEqual(expect.arrayContaining(["jwtToken", "persist:root"]));
  expect([...cookies, ...kept].filter((key) => !isNamed(key))).toEqual([]);
  await page.goto(shared.at("/privacy?lng=de"));
  await page.getByRole("rowheader").or(page.getByRole("cell")).getByText("parlance_refresh", { exact: true }).waitFor();
  await page.getByText("Hält Sie angemeldet").waitFor();
});
