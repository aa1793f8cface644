import type { Page } from "playwright";
import { test } from "vitest";
import { enterAsSuperuser, expect, openPage, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { postText, refusing, saying, startChatServer } from "#tests/fixtures/chat-server.ts";

const body =
  "Speaking is **quicker** than typing.\n\n## Why it works\n\nPeople think in sentences.\n\n<b onclick=alert(1)>The end</b> of it.";
const post = postText("Notes by voice", body, "dictation, notes");

const write = (page: Page) => page.getByRole("button", { name: "Write post" });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test("shows a post while it is generated, and keeps it after Stop and a reload", async () => {
  const held = Promise.withResolvers<void>();
  const replies = [
    saying(post, { holdAfter: post.indexOf("sentences"), until: held.promise }),
    saying("letters | Dictated letters, typed by nobody"),
    saying(postText("Whatever the model says", body, "dictation")),
  ];
  await using chat = Object.assign(
    await startChatServer((_, count) => replies[count - 1] ?? refusing(500, "nobody expected this")),
    {
      [Symbol.asyncDispose]: () => chat.close(),
    },
  );
  await using server = await startParlance({ env: chat.env });
  await using visit = await openPage(await sharedBrowser());
  const { page } = visit;
  await enterAsSuperuser(page, server);
  await page.goto(new URL("/blog/admin/generator", server.url).href);
  await page.getByText("There are no posts yet").waitFor();
  await page.getByText("Model: small-model").waitFor();

  // The post arrives as Markdown piece by piece, and is stopped in the middle.
  await page.getByLabel("Topic", { exact: true }).fill("Why notes by voice are quicker");
  await page.getByLabel("Length").selectOption("short");
  await write(page).click();
  await heading(page, "Why it works").waitFor();
  await page.locator("strong", { hasText: "quicker" }).waitFor();
  await page.getByText(/\d+ of about 300 words/).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await heading(page, "Stopped").waitFor();
  expect(await chat.asked[0]?.left).toBe(true);
  await expect(heading(page, "Stopped")).toBeFocused();

  // A reload keeps the text and the form.
  await page.reload();
  await heading(page, "From your last visit").waitFor();
  await heading(page, "Why it works").waitFor();
  await expect(page.getByLabel("Topic", { exact: true })).toHaveValue("Why notes by voice are quicker");

  // A post about a new topic is saved as a draft.
  await page.getByRole("button", { name: "Surprise me with a new topic" }).click();
  await page.waitForURL(/\/blog\/admin\/editor\?id=/);
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const id = new URL(page.url()).searchParams.get("id");
  const draft = await fetch(`${server.apiUrl}/admin/blog/${id}`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await draft.json()).toMatchObject({
    title: "Dictated letters, typed by nobody",
    topics: ["letters", "dictation"],
    status: "draft",
    generated: true,
    content: body,
  });

  // The generator's page is empty again, also under the other path prefix.
  await page.goto(new URL("/admin/blog/generator", server.url).href);
  await page.getByText("The post appears here, word by word").waitFor();
  await page.getByRole("rowheader", { name: "letters" }).first().waitFor();
});
