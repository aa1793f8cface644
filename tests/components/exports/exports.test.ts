import { expect, onTestFinished, test, vi } from "vitest";
import { answer, page, userEvent } from "#tests/components/harness.ts";
import { openTranscript, translatedTalk } from "#tests/components/harness-transcripts.ts";

// The options of an exported file: chosen in a dialog and remembered for the next export.

const dialog = page.getByRole("dialog", { name: "Save as a file" });
const box = (name: string) => dialog.getByRole("checkbox", { name });
const select = (name: string) => dialog.getByRole("combobox", { name, exact: true });
const optionsOf = (name: string) =>
  select(name)
    .getByRole("option")
    .elements()
    .map((option) => option.textContent);
const columns = dialog.getByRole("textbox", { name: "Characters per line" });

async function openOptions(): Promise<void> {
  await page.getByText("Export", { exact: true }).click();
  await page.getByRole("button", { name: "Options…" }).click();
  await expect.element(dialog).toBeVisible();
}

test("exports a transcript with the options of the dialog, and remembers them", async () => {
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
  const times = (await box("Times").findElement()).matches(":checked");
  await box("Speaker names").click();
  await box("Times").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatchObject({ format: "pdf", content: "original", speakers: "0", times: times ? "0" : "1" });
  // The dialog and the browser's storage keep the options.
  await openOptions();
  await expect.element(select("Format")).toHaveValue("pdf");
  await expect.element(select("Language")).toHaveValue("original");
  await expect.element(box("Speaker names")).not.toBeChecked();
  await select("Format").selectOptions("srt");
  await expect.element(box("Times")).not.toBeInTheDocument();
  await expect.element(dialog.getByText("With both languages, each subtitle has one line per language.")).not.toBeInTheDocument();
  await expect.element(columns).toHaveValue("42");
  await expect.element(columns).toHaveAccessibleDescription("20 to 80, usually 42.");
  await columns.fill("9");
  await userEvent.keyboard("{Enter}");
  await expect.element(columns).toHaveAccessibleDescription(/Enter a number from 20 to 80\./);
  await expect.element(dialog).toBeVisible();
  await columns.fill("24");
  await expect.element(columns).toHaveAccessibleDescription("20 to 80, usually 42.");
  expect(optionsOf("Lines per subtitle")).toEqual(["One", "Up to two"]);
  await select("Lines per subtitle").selectOptions("One");
  await columns.click();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).toMatchObject({ format: "srt", content: "original", speakers: "0", lineLength: "24", lines: "1" });
  expect(asked[1]).not.toHaveProperty("times");
  expect(JSON.parse(localStorage.getItem("exportChoice") ?? "")).toMatchObject({ format: "srt", columns: "24", lines: 1 });
  await openOptions();
  await select("Language").selectOptions("both");
  await expect.element(dialog.getByText("With both languages, each subtitle has one line per language.")).toBeVisible();
  await columns.fill("");
  await select("Format").selectOptions("json");
  await expect.element(dialog.getByText("Data files contain everything: both languages, times and speakers.")).toBeVisible();
  await expect.element(box("Speaker names")).not.toBeInTheDocument();
  await expect.element(select("Language")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  // The dialog does not keep an invalid line length.
  await openOptions();
  await select("Format").selectOptions("vtt");
  await expect.element(columns).toHaveValue("42");
  await box("Speaker names").click();
  await select("Lines per subtitle").selectOptions("Up to two");
  // The page keeps the choice, so the usual one is restored for the tests that follow.
  await select("Format").selectOptions("pdf");
  await box("Times").click();
  await select("Format").selectOptions("txt");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(asked).toHaveLength(2);
});

test("offers no choice of language for a transcript without a translation", async () => {
  await openTranscript();
  await openOptions();
  await expect.element(select("Format")).toBeVisible();
  await expect.element(select("Language")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
});
