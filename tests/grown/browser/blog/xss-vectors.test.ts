import type { Page } from "playwright";
import { test } from "vitest";
import { digestOf } from "#server/blog/plain-text.ts";
import { createPost, type Draft } from "#server/blog/posts.ts";
import { openDb } from "#server/db/open.ts";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript } from "#tests/browser/harness-transcript.ts";
import { xss } from "#tests/fixtures/vectors.ts";

// Every attack on each page that shows texts of users; the server's part: tests/server/page/xss-vectors.test.ts.

const shared = sharedParlance();
/** Requests for pictures and pages that do not exist on this server are harmless. */
const harmless = { expected: [/Failed to load resource/] };
const vectors = xss.map((vector) => vector.replaceAll("\u0000", "")).filter((vector) => vector.trim() !== "");

/** A violation of the content security policy is logged on the console, which fails the test (harness-each.ts). */
async function expectUnharmed(page: Page): Promise<void> {
  // Event handlers run only when their element is touched.
  await page.evaluate(async () => {
    // Not the head's links: the page takes an error of a style sheet that still loads for a new version.
    for (const element of document.querySelectorAll("*:not(head > link)")) {
      for (const type of ["mouseover", "focus", "error", "load", "toggle", "animationstart"])
        element.dispatchEvent(new Event(type));
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  expect(await page.evaluate(() => "__hit" in window)).toBe(false);
  const dangerous =
    "main script, main iframe, main object, main embed, main base, main form[action^='javascript'], main [srcdoc], main a[href^='javascript' i], main a[href^='data' i], main a[href^='vbscript' i]";
  expect(await page.locator(dangerous).count()).toBe(0);
  const handlers = await page.evaluate(() =>
    [...document.querySelectorAll("main *")].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith("on")),
    ),
  );
  expect(handlers).toEqual([]);
}

test("runs no script of a post in a reader's browser, even without the security policy", async () => {
  const db = await openDb(shared.server.dataDir);
  const slugs: string[] = [];
  try {
    // In separate posts, so that no attack hides behind an unclosed one before it.
    const rest = { language: "en", cover: null, generated: false, status: "published" } as const;
    const texts = Array.from({ length: 3 }, (_, part) => vectors.filter((__, i) => i % 3 === part));
    for (const [i, some] of texts.entries()) {
      const draft: Draft = {
        ...rest,
        topics: ["Tea"],
        title: `${i} ${some[i] ?? ""}`.slice(0, 180),
        summary: (some[i + 1] ?? "").slice(0, 300),
        content: some.join("\n\n---\n\n"),
      };
      const post = await createPost({ db, now: Date.now }, draft, digestOf(draft.content), { authorId: null });
      slugs.push(post.slug);
    }
  } finally {
    await db.destroy();
  }
  await using visit = await openPage(shared.browser, harmless);
  const { page } = visit;
  await page.goto(shared.at("/blog"));
  await expect(page.getByTestId("posts")).toHaveAttribute("data-state", "there");
  await expectUnharmed(page);
  for (const slug of slugs) {
    await page.goto(shared.at(`/blog/${slug}`));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("article").first().waitFor();
    await expectUnharmed(page);
  }
});

test("runs no script of a transcript, its title or its speakers", async () => {
  await using visit = await openPage(shared.browser, harmless);
  const { page } = visit;
  await enter(page, shared.server);
  const segments = vectors.map((text, i) => ({
    start: i,
    end: i + 1,
    text,
    words: [],
    speaker: text.slice(0, 80).trim(),
    translation: text,
  }));
  const path = await putTranscript(shared.server, page, { title: vectors[0] ?? "", segments, targetLanguage: "es" });
  await page.goto(shared.at(path));
  await page.getByText("window.__hit").first().waitFor();
  await expectUnharmed(page);
  await page.goto(shared.at("/dashboard"));
  await page.getByText("window.__hit").first().waitFor();
  await expectUnharmed(page);
});

test("runs no script of strangers' messages or of an address in the operator's browser", async () => {
  await using visit = await openPage(shared.browser, harmless);
  const { page } = visit;
  await enterAsSuperuser(page, shared.server);
  for (const text of vectors.filter((_, i) => i % 12 === 0)) {
    const message = { clientId: crypto.randomUUID(), name: text.slice(0, 80), email: "a@example.org", text, language: "en" };
    const answer = await fetch(`${shared.server.apiUrl}/contact`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
    expect(answer.status).toBe(201);
  }
  await page.goto(shared.at("/admin?section=inbox"));
  await page.getByText("a@example.org").first().waitFor();
  await expectUnharmed(page);
  for (const vector of vectors.filter((_, i) => i % 80 === 0)) {
    await page.goto(
      shared.at(`/blog?search=${encodeURIComponent(vector)}&topics=${encodeURIComponent(vector)}#${encodeURIComponent(vector)}`),
    );
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await expectUnharmed(page);
  }
});
