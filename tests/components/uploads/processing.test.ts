import { expect, test } from "vitest";
import type { Stage } from "#contract/index.ts";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { persistTranscription, talk } from "#tests/components/harness-transcripts.ts";

const one = "GET /api/v1/audio-transcriptions/transcription/:id";
const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
const present = () => document.querySelector("[aria-current=step]")?.textContent;
const work = { status: "processing", segments: [], text: "" };
const at = (stage: Stage) => ({ progress: { stage, fraction: 0.5, secondsLeft: null } });

test("follows a file through its steps, and focuses the button that opens its transcript", async () => {
  const server = persistTranscription({ ...work, targetLanguage: "es", title: "A talk about  a bridge" });
  await openPage("/file-processing/talk");
  await expect.poll(() => textsOf(steps)).toEqual(["Waiting", "Reading the audio", "Transcribing", "Translating", "Finished"]);
  await expect.element(page.getByText("You can leave this page")).toBeVisible();
  expect([document.querySelector("h1")?.textContent, present()]).toEqual(["A talk about  a bridge", "Waiting"]);
  server.tell(at("recognizing"));
  await expect.poll(present).toBe("Transcribing");
  await expect.poll(() => textsOf(steps).slice(0, 3)).toEqual(["Waiting (done)", "Reading the audio (done)", "Transcribing"]);
  server.tell({ status: "completed", progress: null, segments: [...talk] });
  await expect.element(page.getByText("The transcript is ready.")).toBeVisible();
  await expect.poll(present).toBeUndefined();
  await expect.element(page.getByTestId("segments-so-far").getByText("Good morning and welcome to the harbour.")).toBeVisible();
  const open = page.getByRole("button", { name: "Open the transcript" });
  await expect.element(open).toHaveFocus();
  await open.click();
  await expect.poll(() => location.pathname).toBe("/transcription/talk");
});

test("shows the additional steps of a download and of speaker detection", async () => {
  persistTranscription({ ...work, ...at("fetching"), origin: "url", diarizes: true });
  await openPage("/file-processing/talk");
  await expect
    .poll(() => textsOf(steps))
    .toEqual(["Waiting (done)", "Fetching", "Reading the audio", "Transcribing", "Identifying the speakers", "Finished"]);
});

test.each([
  ["upload", "notAudio", "This file can’t be read as audio or video.", "Upload another file", "/file-upload-config"],
  [
    "upload",
    "emptyFile",
    "The file contains no audio: it is empty or 0 seconds long",
    "Upload another file",
    "/file-upload-config",
  ],
  ["upload", "noSound", "The video has no audio track.", "Upload another file", "/file-upload-config"],
  [
    "url",
    "notAudio",
    "This address doesn’t lead to a recording, but to something else, such as a web page",
    "Use another address",
    "/url-transcription-config",
  ],
] as const)("explains a failed %s (%s), and links back to its form", async (origin, code, text, link, path) => {
  persistTranscription({ ...work, status: "failed", origin, error: { code, message: "" } });
  await openPage("/file-processing/talk");
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByRole("link", { name: link })).toHaveAttribute("href", path);
  await expect.element(page.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
});

test("retries a transcription after an engine failure", async () => {
  const server = persistTranscription({ ...work, status: "failed", error: { code: "engineFailed", message: "" } });
  await openPage("/file-processing/talk");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => server.updates).toEqual([{ retry: true }]);
});

test("says that a transcript does not exist, and retries one that can't be loaded", async () => {
  const server = persistTranscription({ ...work, title: "A talk" });
  answer({ [one]: refusal(404, "notFound") });
  await openPage("/file-processing/none");
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Transcript not found");
  await openPage("/about");
  answer({ [one]: refusal(500, "internal") });
  await openPage("/file-processing/talk");
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Couldn’t load the transcript");
  answer({ [one]: () => server.kept });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("A talk");
});
