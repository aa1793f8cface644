import { expect, onTestFinished, test, vi } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import {
  act,
  changing,
  openActions,
  openTranscript,
  persistTranscription,
  shownTexts,
  translatedTalk,
} from "#tests/components/harness-transcripts.ts";

const one = "/api/v1/audio-transcriptions/transcription/:id";
const talked = "Good morning and welcome to the harbour.\nThe harbour is old.\nSpeaker 2: May I ask about the Harbour?";

/** Records what the page copies. */
function clipboard(): string[] {
  const texts: string[] = [];
  const spy = vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void texts.push(text));
  onTestFinished(() => spy.mockRestore());
  return texts;
}

/** Records the names of downloaded files, and prevents the browser's dialog. */
function downloads(): string[] {
  const names: string[] = [];
  const spy = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download === "" ? new URL(this.href).pathname + new URL(this.href).search : this.download);
  });
  onTestFinished(() => spy.mockRestore());
  return names;
}

/** Answers exports with a file and records their queries. */
function exported(): string[] {
  const asked: string[] = [];
  answer({
    [`GET ${one}/export`]: ({ request }) => {
      asked.push(new URL(request.url).search);
      const headers = { "Content-Disposition": `attachment; filename="talk.bin"; filename*=UTF-8''H%C3%A4fen.bin` };
      return new Response("file", { headers });
    },
  });
  return asked;
}

const menu = () => page.getByText("Export", { exact: true }).click();

test("copies the shown texts with their speakers", async () => {
  const copied = clipboard();
  await openTranscript({ segments: [...translatedTalk], targetLanguage: "es" });
  await act("Copy");
  await expect.element(page.getByText("Copied.").first()).toBeVisible();
  await page.getByText("Translation", { exact: true }).first().click();
  await act("Copy");
  await page.getByText("Original", { exact: true }).first().click();
  await act("Copy");
  await page.getByText("Both", { exact: true }).first().click();
  await expect
    .poll(() => copied)
    .toEqual([
      `Speaker 1: ${talked}\n\nfrase 1\nfrase 2\nfrase 3`,
      "Speaker 1: frase 1\nfrase 2\nSpeaker 2: frase 3",
      `Speaker 1: ${talked}`,
    ]);
});

test("says that copying failed, and disables the action for an empty transcript", async () => {
  const spy = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
  onTestFinished(() => spy.mockRestore());
  const server = await openTranscript();
  await act("Copy");
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  server.tell({ text: "", segments: [] });
  await openActions();
  await expect.element(page.getByRole("button", { name: "Copy" })).toBeDisabled();
});

test("exports the shown texts in each format under the server's file name", async () => {
  const [names, asked] = [downloads(), exported()];
  await openTranscript({ segments: [...translatedTalk], targetLanguage: "es" });
  for (const name of [
    "Text (.txt)",
    "Markdown (.md)",
    "Web page (.html)",
    "Subtitles (.srt)",
    "Web subtitles (.vtt)",
    "Word (.docx)",
  ]) {
    await menu();
    await page.getByRole("button", { name }).click();
    await expect.poll(() => names.at(-1)).toBe("Häfen.bin");
    names.length = 0;
  }
  await page.getByText("Translation", { exact: true }).first().click();
  await menu();
  await expect
    .element(page.getByRole("group").filter({ hasText: "Export" }).getByRole("paragraph"))
    .toHaveTextContent("Translation");
  await page.getByRole("button", { name: "Data (.json)" }).click();
  await expect.poll(() => asked.length).toBe(7);
  await page.getByText("Both", { exact: true }).first().click();
  expect(asked.slice(0, 6).map((query) => new URLSearchParams(query).get("format"))).toEqual([
    "txt",
    "md",
    "html",
    "srt",
    "vtt",
    "docx",
  ]);
  expect(asked[0]).toBe("?format=txt&content=both&lng=en&times=0");
  expect(asked[6]).toBe("?format=json&content=translation&lng=en");
});

test("suggests another format when the export lacks a font or the transcript is too long", async () => {
  await openTranscript();
  for (const [status, code, said] of [
    [422, "languageUnavailable", "This server has no font for this script. Save the transcript as text or Word instead."],
    [413, "tooLarge", "This transcript is too long for this format. Save it as text or Word instead."],
  ] as const) {
    answer({ [`GET ${one}/export`]: refusal(status, code) });
    await menu();
    await page.getByRole("button", { name: "PDF" }).click();
    await expect.element(page.getByText(said).first()).toBeVisible();
  }
  await expect.element(page.getByText("The audio is not available.")).toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Audio (original file)" })).not.toBeInTheDocument();
});

test("downloads the original audio file, and says when it no longer exists", async () => {
  const names = downloads();
  const asked: string[] = [];
  persistTranscription({ hasAudio: true, title: "" });
  answer({
    [`GET ${one}/audio`]: ({ request }) => {
      asked.push(request.headers.get("Range") ?? "");
      return new Response("R", { status: 206 });
    },
  });
  await openPage("/transcription/talk");
  await menu();
  await page.getByRole("button", { name: "Audio (original file)" }).click();
  await expect.poll(() => names).toHaveLength(1);
  expect(asked).toEqual(["bytes=0-0"]);
  const [path = "", query] = (names[0] ?? "").split("?");
  expect(path.endsWith("/api/v1/audio-transcriptions/transcription/talk/audio")).toBe(true);
  expect(new URLSearchParams(query).get("name")).toMatch(/^2026-03-01 Welcome to the harbour$/);
  answer({ [`GET ${one}/audio`]: refusal(404, "notFound") });
  await menu();
  await page.getByRole("button", { name: "Audio (original file)" }).click();
  await expect.element(page.getByText("The audio is not available.").first()).toBeVisible();
});

test("requests and removes a translation, and keeps the former language when the request fails", async () => {
  const server = await openTranscript({ segments: [...translatedTalk], targetLanguage: null });
  await openActions();
  const select = page.getByRole("combobox", { name: "Translate to" });
  await expect.element(select).toHaveValue("");
  answer({ [`PUT ${changing}`]: refusal(503, "translationUnavailable") });
  await select.selectOptions("de");
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await expect.element(select).toHaveValue("");
  const asked: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  answer({
    [`PUT ${changing}`]: async ({ request }) => {
      asked.push(await request.json());
      await promise;
      return { ...server.kept, targetLanguage: "de" };
    },
  });
  await select.selectOptions("German");
  await expect.element(page.getByText("Translating…")).toBeVisible();
  await expect.element(select).toHaveAttribute("aria-busy", "true");
  resolve();
  await expect.element(page.getByText("Translated: German").last()).toBeVisible();
  await expect.element(page.getByText("Translating…")).not.toBeInTheDocument();
  await select.selectOptions("No translation");
  await expect.poll(() => asked).toEqual([{ targetLanguage: "de" }, { targetLanguage: null }]);
});

test("links to the plans before encryption on the free plan, and to the vault with Premium", async () => {
  const encrypt = page.getByRole("link", { name: "Encrypt…" });
  await openTranscript({ hasAudio: true });
  await openActions();
  await expect.element(encrypt).toHaveAttribute("href", "/subscription");
  await expect.element(page.getByText("Encryption needs Premium.")).toBeInTheDocument();
  await openPage("/about");
  await openTranscript({ hasAudio: true, id: "other" }, { as: "premium" });
  await openActions();
  await expect.element(encrypt).toHaveAttribute("href", "/encrypted-audio/other");
  expect(shownTexts()).toHaveLength(3);
});

test("aligns the fields, actions and facts of a transcript's menu", async () => {
  await openTranscript({ segments: [...translatedTalk], targetLanguage: "es", hasAudio: true });
  await openActions();
  const menu = page.getByRole("main");
  const parts = [
    menu.getByText("Translate to", { exact: true }),
    menu.getByRole("button", { name: "Delete", exact: true }),
    menu.getByText("Encryption needs Premium."),
  ].map((part) => part.element());
  const edges = parts.map((part) => {
    const text = document.createRange();
    text.selectNodeContents(part);
    return text.getBoundingClientRect().left;
  });
  expect(Math.max(...edges) - Math.min(...edges)).toBeLessThan(3);
});
