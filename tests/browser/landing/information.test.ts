import { test } from "vitest";
import { digestOf } from "#server/blog/plain-text.ts";
import { createPost, type Draft } from "#server/blog/posts.ts";
import { openDb } from "#server/db/open.ts";
import { browserStorage, storedName } from "#src/features/landing/sections.ts";
import { expect, openPage, sharedParlance, signUp } from "#tests/browser/harness.ts";

// Checks that the statements on /terms, /privacy and /about are true.

const shared = sharedParlance();

/** A post to like, which sets a cookie. */
const post: Draft = {
  ...{ title: "About cookies", summary: "", content: "What is kept.", topics: [], language: "en", cover: null },
  ...{ generated: false, status: "published" },
};

test("lists all data that the browser stores on the privacy page", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  await signUp(page, shared.server.url);
  for (const path of [
    "/speech-to-text",
    "/voice-translator",
    "/file-upload-config",
    "/settings/transcription",
    "/settings/data",
    "/contact?lng=en",
  ]) {
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
    const named = databases.map(({ name }) => name ?? "");
    return [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...named, ...(await caches.keys())];
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
