import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { enterAsSuperuser, expect, openPage, type Parlance, sharedParlance, startParlance } from "#tests/browser/harness.ts";
import { postText, refusing, saying, startChatServer } from "#tests/fixtures/chat-server.ts";

/** Without a schedule and a language model. */
const shared = sharedParlance();

/** @returns the token */
async function signInAsSuperuser(page: Page, server: Parlance): Promise<string> {
  await enterAsSuperuser(page, server);
  return (await page.evaluate(() => localStorage.getItem("jwtToken"))) ?? "";
}

const panelOf = (page: Page) => page.getByRole("region", { name: "Scheduled posting" });

test("a superuser skips the next run, wants it after all, and has a post written now; failures are shown", async () => {
  const held = Promise.withResolvers<void>();
  const post = postText("Whatever the model says", "Speaking is **quicker** than typing.");
  const replies = [saying("letters | Letters that nobody typed"), saying(post, { holdAfter: 9, until: held.promise })];
  await using chat = Object.assign(await startChatServer((_, count) => replies[count - 1] ?? refusing(500, "not expected")), {
    [Symbol.asyncDispose]: () => chat.close(),
  });
  await using server = await startParlance({ env: { ...chat.env, BLOG_SCHEDULE: "0 7 * * *" } });
  await using visit = await openPage(shared.browser, { expected: [/404/, /ERR_FAILED/] });
  const { page } = visit;
  const panel = panelOf(page);
  const button = (name: string) => panel.getByRole("button", { name, exact: true });
  await signInAsSuperuser(page, server);
  const failing = async (call: string, how: "404" | "no answer") => {
    const stop = `${server.apiUrl}/admin/blog/${call}`;
    await page.route(stop, (route) => (how === "404" ? route.fulfill({ status: 404 }) : route.abort()));
    return () => page.unroute(stop);
  };

  // A server that does not know it, and one that does not answer.
  let mend = await failing("scheduled-status", "404");
  await page.goto(new URL("/blog/admin", server.url).href);
  await panel.getByText("Scheduled posting feature not yet implemented", { exact: true }).waitFor();
  await mend();
  mend = await failing("scheduled-status", "no answer");
  await button("Try again").click();
  await panel.getByText("Network error - could not fetch status", { exact: true }).waitFor();
  await mend();
  await button("Try again").click();

  // At 7:00 UTC, which is shown in the person's own time.
  await panel.getByText(/, 0[89]:00$/).waitFor();
  for (const [name, call, text] of [
    ["Write and publish now", "trigger-scheduled", "Network error - could not trigger scheduled post"],
    ["Skip the next run", "skip-next-scheduled", "Network error - could not skip scheduled post"],
  ] as const) {
    mend = await failing(call, "no answer");
    await button(name).click();
    await panel.getByText(text, { exact: true }).waitFor();
    await mend();
  }

  await button("Skip the next run").click();
  await panel.getByText(/^It is going to be skipped\. The next one is on /).waitFor();
  await page.reload();
  await button("Don’t skip the next run").click();
  await button("Skip the next run").waitFor();
  await expect(panel.getByText(/going to be skipped/)).toHaveCount(0);

  // A post takes its time: whoever comes later sees that it is being written.
  await button("Write and publish now").click();
  await panel.getByText("A post is being written").first().waitFor();
  await expect.poll(() => chat.asked.length).toBe(2);
  await page.reload();
  await panel.getByText("A post is being written").first().waitFor();
  await expect(button("Write and publish now")).toHaveAttribute("aria-busy", "true");
  held.resolve();
  await panel.getByText("What has happened").click();
  await panel.getByRole("listitem").getByText("Published:").waitFor();
  // It is among the posts without a reload.
  await page.getByRole("table").getByRole("row").filter({ hasText: "Letters that nobody typed" }).waitFor();
  await panel.getByRole("link", { name: "Letters that nobody typed" }).click();
  await page.waitForURL(/\/blog\/letters-that-nobody-typed$/);
  await page.locator("strong", { hasText: "quicker" }).waitFor();
});

test("without a schedule the page says how to switch it on; messages are marked as done, and a failed job is set going again", async () => {
  const { server } = shared;
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const token = await signInAsSuperuser(page, server);
  await page.goto(shared.at("/admin/blog"));
  await panelOf(page)
    .getByText(/BLOG_SCHEDULE=0 7 \* \* 1-5/)
    .waitFor();
  await panelOf(page)
    .getByText(/LLM_API_URL/)
    .waitFor();
  await panelOf(page).getByRole("button", { name: "Write and publish now" }).click();
  await panelOf(page).getByText("no language model is set up.").first().waitFor();

  // What people wrote: done, taken back, deleted.
  const say = (path: string, json: unknown) =>
    fetch(`${server.apiUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(json),
    });
  for (const name of ["Ada", "Grace"]) {
    const text = `<b>Hello</b> from ${name}`;
    await say("/contact", { clientId: randomUUID(), name, email: `${name}@example.org`, text });
  }
  await say("/waitlist", { email: "+first@example.org" });
  await page.goto(shared.at("/admin?section=inbox"));
  const message = (name: string) => page.getByRole("article", { name });
  await message("Grace").getByText("<b>Hello</b> from Grace").waitFor();
  await expect(message("Grace").getByRole("link", { name: "Reply by e-mail" })).toHaveAttribute("href", /^mailto:grace@/i);
  await message("Grace").getByRole("button", { name: "Mark as done" }).click();
  await page.getByText("Messages: 1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await message("Grace").waitFor();
  await message("Ada").getByRole("button", { name: "Delete the message of Ada" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Messages: 1", { exact: true }).waitFor();
  await message("Grace").getByRole("button", { name: "Mark as done" }).click();
  await page.getByText("Nothing is open.").waitFor();
  await page.getByLabel("Which").selectOption("done");
  await page.waitForURL(/state=done/);
  await message("Grace")
    .getByText(/^Done /)
    .waitFor();

  // Who waits, as a file without formulas.
  await page.getByLabel("Show").selectOption("waitlist");
  await page.getByRole("rowheader", { name: "+first@example.org" }).waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all as CSV" }).click();
  expect(await readFile(await (await downloading).path(), "utf8")).toContain("\r\n'+first@example.org,en,");

  // A job that failed: the list keeps itself up to date.
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByText("There are no such jobs.").waitFor();
  const form = new FormData();
  for (const [key, value] of Object.entries({ clientId: randomUUID(), sourceLanguage: "en" })) form.set(key, value);
  form.set("file", new Blob(["this is no sound"]), "secret.wav");
  const headers = { Authorization: `Bearer ${token}` };
  const url = `${server.apiUrl}/api/v1/audio-transcriptions/upload-and-transcribe`;
  expect((await fetch(url, { method: "POST", headers, body: form })).status).toBe(202);
  const job = page.getByRole("row").filter({ hasText: "superuser@parlance.local" });
  await job.getByText("Failed", { exact: true }).waitFor();
  await job.getByText("audio").first().waitFor();
  await expect(page.getByText("secret")).toHaveCount(0);
  await job.getByRole("button", { name: "Try again: superuser@parlance.local" }).click();
  await page.getByText("The job is set going again.").waitFor();
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("row").filter({ hasText: "Set a failed job going again" }).waitFor();
});
