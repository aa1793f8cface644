import { expect, onTestFinished, test, vi } from "vitest";
import { answer, page, userEvent } from "#tests/components/harness.ts";
import { openTranscript, translatedTalk } from "#tests/components/harness-transcripts.ts";

// How a saved file is to look: chosen in a dialog, and kept for the next one.

const dialog = page.getByRole("dialog", { name: "Save as a file" });
const box = (name: string) => dialog.getByRole("checkbox", { name });
const select = (name: string) => dialog.getByRole("combobox", { name, exact: true });
const optionsOf = (name: string) =>
  select(name)
    .getByRole("option")
    .elements()
    .map((option) => option.textContent);
const columns = dialog.getByRole("textbox", { name: "Characters in a line" });

async function openOptions(): Promise<void> {
  await page.getByText("Export", { exact: true }).click();
  await page.getByRole("button", { name: "Options…" }).click();
  await expect.element(dialog).toBeVisible();
}

test("saves a transcript as it was chosen in the dialog, by keyboard, and keeps what was chosen", async () => {
  const asked: Record<string, string>[] = [];
  const saving = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  onTestFinished(() => saving.mockRestore());
  answer({
    "GET /api/v1/audio-transcriptions/transcription/:id/export": ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return new Response("file");
    },
  });
  await openTranscript({ segments: [...translatedTalk], targetLanguage: "es" });
  await openOptions();
  const formats = dialog.getByRole("combobox", { name: "Format" }).getByRole("option").elements();
  const values = formats.map((option) => option.getAttribute("value"));
  expect(values).toEqual(["txt", "md", "html", "srt", "vtt", "docx", "pdf", "json"]);
  await select("Format").selectOptions("pdf");
  expect(optionsOf("Language")).toEqual(["Original", "Both", "Translation"]);
  await select("Language").selectOptions("original");
  await expect.element(columns).not.toBeInTheDocument();
  const times = (await box("Times of the passages").findElement()).matches(":checked");
  await box("Who speaks").click();
  await box("Times of the passages").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatchObject({ format: "pdf", content: "original", speakers: "0", times: times ? "0" : "1" });
  // What was chosen is there the next time, and in what this browser keeps.
  await openOptions();
  await expect.element(select("Format")).toHaveValue("pdf");
  await expect.element(select("Language")).toHaveValue("original");
  await expect.element(box("Who speaks")).not.toBeChecked();
  await select("Format").selectOptions("srt");
  await expect.element(box("Times of the passages")).not.toBeInTheDocument();
  await expect.element(dialog.getByText("With both languages it has one line of each.")).not.toBeInTheDocument();
  await expect.element(columns).toHaveValue("42");
  await expect.element(columns).toHaveAccessibleDescription("20 to 80; usual are 42.");
  await columns.fill("9");
  await userEvent.keyboard("{Enter}");
  await expect.element(columns).toHaveAccessibleDescription(/Type a number from 20 to 80\./);
  await expect.element(dialog).toBeVisible();
  await columns.fill("24");
  await expect.element(columns).toHaveAccessibleDescription("20 to 80; usual are 42.");
  expect(optionsOf("Lines of a subtitle")).toEqual(["One", "Up to two"]);
  await select("Lines of a subtitle").selectOptions("One");
  await columns.click();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).toMatchObject({ format: "srt", content: "original", speakers: "0", lineLength: "24", lines: "1" });
  expect(asked[1]).not.toHaveProperty("times");
  expect(JSON.parse(localStorage.getItem("exportChoice") ?? "")).toMatchObject({ format: "srt", columns: "24", lines: 1 });
  await openOptions();
  await select("Language").selectOptions("both");
  await expect.element(dialog.getByText("With both languages it has one line of each.")).toBeVisible();
  await columns.fill("");
  await select("Format").selectOptions("json");
  await expect.element(dialog.getByText("Data has everything: both languages, times and who speaks.")).toBeVisible();
  await expect.element(box("Who speaks")).not.toBeInTheDocument();
  await expect.element(select("Language")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  // A length that can't be is not kept.
  await openOptions();
  await select("Format").selectOptions("vtt");
  await expect.element(columns).toHaveValue("42");
  await box("Who speaks").click();
  await select("Lines of a subtitle").selectOptions("Up to two");
  // The page keeps the choice: the tests that follow begin with the usual one.
  await select("Format").selectOptions("pdf");
  await box("Times of the passages").click();
  await select("Format").selectOptions("txt");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(asked).toHaveLength(2);
});

test("asks for no language where there is one language alone", async () => {
  await openTranscript();
  await openOptions();
  await expect.element(select("Format")).toBeVisible();
  await expect.element(select("Language")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
});
