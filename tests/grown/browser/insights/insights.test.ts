import { onTestFinished, test } from "vitest";
import { enter, expect, openPage, screenshots, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { type ChatAsked, type Reply, saying, startChatServer } from "#tests/fixtures/chat-server.ts";

// Summaries of a transcript, with a real server that speaks OpenAI’s API. The rest of the page:
// tests/components/insights.

const segments = [
  spokenSegment("Shall we begin with the budget?", 0, 4, { speaker: "Anna" }),
  spokenSegment("It is twelve percent lower than last year.", 4, 9, { speaker: "1" }),
  spokenSegment("Then we print the catalogue in March.", 9, 15, { speaker: "Anna" }),
  spokenSegment("I send the contract to the printer by Friday.", 15, 20, { speaker: "1" }),
];

/** A user who reads a transcript on a server whose model answers with `replyTo`. */
async function reading(replyTo: (asked: ChatAsked, count: number) => Reply) {
  const chat = await startChatServer(replyTo);
  onTestFinished(() => chat.close());
  const server = await startParlance({ env: chat.env });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visit = await openPage(await sharedBrowser());
  onTestFinished(() => visit[Symbol.asyncDispose]());
  const { page } = visit;
  await enter(page, server);
  const path = await putTranscript(server, page, { segments, audioSeconds: 20, title: "The budget" });
  await page.goto(new URL(path, server.url).href);
  const actions = page.getByLabel("Actions", { exact: true });
  const open = async () => {
    await actions.click();
    await page.getByRole("button", { name: "Summary and questions" }).click();
  };
  await open();
  const panel = page.getByRole("region", { name: "Summary and questions" });
  await panel.getByRole("button", { name: "Write a summary" }).waitFor();
  return { chat, page, panel, actions, open };
}

test("streams a summary, stops and rewrites it, plays its sources, and keeps it over a reload", async () => {
  const held = Promise.withResolvers<void>();
  const text =
    "# Money\nThe budget is **lower**. [2]\n# Print\nThey print <b>in March</b> and send [the contract](https://evil.example). [3-4]\n";
  const { chat, page, panel, actions, open } = await reading((_, count) => {
    if (count === 3) return saying("Another summary begins. [1]\nAnd goes on. [2]\n", { holdAfter: 35, until: held.promise });
    return saying(text, count === 1 ? { holdAfter: 45, until: held.promise } : {});
  });
  await expect(panel.getByText(/small-model reads the transcript on this server’s own machine/)).toBeVisible();
  await panel.getByRole("button", { name: "Write a summary" }).click();
  await expect(panel.getByText("The budget is lower.")).toBeVisible();
  await screenshots(page, "insights-writing", { fullPage: true });
  await panel.getByRole("button", { name: "Stop", exact: true }).click();
  expect(await chat.asked[0]?.left).toBe(true);
  await expect(panel.getByText("Stopped early. What was written so far isn’t saved.")).toBeVisible();
  await panel.getByLabel("Template").selectOption("Lecture");
  await panel.getByRole("button", { name: "Write a summary" }).click();
  await expect(panel.getByText("They print in March and send the contract.")).toBeVisible();
  await expect(panel.getByText(/^Written by small-model/)).toBeVisible();
  await expect(panel.getByRole("link")).toHaveCount(0);
  expect(chat.asked[1]?.messages[0]?.content).toContain("It is a lecture");

  await panel.getByRole("button", { name: "Play from 0:09" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect
    .poll(async () => Number(await page.getByRole("slider", { name: "Position" }).inputValue()))
    .toBeGreaterThanOrEqual(9);
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "insights-summary", { fullPage: true });

  // Stopping keeps the stored summary.
  await panel.getByRole("button", { name: "Rewrite" }).click();
  await expect(panel.getByText("Another summary begins.")).toBeVisible();
  await expect(panel.getByText("The budget is lower.")).toBeHidden();
  await panel.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(panel.getByText("The budget is lower.")).toBeVisible();
  await expect(panel.getByText("Another summary begins.")).toBeVisible();
  await screenshots(page, "insights-stopped", { fullPage: true });
  // The server has also stopped reading from the model.
  expect(await chat.asked[2]?.left).toBe(true);
  held.resolve();

  // With the keyboard: closing returns the focus to the button that opened the panel.
  await panel.getByRole("button", { name: "Close", exact: true }).press("Enter");
  await expect(panel).toBeHidden();
  await expect(actions).toBeFocused();
  await page.reload();
  await open();
  await expect(panel.getByText("The budget is lower.")).toBeVisible();
  await panel.getByRole("button", { name: "Delete the summary" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(panel.getByText("The budget is lower.")).toBeHidden();
});
