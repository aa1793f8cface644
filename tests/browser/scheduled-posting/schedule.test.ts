import { test } from "vitest";
import { enterAsSuperuser, expect, openPage, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { postText, refusing, saying, startChatServer } from "#tests/fixtures/chat-server.ts";

// SPEC 7 Blog, admin (Bearer): "POST /admin/blog/trigger-scheduled"
// SPEC 7 Blog, admin (Bearer): "POST /admin/blog/skip-next-scheduled"
test("lets a superuser skip the next run, take the skip back, and publish a post now", async () => {
  const held = Promise.withResolvers<void>();
  const post = postText("Whatever the model says", "Speaking is **quicker** than typing.");
  const replies = [saying("letters | Letters that nobody typed"), saying(post, { holdAfter: 9, until: held.promise })];
  await using chat = Object.assign(await startChatServer((_, count) => replies[count - 1] ?? refusing(500, "not expected")), {
    [Symbol.asyncDispose]: () => chat.close(),
  });
  await using server = await startParlance({ env: { ...chat.env, BLOG_SCHEDULE: "0 7 * * *" } });
  await using visit = await openPage(await sharedBrowser());
  const { page } = visit;
  const panel = page.getByRole("region", { name: "Scheduled posting" });
  const button = (name: string) => panel.getByRole("button", { name, exact: true });
  await enterAsSuperuser(page, server);
  await page.goto(new URL("/blog/admin", server.url).href);

  // The run is at 7:00 UTC, shown in the user's time zone.
  await panel.getByText(/, 0[89]:00$/).waitFor();
  await button("Skip next run").click();
  await panel.getByText(/^This run will be skipped/).waitFor();
  await page.reload();
  await button("Don’t skip next run").click();
  await button("Skip next run").waitFor();
  await expect(panel.getByText(/This run will be skipped/)).toHaveCount(0);

  // A page that opens during the run shows that a post is being written.
  await button("Write and publish now").click();
  await panel.getByText("Writing a post").first().waitFor();
  await expect.poll(() => chat.asked.length).toBe(2);
  await page.reload();
  await panel.getByText("Writing a post").first().waitFor();
  await expect(button("Write and publish now")).toHaveAttribute("aria-busy", "true");
  held.resolve();
  await panel.getByText("History").click();
  await panel.getByRole("listitem").getByText("Published:").waitFor();
  // The list of posts shows it without a reload.
  await page.getByRole("table").getByRole("row").filter({ hasText: "Letters that nobody typed" }).waitFor();
  await panel.getByRole("link", { name: "Letters that nobody typed" }).click();
  await page.waitForURL(/\/blog\/letters-that-nobody-typed$/);
  await page.locator("strong", { hasText: "quicker" }).waitFor();
});
