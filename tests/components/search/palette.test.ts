import { expect, onTestFinished, test } from "vitest";
import type { SearchHit } from "#contract/index.ts";
import { answer, lost, openPage, page, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { persistTranscription } from "#tests/components/harness-transcripts.ts";

const searching = "GET /api/v1/audio-transcriptions/search";
const dialog = page.getByRole("dialog", { name: "Search and commands" });
const field = dialog.getByRole("combobox", { name: "Search transcripts, pages and commands" });
const options = dialog.getByRole("option");
const chosen = () =>
  dialog
    .getByRole("option", { selected: true })
    .elements()
    .map(({ textContent }) => textContent);

const hit = (parts: Partial<SearchHit> = {}): SearchHit => ({
  id: "talk",
  title: "A talk",
  date: "2026-03-01T10:00:00.000Z",
  language: "en",
  speaker: null,
  start: 61,
  end: 64,
  text: "The harbour is old.",
  marks: [[4, 11]],
  translation: null,
  isTitle: false,
  ...parts,
});

/**
 * Answers each search with these hits.
 * @returns the searched texts
 */
function find(...hits: SearchHit[]): string[] {
  const asked: string[] = [];
  answer({
    [searching]: ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("q") ?? "");
      return { hits, total: hits.length, hasMore: false, matched: "all", behind: 0, model: null };
    },
  });
  return asked;
}

async function openPalette(path = "/feedback") {
  await openPage(path, { profile: { id: crypto.randomUUID() } });
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(field).toHaveFocus();
}

test("keeps the letters typed before the palette of Ctrl+K appears, and writes none into the page's field", async () => {
  find();
  await openPage("/feedback", { profile: { id: crypto.randomUUID() } });
  const message = page.getByRole("main").getByRole("textbox").first();
  await message.click();
  const strike = (key: string, ctrlKey = false) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
  strike("k", true);
  const written = [..."harbour"].map((key) => strike(key));
  await expect.element(field).toHaveValue("harbour");
  expect(written).toEqual(Array(7).fill(false));
});

test("opens the palette with Ctrl+K also from a field, and Escape returns the focus to the field", async () => {
  await openPage("/feedback", { profile: { id: crypto.randomUUID() } });
  const message = page.getByRole("main").getByRole("textbox").first();
  await message.click();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute("aria-expanded", "true");
  expect(textsOf(options).slice(0, 3)).toEqual(["New recording", "Upload", "Switch to dark"]);
  expect(chosen()).toEqual(["New recording"]);
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
});

test("finds pages and sections of the settings by name, and opens them with Enter", async () => {
  find();
  await openPalette();
  await userEvent.keyboard("secu");
  await expect.poll(() => textsOf(options)).toHaveLength(2);
  expect(chosen()).toEqual([expect.stringContaining("Security")]);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.pathname).toBe("/settings/security");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("finds transcripts while the user types, and opens a passage chosen with the arrows", async () => {
  persistTranscription();
  const asked = find(hit(), hit({ id: "old", title: "Old harbours", start: null, isTitle: true, marks: [[4, 12]] }));
  await openPalette();
  await userEvent.keyboard("harbour");
  await expect.element(options.getByText("Old harbours")).toBeVisible();
  expect(asked).toEqual(["harbour"]);
  await expect.poll(chosen).toEqual([expect.stringContaining("Old harbours")]);
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(chosen).toEqual([expect.stringContaining("The harbour is old.")]);
  const { activeElement } = document;
  expect(document.getElementById(activeElement?.getAttribute("aria-activedescendant") ?? "")?.ariaSelected).toBe("true");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.pathname + location.search).toBe("/transcription/talk?at=61&find=harbour");
});

test("opens the search page with the typed text when nothing in the palette matches", async () => {
  find();
  await openPalette();
  await userEvent.keyboard("harbour{Enter}");
  await expect.poll(() => location.pathname + location.search).toBe("/search?q=harbour");
  await expect.element(page.getByLabelText("Search")).toHaveValue("harbour");
  await expect.element(page.getByLabelText("Search")).toHaveFocus();
});

test("says that a search failed, and starts empty the next time", async () => {
  answer({ [searching]: lost() });
  await openPalette();
  await userEvent.keyboard("harbour");
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(field).toHaveValue("");
  await expect.element(dialog.getByRole("alert")).not.toBeInTheDocument();
});

test("switches between light and dark by a command of the palette", async () => {
  onTestFinished(() => localStorage.removeItem("theme"));
  find();
  await openPalette();
  await userEvent.keyboard("dark{Enter}");
  await expect.poll(() => document.documentElement.dataset.theme).toBe("dark");
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(options.getByText("Switch to light")).toBeVisible();
});
