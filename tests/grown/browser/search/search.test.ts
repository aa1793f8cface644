import { onTestFinished, test } from "vitest";
import { enter, expect, openPage, screenshots, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { saying, startChatServer } from "#tests/fixtures/chat-server.ts";

// The full-text search, from the history to the passage that plays.

const budget = [
  spokenSegment("Shall we begin with the budget?", 0, 4, { speaker: "Anna" }),
  spokenSegment("It is twelve percent lower than last year.", 4, 9, { speaker: "1" }),
  spokenSegment("Then we print the catalogue in March.", 9, 15, { speaker: "Anna" }),
];
const lecture = Array.from({ length: 60 }, (_, at) =>
  spokenSegment(
    at === 40 ? "Here the catalogue of stars begins." : `This is sentence ${at + 1} about the sky.`,
    at * 5,
    at * 5 + 4,
    {
      speaker: `${(at % 2) + 1}`,
    },
  ),
);

test("continues a history search in all transcripts, and plays a hit's passage", async () => {
  const chat = await startChatServer(() => saying("It **begins** here. [1]\nNobody at all said anything like this.\n"));
  onTestFinished(() => chat.close());
  const server = await startParlance({ env: chat.env });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visit = await openPage(await sharedBrowser());
  onTestFinished(() => visit[Symbol.asyncDispose]());
  const { page } = visit;
  await enter(page, server);
  await putTranscript(server, page, { segments: budget, audioSeconds: 15, title: "Spring meeting" });
  await putTranscript(server, page, { segments: lecture, audioSeconds: 300, title: "The sky" });
  await page.goto(new URL("/dashboard", server.url).href);
  await page.getByRole("searchbox").fill("catalogue");
  await page.getByRole("link", { name: "Search everything that was said" }).click();
  const words = page.getByRole("searchbox", { name: "Search" });
  await expect(words).toBeFocused();
  await expect(page.getByText("2 results")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Here the catalogue of stars begins." })).toContainText("Speaker 1");
  await screenshots(page, "search-found", { fullPage: true });
  expect(await violations(page)).toEqual([]);

  // Typing changes the address, so that a reload finds the same.
  await words.fill("catalogue stars");
  await expect(page.getByText("1 result")).toBeVisible();
  await expect(page).toHaveURL(/q=catalogue(\+|%20)stars/);
  await page.reload();
  await expect(page.getByText("1 result")).toBeVisible();
  await expect(words).toHaveValue("catalogue stars");

  // The typed words, answered as a question.
  const answer = page.getByRole("article");
  await page.getByRole("button", { name: "Get an answer" }).click();
  await expect(answer.getByText("It begins here.")).toBeVisible();
  await expect(answer.getByText(/^Based on \d+ passages?\..* 1 sentence without a source was left out\.$/)).toBeVisible();
  await expect(answer.getByRole("link", { name: "The sky: play from 3:20" })).toBeVisible();
  await screenshots(page, "search-answered", { fullPage: true });
  expect(await violations(page)).toEqual([]);
  await answer.getByRole("button", { name: "Close the answer" }).click();
  await expect(answer).toBeHidden();

  const hit = page.getByRole("link", { name: "The sky: play from 3:20" });
  await hit.press("Enter");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect
    .poll(async () => Number(await page.getByRole("slider", { name: "Position" }).inputValue()))
    .toBeGreaterThanOrEqual(200);
  await expect(page.getByText("Here the catalogue of stars begins.")).toBeInViewport();
  await screenshots(page, "search-played");
  await page.goBack();
  await expect(page.getByText("1 result")).toBeVisible();

  // A filter without results, and a word without results.
  await page.getByRole("main").getByText("Filter", { exact: true }).click();
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByText("No results")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove To 1 January 2020" }).click();
  await expect(page.getByText("1 result")).toBeVisible();
  await words.fill("rhubarb");
  await expect(page.getByText("No results")).toBeVisible();
  await screenshots(page, "search-nothing", { fullPage: true });
});
