import { describe, test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";

const parlance = sharedParlance({ acrossFiles: true });
const pages = sharedPage(parlance);

describe("/test/realtime-transcription", () => {
  // SPEC 2 Public routes: "/test/chunked-transcription, /test/realtime-transcription"
  test("sends the built-in recording in frames, and shows messages, words and times", async () => {
    const { page } = await pages.begin("/test/realtime-transcription");
    await page.getByRole("combobox", { name: "Pace" }).selectOption("fast");
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator("[data-stage=done]").waitFor();
    await expect(page.getByTestId("words")).toHaveText(/ask what you can do for your country/i);
    const log = page.getByTestId("log");
    await log.getByText("← done").waitFor();
    await expect(log).not.toContainText("token");
    await page.getByRole("searchbox", { name: "Filter messages" }).fill("final");
    await log.getByText("→ frame").waitFor({ state: "detached" });
    await expect(log.getByText("← final").first()).toBeVisible();
  });
});

describe("/test/chunked-transcription", () => {
  // SPEC 2 Public routes: "/test/chunked-transcription, /test/realtime-transcription"
  test("cuts a file into chunks and shows the result of each", async () => {
    const { page } = await pages.begin("/test/chunked-transcription");
    await page.getByRole("combobox", { name: "Audio" }).selectOption("file");
    await page.locator("input[type=file]").setInputFiles(fixture("harbor.mp3"));
    await page.getByRole("spinbutton", { name: "Chunk length in seconds" }).fill("6");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("2 of 2 chunks done").waitFor();
    const chunks = page.getByTestId("chunk");
    await expect(chunks).toHaveCount(2);
    await expect(chunks.first()).toHaveText(/harbor/i);
    await chunks.first().getByText("Raw answer").click();
    await expect(chunks.first().locator("pre")).toContainText('"status":"completed"');
  });
});
