import { expect, onTestFinished, test } from "vitest";
import type { SearchHit } from "#contract/index.ts";
import { answer, lost, openPage, page, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { persistTranscription } from "#tests/components/harness-transcripts.ts";

const searching = "GET /api/v1/audio-transcriptions/search";
const dialog = page.getByRole("dialog", { name: "Search and go to" });
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

/** Answers a search with these. @returns what was asked for */
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

test("the search of Ctrl+K begins with the letters typed before it was there, and the field that had the focus gets none", async () => {
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

test("Ctrl+K opens a list of commands and pages also from a field, and Escape returns the focus there", async () => {
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

test("pages and sections of the settings are found by name, and opened with Enter", async () => {
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

test("transcripts and passages are found while one types, gone to with the arrows, and opened at their place", async () => {
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

test("all that was said is searched on the page of the search, in whose field what was typed stands", async () => {
  find();
  await openPalette();
  await userEvent.keyboard("harbour{Enter}");
  await expect.poll(() => location.pathname + location.search).toBe("/search?q=harbour");
  await expect.element(page.getByLabelText("What was said")).toHaveValue("harbour");
  await expect.element(page.getByLabelText("What was said")).toHaveFocus();
});

test("a search that fails says so and leaves the commands; the next time the dialog begins anew", async () => {
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

test("a command switches between light and dark", async () => {
  onTestFinished(() => localStorage.removeItem("theme"));
  find();
  await openPalette();
  await userEvent.keyboard("dark{Enter}");
  await expect.poll(() => document.documentElement.dataset.theme).toBe("dark");
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(options.getByText("Switch to light")).toBeVisible();
});
