import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { onTestFinished, test } from "vitest";
import { Folder } from "#contract/index.ts";
import { enter, expect, openPage, type Parlance, screenshots, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { longTalk, putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { type ChatAsked, type Reply, refusing, saying, startChatServer } from "#tests/fixtures/chat-server.ts";

// What a language model makes of a transcript, on its page, with a real server that speaks OpenAI's API.

const segments = [
  spokenSegment("Shall we begin with the budget?", 0, 4, { speaker: "Anna" }),
  spokenSegment("It is twelve percent lower than last year.", 4, 9, { speaker: "1" }),
  spokenSegment("Then we print the catalogue in March.", 9, 15, { speaker: "Anna" }),
  spokenSegment("I send the contract to the printer by Friday.", 15, 20, { speaker: "1" }),
];

/** A person who looks at a transcript, on a server whose model answers as `replyTo` says. */
async function reading(
  replyTo: (asked: ChatAsked, count: number) => Reply,
  made: Partial<Parameters<typeof putTranscript>[2]> = {},
) {
  const chat = await startChatServer(replyTo);
  onTestFinished(() => chat.close());
  const server = await startParlance({ env: chat.env });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visit = await openPage(await sharedBrowser());
  onTestFinished(() => visit[Symbol.asyncDispose]());
  const { page } = visit;
  await enter(page, server);
  const path = await putTranscript(server, page, { segments, audioSeconds: 20, title: "The budget", ...made });
  await page.goto(new URL(path, server.url).href);
  const opener = page.getByRole("button", { name: "Summary and questions" });
  await opener.click();
  const panel = page.getByRole("region", { name: "Summary and questions" });
  await panel.getByRole("button", { name: "Write a summary" }).waitFor();
  return { chat, server, page, panel, opener, show: (kind: string) => panel.getByText(kind, { exact: true }).click() };
}

test("a summary streams in, is stopped and written again, plays what it rests on, and is there after a reload", async () => {
  const held = Promise.withResolvers<void>();
  const text =
    "# Money\nThe budget is **lower**. [2]\n# Print\nThey print <b>in March</b> and send [the contract](https://evil.example). [3-4]\n";
  const { chat, page, panel, opener } = await reading((_, count) => {
    if (count === 3) return saying("Another summary begins. [1]\nAnd goes on. [2]\n", { holdAfter: 35, until: held.promise });
    return saying(text, count === 1 ? { holdAfter: 45, until: held.promise } : {});
  });
  await expect(panel.getByText(/The text is read by small-model on this server’s own machine/)).toBeVisible();
  await panel.getByRole("button", { name: "Write a summary" }).click();
  await expect(panel.getByText("The budget is lower.")).toBeVisible();
  await screenshots(page, "insights-writing", { fullPage: true });
  await panel.getByRole("button", { name: "Stop", exact: true }).click();
  expect(await chat.asked[0]?.left).toBe(true);
  await expect(panel.getByText("It was stopped before its end. What came until then is not saved.")).toBeVisible();
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

  // What is stopped takes nothing away from what is stored.
  await panel.getByRole("button", { name: "Write it anew" }).click();
  await expect(panel.getByText("Another summary begins.")).toBeVisible();
  await expect(panel.getByText("The budget is lower.")).toBeHidden();
  await panel.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(panel.getByText("The budget is lower.")).toBeVisible();
  await expect(panel.getByText("Another summary begins.")).toBeVisible();
  await screenshots(page, "insights-stopped", { fullPage: true });
  // The server, too, has stopped listening to the model.
  expect(await chat.asked[2]?.left).toBe(true);
  held.resolve();

  // By the keyboard: closing gives the focus back to what opened it.
  await panel.getByRole("button", { name: "Close", exact: true }).press("Enter");
  await expect(panel).toBeHidden();
  await expect(opener).toBeFocused();
  await page.reload();
  await opener.click();
  await expect(panel.getByText("The budget is lower.")).toBeVisible();
  await panel.getByRole("button", { name: "Delete the summary" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(panel.getByText("The budget is lower.")).toBeHidden();
});

test("tasks are ticked off, corrected, and saved as Markdown and as a calendar; chapters play", async () => {
  const { page, panel, show } = await reading(({ messages }) =>
    saying(
      /chapters/.test(messages[0]?.content ?? "")
        ? "The budget [1]\nMarch [3]"
        : "Send the contract | Speaker 1 | 2026-03-06 [4]\nPrint the catalogue | | [3]",
    ),
  );
  await show("Tasks");
  await panel.getByRole("button", { name: "Find the tasks" }).click();
  await panel.getByRole("checkbox", { name: "Print the catalogue" }).check();
  await panel.getByRole("button", { name: "Correct the task “Send the contract”" }).click();
  await panel.getByLabel("Who", { exact: true }).fill("Ben");
  await panel.getByLabel("Who", { exact: true }).press("Enter");
  await expect(panel.getByText("Ben")).toBeVisible();
  const saved = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name }).click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  expect(await saved("Markdown (.md)")).toEqual({
    name: "The budget – tasks.md",
    text: "# The budget – tasks\n\n- [ ] Send the contract (Ben, 2026-03-06, 0:15)\n- [x] Print the catalogue (0:09)\n",
  });
  const calendar = await saved("Calendar (.ics)");
  expect(calendar.name).toBe("The budget – tasks.ics");
  expect(calendar.text).toContain("DTSTART;VALUE=DATE:20260306\r\nSUMMARY:Send the contract (Ben)\r\n");
  expect(calendar.text).not.toContain("Print");
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "insights-tasks", { fullPage: true });
  await show("Chapters");
  await panel.getByRole("button", { name: "Find the chapters" }).click();
  await expect(panel.getByRole("listitem")).toHaveText([/0:00–0:09\s*The budget/, /0:09–0:20\s*March/]);
  await show("Tasks");
  await expect(panel.getByRole("checkbox", { name: "Print the catalogue" })).toBeChecked();
  await page.reload();
  await page.getByRole("button", { name: "Summary and questions" }).click();
  await show("Tasks");
  await expect(panel.getByRole("checkbox", { name: "Print the catalogue" })).toBeChecked();
  await expect(panel.getByText("Ben")).toBeVisible();
});

test("questions are answered, or it is said that the transcript does not; a failure can be tried again", async () => {
  const replies = [saying("In March. [3]"), saying("NONE"), refusing(500, "out of memory"), saying("Anna begins. [1]")];
  const { page, panel, show, chat } = await reading((_, count) => replies[count - 1] ?? refusing(500, "not expected"));
  await show("Questions");
  const field = panel.getByLabel("Your question");
  const ask = async (question: string) => {
    // One answer at a time is written.
    await expect(panel.getByRole("button", { name: "Stop", exact: true })).toBeHidden();
    await field.fill(question);
    await field.press("Enter");
  };
  await ask("When do they print?");
  const answers = panel.getByRole("article");
  await expect(answers.filter({ hasText: "When do they print?" })).toContainText("In March.");
  await ask("Who sings?");
  await expect(answers.first()).toContainText("The transcript does not say.");
  await ask("Who begins?");
  await expect(panel.getByRole("alert")).toContainText("The language model did not answer as it should.");
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect(answers.first()).toContainText("Anna begins.");
  await expect(answers).toHaveCount(3);
  await screenshots(page, "insights-questions", { fullPage: true });
  expect(chat.asked.map(({ messages }) => messages[1]?.content.split("The question: ")[1])).toEqual([
    "When do they print?",
    "Who sings?",
    "Who begins?",
    "Who begins?",
  ]);
});

test("of three hours it is said how far the reading is; a template of one's own is written and used", async () => {
  const held = Promise.withResolvers<void>();
  const { page, panel, chat } = await reading(
    ({ messages }, count) => {
      const [first] = /\[\d+/.exec(messages[1]?.content ?? "") ?? ["[1"];
      return saying(`A part of it. ${first}]`, count === 3 ? { holdAfter: 0, until: held.promise } : {});
    },
    { segments: longTalk(3000), audioSeconds: 10_800 },
  );
  await panel.getByRole("button", { name: "Your templates…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "New template" }).click();
  await dialog.getByLabel("Name").fill("Harbours");
  await dialog.getByLabel("What is wanted").fill("Which harbours were named?");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Harbours")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await panel.getByLabel("Template", { exact: true }).selectOption("Harbours");
  await panel.getByRole("button", { name: "Write a summary" }).click();
  await expect(panel.getByText(/^The model is reading part 3 of \d+…$/)).toBeVisible();
  await screenshots(page, "insights-long");
  held.resolve();
  await expect(panel.getByText("A part of it.")).toBeVisible();
  await expect(panel.getByText(/^Written by small-model/)).toBeVisible();
  expect(chat.asked[0]?.messages[0]?.content).toContain("What is wanted: Which harbours were named?");
});

/** Puts the person's transcripts into a new folder. @param paths theirs, on the page */
async function intoFolder({ apiUrl }: Parlance, page: Page, paths: readonly string[]): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const post = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const url = new URL(`/api/v1/audio-transcriptions${path}`, apiUrl);
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { id: folderId } = v.parse(Folder, await post("/folders", { name: "Talks" }));
  await post("/filing", { ids: paths.map((path) => path.split("/").at(-1)), folderId });
}

test("the template of a folder is chosen on one of its transcripts, and is that of the others until it is taken back", async () => {
  const { server, page, panel, opener } = await reading(() => saying("They speak. [1]"));
  const template = panel.getByLabel("Template", { exact: true });
  const first = new URL(page.url()).pathname;
  const second = await putTranscript(server, page, { segments, title: "Another" });
  await expect(template).toHaveValue("meeting");
  await expect(panel.getByLabel("Use this template for every transcript in the folder")).toHaveCount(0);
  await intoFolder(server, page, [first, second]);
  const show = async (path: string) => {
    await page.goto(new URL(path, server.url).href);
    await opener.click();
  };
  await show(first);
  const ofFolder = panel.getByLabel("Use this template for every transcript in the folder");
  await template.selectOption("Lecture");
  await expect(ofFolder).not.toBeChecked();
  await ofFolder.check();
  await screenshots(page, "insights-folder");
  expect(await violations(page)).toEqual([]);
  await show(second);
  await expect(template).toHaveValue("lecture");
  await ofFolder.uncheck();
  await expect(template).toHaveValue("lecture");
  await show(first);
  await expect(template).toHaveValue("meeting");
});

test("without a language model the page says what it needs, and offers nothing that can't work", async () => {
  const server = await startParlance();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visit = await openPage(await sharedBrowser());
  onTestFinished(() => visit[Symbol.asyncDispose]());
  const { page } = visit;
  await enter(page, server);
  await page.goto(new URL(await putTranscript(server, page, { segments }), server.url).href);
  await page.getByRole("button", { name: "Summary and questions" }).click();
  const panel = page.getByRole("region", { name: "Summary and questions" });
  await expect(panel.getByText("No language model is set up on this server, so nothing can be made of the text.")).toBeVisible();
  await expect(panel.getByText(/LLM_API_URL/)).toBeVisible();
  for (const kind of ["Tasks", "Chapters", "Questions", "Summary"]) {
    await panel.getByText(kind, { exact: true }).click();
    await expect(panel.getByRole("button")).toHaveCount(1);
    await expect(panel.getByRole("textbox")).toHaveCount(0);
  }
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "insights-without", { fullPage: true });
});
