import { expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { page, userEvent } from "#tests/components/harness.ts";
import {
  field,
  focusedName,
  openAgain,
  openTranscript,
  passage,
  passages,
  redo,
  shownTexts,
  talk,
  translatedTalk,
  undo,
} from "#tests/components/harness-transcripts.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";

const said = talk.map(({ text }) => text);
const area = () => document.querySelector<HTMLTextAreaElement>("li[data-index] textarea");
const caret = () => (document.activeElement === area() ? area()?.selectionStart : -1);
const putCaret = (offset: number) => area()?.setSelectionRange(offset, offset);

async function openAt(index: number, offset: number): Promise<void> {
  await passage(index).getByRole("button", { name: "Correct the text" }).click();
  await expect.poll(() => area() === null).toBe(false);
  putCaret(offset);
}

// PROMISE correcting: Enter splits a passage, Backspace merges it; words keep their times
test("splits passages with Enter and merges them with Backspace, sets the caret, and undoes both", async () => {
  const server = await openTranscript();
  await openAt(0, "Good morning ".length);
  await userEvent.keyboard("{Enter}");
  await expect.element(field("0:01")).toHaveFocus();
  await expect.element(field("0:01")).toHaveValue("and welcome to the harbour.");
  await expect.poll(caret).toBe(0);
  await expect.element(page.getByText("A new passage begins at 0:01.")).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.poll(focusedName).toBe("Correct the text at 0:01");
  await openAt(2, 0);
  await userEvent.keyboard("{Backspace}");
  await expect.element(field("0:01")).toHaveFocus();
  await expect.poll(caret).toBe("and welcome to the harbour. ".length);
  await expect.element(page.getByText("Merged into the passage at 0:01.")).toBeInTheDocument();
  await userEvent.keyboard("{End} Yes.");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  const now = ["Good morning", "and welcome to the harbour. The harbour is old. Yes.", "May I ask about the Harbour?"];
  await expect.poll(shownTexts).toEqual(now);
  await expect.poll(() => server.kept.segments.map(({ text }) => text)).toEqual(now);
  await undo.click();
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: merge at 0:01");
  await undo.click();
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: split at 0:00");
  await undo.click();
  await expect.poll(shownTexts).toEqual(said);
  await redo.click();
  await redo.click();
  await redo.click();
  await expect.poll(() => server.kept.segments.map(({ text }) => text)).toEqual(now);
  await openAgain(server);
  await expect.poll(shownTexts).toEqual(now);
  expect(passage(1).element().querySelectorAll("[data-start]")).toHaveLength(10);
});

test("ignores Enter of an input method and a held Backspace, so that no passage is split or merged", async () => {
  await openTranscript();
  await openAt(1, "The harbour".length);
  for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
    area()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...composing }));
    area()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true, ...composing }));
  }
  await expect.element(field("0:04")).toHaveFocus();
  putCaret(0);
  for (const held of [{ repeat: true }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])
    area()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Backspace", bubbles: true, cancelable: true, ...held }));
  await expect.element(field("0:04")).toHaveValue("The harbour is old.");
  area()?.setSelectionRange(0, 3);
  await userEvent.keyboard("{Backspace}");
  await expect.element(field("0:04")).toHaveValue(" harbour is old.");
  expect(passages.elements()).toHaveLength(3);
});

test("keeps typed text when another user merges its passage", async () => {
  const server = await openTranscript();
  await openAt(1, 0);
  await field("0:04").fill("The harbour is not old");
  const [first, second, third] = talk;
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three passages.");
  const one = { ...first, end: second.end, text: `${first.text} ${second.text}`, words: [...first.words, ...second.words] };
  server.tell({ segments: [one, third] });
  await expect.element(field("0:00")).toHaveValue("Good morning and welcome to the harbour. The harbour is not old");
  expect(passages.elements()).toHaveLength(2);
});

test("splits and merges passages with buttons, and says where that is impossible", async () => {
  await openTranscript();
  await openAt(1, 0);
  const split = page.getByRole("button", { name: "Split at the cursor" });
  await split.click();
  await expect.element(page.getByText("Put the cursor where the new passage should begin. Both parts need text.")).toBeVisible();
  putCaret("The harbour".length);
  await split.click();
  await expect.element(field("0:05")).toHaveFocus();
  await userEvent.keyboard("{End}{Enter}");
  await expect.poll(shownTexts).toEqual([said[0], "The harbour", "is old.", said[2]]);
  await openAt(2, 3);
  await page.getByRole("button", { name: "Merge with the passage before" }).click();
  await expect.element(field("0:04")).toHaveValue("The harbour is old.");
  await userEvent.keyboard("{Escape}");
  await openAt(0, 0);
  await expect.element(page.getByRole("button", { name: "Merge with the passage before" })).not.toBeInTheDocument();
  await userEvent.keyboard("{Backspace}");
  await expect.element(page.getByText("There is no passage before this one.")).toBeVisible();
  expect(shownTexts().slice(0, 1)).toEqual(["The harbour is old."]);
});

test("shows the languages and direction of conversation turns, and does not merge them", async () => {
  const turn = () => crypto.randomUUID();
  const segments: Segment[] = [
    { ...spokenSegment("Where is it?", 0, 1), turn: turn(), translation: "¿Dónde está?" },
    { ...spokenSegment("Allí.", 2, 3), turn: turn(), language: "es-ES", translationLanguage: "en", translation: "There." },
  ];
  await openTranscript({ segments, targetLanguage: "es" });
  await expect.element(passage(0).getByText("English to Spanish")).toBeVisible();
  await expect.element(passage(1).getByText("Spanish (Spain) to English")).toBeVisible();
  expect([...document.querySelectorAll("li[data-index] p")].map((text) => text.getAttribute("lang"))).toEqual([
    "en",
    "es",
    "es-ES",
    "en",
  ]);
  await openAt(1, 0);
  await userEvent.keyboard("{Backspace}");
  await expect.element(page.getByText("The turns of a conversation can’t be merged.")).toBeVisible();
});

test("shows the original, the translation or both", async () => {
  await openTranscript({ segments: [...translatedTalk], targetLanguage: "es" });
  const view = (name: string) => page.getByRole("group", { name: "Show" }).getByText(name, { exact: true });
  await expect.poll(shownTexts).toHaveLength(6);
  await view("Original").click();
  await expect.poll(shownTexts).toEqual(said);
  await view("Translation").click();
  await expect.poll(shownTexts).toEqual(["frase 1", "frase 2", "frase 3"]);
  await view("Both").click();
  await expect.poll(() => shownTexts()).toHaveLength(6);
});

test("lets the user take or discard another user's version of the same words", async () => {
  const other = (text: string) => ({ id: crypto.randomUUID(), text, by: "grace@example.org" });
  const others = [other("The harbour is new."), other("The harbour is gone.")];
  const server = await openTranscript({ segments: talk.map((one, at) => (at === 1 ? { ...one, others } : one)) });
  const versions = page.getByRole("list", { name: "Other versions of the passage at 0:04" });
  await expect.element(versions.getByText("grace@example.org changed the same words:").first()).toBeVisible();
  await versions.getByRole("button", { name: "Reject" }).last().click();
  await expect.element(versions.getByText("The harbour is gone.")).not.toBeInTheDocument();
  await versions.getByRole("button", { name: "Use this version" }).click();
  await expect.element(versions).not.toBeInTheDocument();
  await expect.poll(() => server.kept.segments[1]?.text).toBe("The harbour is new.");
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: choice between versions at 0:04");
  expect(server.kept.segments[1]?.others).toBeUndefined();
});
