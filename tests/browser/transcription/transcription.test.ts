import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { keptFile } from "#tests/browser/harness-data.ts";
import { longTalk, type MadeTranscript, putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { unzipped } from "#tests/server/zip.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

const talk: Segment[] = [
  spokenSegment("Good morning and welcome to the harbour.", 0, 4, { speaker: "1" }),
  spokenSegment("The harbour is old.", 4, 7, { speaker: "1" }),
  spokenSegment("May I ask about the Harbour?", 7, 10, { speaker: "2" }),
];
const hesitant = talk.map((segment) => ({
  ...segment,
  words: segment.words.map((word, i) => (i === 1 ? { ...word, confidence: 0.1 } : word)),
}));

/** Somebody who has signed up looks at a transcript. */
async function reading(made: Partial<MadeTranscript> = {}) {
  const begun = await pages.begin((_, page) => putTranscript(shared.server, page, { segments: talk, ...made }));
  await rows(begun.page).first().waitFor();
  return begun;
}

const rows = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("listitem");
const row = (page: Page, index: number) => page.locator(`li[data-index="${index}"]`);
/** What stands in the segments, without times and names. */
const texts = (page: Page) => page.locator("li[data-index] p");
const saved = (page: Page) => page.getByText("Saving…").waitFor({ state: "detached" });
const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });
const redo = (page: Page) => page.getByRole("button", { name: /^Redo/ });

async function correct(page: Page, index: number, text: string): Promise<void> {
  await row(page, index)
    .getByRole("button", { name: /^Correct/ })
    .click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

describe("corrections", () => {
  test("undoes corrections one after the other, across segments, title and speakers, and again after they were saved", {
    tags: "quick",
  }, async () => {
    const { page } = await reading();
    await expect(undo(page)).toHaveAttribute("aria-disabled", "true");
    await correct(page, 0, "Good evening.");
    await correct(page, 1, "It is new.");
    await row(page, 0)
      .getByRole("button", { name: /^Speaker 1/ })
      .click();
    await page.keyboard.type("Anna");
    await page.getByRole("button", { name: "Rename everywhere" }).click();
    await expect(row(page, 0).getByText("Anna")).toHaveCount(1);
    await saved(page);
    await expect(undo(page)).toHaveAttribute("aria-label", "Undo: speaker at 0:00 (passages: 2)");

    await undo(page).click();
    await row(page, 0).getByText("Speaker 1").waitFor();
    await page.getByText("Undone: speaker at 0:00").waitFor({ state: "attached" });
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await expect(texts(page)).toHaveText(talk.map(({ text }) => text));
    await expect(undo(page)).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Control+Shift+z");
    await expect(texts(page).first()).toHaveText("Good evening.");
    await expect(redo(page)).toHaveAttribute("aria-label", "Redo: correction at 0:04");
    await saved(page);
    await page.reload();
    await rows(page).first().waitFor();
    await expect(texts(page)).toHaveText(["Good evening.", ...talk.slice(1).map(({ text }) => text)]);
  });

  test("that are being typed are there again after a reload, and Ctrl+Z in the field is the field's", async () => {
    const { page } = await reading();
    await correct(page, 1, "It is new.");
    await row(page, 0)
      .getByRole("button", { name: /^Correct/ })
      .click();
    await page.keyboard.type(" And so");
    await page.keyboard.press("Control+z");
    await expect(texts(page).filter({ hasText: /^\s*It is new\.\s*$/ })).toHaveCount(1);
    await page.keyboard.type(" on and on");
    await page.reload();
    const field = page.getByRole("textbox", { name: "Text at 0:00" });
    await expect(field).toHaveValue(/on and on/);
    await field.press("Escape");
    await expect(texts(page).first()).toHaveText(talk[0]?.text ?? "");
  });

  test("that the server does not take can be discarded", async () => {
    const { page, visit } = await reading();
    visit.expect(/400/);
    let asked = 0;
    await page.route("**/audio/remove-transcription/*", (route) => {
      asked += 1;
      return route.fulfill({ status: 400, json: { message: "no", code: "badRequest" } });
    });
    await correct(page, 0, "Nobody takes this.");
    const notice = page.getByRole("alert").filter({ hasText: "can't be saved as it is" });
    await notice.getByRole("button", { name: "Save now" }).click();
    await expect.poll(() => asked).toBe(2);
    await notice.getByRole("button", { name: "Discard the change" }).click();
    await notice.waitFor({ state: "detached" });
    await expect(texts(page)).toHaveText(talk.map(({ text }) => text));
  });
});

describe("passages", () => {
  const field = (page: Page, time: string) => page.getByRole("textbox", { name: `Text at ${time}`, exact: true });
  const caret = (page: Page) =>
    page.evaluate(() => (document.activeElement instanceof HTMLTextAreaElement ? document.activeElement.selectionStart : -1));
  const putCaret = (page: Page, offset: number) =>
    page.locator("textarea").evaluate((area: HTMLTextAreaElement, at) => area.setSelectionRange(at, at), offset);
  const openAt = async (page: Page, index: number, offset: number) => {
    await row(page, index)
      .getByRole("button", { name: /^Correct/ })
      .click();
    await putCaret(page, offset);
  };
  const status = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

  test("are split with Enter and merged with Backspace, with the caret where it belongs; undone, redone and there after a reload", async () => {
    const { page } = await reading();
    await openAt(page, 0, "Good morning ".length);
    await page.keyboard.press("Enter");
    await expect(field(page, "0:01")).toBeFocused();
    await expect(field(page, "0:01")).toHaveValue("and welcome to the harbour.");
    await expect.poll(() => caret(page)).toBe(0);
    await status(page, "A new passage begins at 0:01.");
    await page.keyboard.press("Escape");
    await expect(row(page, 1).getByRole("button", { name: /^Correct/ })).toBeFocused();
    await expect(row(page, 1).locator("[data-start]").first()).toHaveText("and");
    await openAt(page, 2, 0);
    await page.keyboard.press("Backspace");
    await expect(field(page, "0:01")).toBeFocused();
    await expect.poll(() => caret(page)).toBe("and welcome to the harbour. ".length);
    await status(page, "Merged into the passage at 0:01.");
    await page.keyboard.press("End");
    await page.keyboard.type(" Yes.");
    await page.keyboard.press("Control+Enter");
    const now = ["Good morning", "and welcome to the harbour. The harbour is old. Yes.", "May I ask about the Harbour?"];
    await expect(texts(page)).toHaveText(now);
    await undo(page).click();
    await expect(undo(page)).toHaveAttribute("aria-label", "Undo: merge at 0:01");
    await undo(page).click();
    await undo(page).click();
    await expect(texts(page)).toHaveText(talk.map(({ text }) => text));
    await redo(page).click();
    await expect(redo(page)).toHaveAttribute("aria-label", "Redo: merge at 0:01");
    await redo(page).click();
    await redo(page).click();
    await saved(page);
    await page.reload();
    await expect(texts(page)).toHaveText(now);
    await expect(row(page, 1).locator("[data-start]")).toHaveCount(10);
  });

  test("are not split by the Enter that an input method takes, nor merged by a key that is held to delete", async () => {
    const { page } = await reading();
    await openAt(page, 1, "The harbour".length);
    await field(page, "0:04").evaluate((area) => {
      const enter = { key: "Enter", bubbles: true, cancelable: true };
      area.dispatchEvent(new KeyboardEvent("keydown", { ...enter, isComposing: true }));
      area.dispatchEvent(new KeyboardEvent("keydown", { ...enter, keyCode: 229 }));
    });
    await expect(field(page, "0:04")).toBeFocused();
    await putCaret(page, 1);
    await page.keyboard.down("Backspace");
    await page.keyboard.down("Backspace");
    await page.keyboard.up("Backspace");
    await expect(field(page, "0:04")).toHaveValue("he harbour is old.");
    await expect(rows(page)).toHaveCount(3);
  });

  test("that another tab merges keep what is typed here", async () => {
    const { page } = await reading();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await openAt(other, 1, 0);
    await openAt(page, 1, 0);
    await field(page, "0:04").fill("The harbour is not old");
    await other.keyboard.press("Backspace");
    await expect(rows(other)).toHaveCount(2);
    await expect(rows(page)).toHaveCount(2);
    await expect(field(page, "0:00")).toHaveValue("Good morning and welcome to the harbour. The harbour is not old");
    await field(page, "0:00").press("Control+Enter");
    await expect(field(other, "0:00")).toHaveValue(/is not old$/);
  });

  test("are split and merged by commands with names, which say where they can't; Enter at the end saves", async () => {
    const { page } = await reading();
    await openAt(page, 1, 0);
    const split = page.getByRole("button", { name: "Split at the cursor" });
    await split.click();
    await page.getByText("Put the cursor where the new passage is to begin").waitFor();
    await putCaret(page, "The harbour".length);
    await split.click();
    await expect(field(page, "0:05")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expect(texts(page)).toHaveText([/./, "The harbour", "is old.", /./]);
    await openAt(page, 2, 3);
    await page.getByRole("button", { name: "Merge with the passage before" }).click();
    await expect(field(page, "0:04")).toHaveValue("The harbour is old.");
    await page.keyboard.press("Escape");
    await openAt(page, 0, 0);
    await page.keyboard.press("Backspace");
    await page.getByText("There is no passage before this one.").waitFor();
    await expect(row(page, 1).locator("p")).toHaveText("The harbour is old.");
  });
});

describe("speakers", () => {
  test("are named here only, or everywhere", async () => {
    const { page } = await reading();
    await row(page, 1).hover();
    await row(page, 1).getByRole("button", { name: "Who speaks at 0:04?" }).click();
    await page
      .getByRole("textbox", { name: "Speaker’s name" })
      .or(page.getByRole("combobox", { name: "Speaker’s name" }))
      .fill("Ben");
    await page.getByRole("button", { name: "Only this passage" }).click();
    await row(page, 1).getByText("Ben").waitFor();
    await expect(row(page, 0).getByText("Speaker 1")).toHaveCount(1);
    await expect(row(page, 2).getByText("Speaker 2")).toHaveCount(1);
    await saved(page);
    await page.reload();
    await row(page, 1).getByText("Ben").waitFor();
  });
});

test("a speaker is named from here on, in the colour of whoever speaks", async () => {
  const { page } = await reading({ segments: [...talk, spokenSegment("It is, very.", 10, 12, { speaker: "1" })] });
  const colour = (index: number) => row(page, index).evaluate((li) => getComputedStyle(li).getPropertyValue("--speaker"));
  const [first, , third] = [await colour(0), await colour(1), await colour(2)];
  expect([first === "", await colour(1), third === first]).toEqual([false, first, false]);
  await row(page, 1).hover();
  await row(page, 1).getByRole("button", { name: "Who speaks at 0:04?" }).click();
  await page.keyboard.type("Ben");
  await page.getByRole("button", { name: "From here on" }).click();
  await row(page, 3).getByText("Ben").waitFor();
  await expect(row(page, 0).getByText("Speaker 1")).toHaveCount(1);
  await expect(row(page, 2).getByText("Speaker 2")).toHaveCount(1);
  expect([await colour(3), (await colour(1)) === first]).toEqual([await colour(1), false]);
  await expect(undo(page)).toHaveAttribute("aria-label", "Undo: speaker at 0:04 (passages: 2)");
  await undo(page).click();
  await expect(row(page, 3).getByText("Speaker 1")).toHaveCount(1);
});

describe("find and replace", () => {
  test("goes from hit to hit, replaces one and all, and is undone at once", async () => {
    const { page } = await reading();
    await page.keyboard.press("Alt+r");
    const field = page.getByRole("searchbox", { name: "Find" });
    await field.fill("harbour");
    await page.getByText("1 of 3").waitFor();
    await field.press("Enter");
    await page.getByText("2 of 3").waitFor();
    await field.press("Shift+Enter");
    await field.press("Shift+Enter");
    await page.getByText("3 of 3").waitFor();
    await expect(page.locator("mark")).toHaveText(["harbour", "harbour", "Harbour"]);
    await page.getByLabel("Match case").check();
    await page.getByText("1 of 2").waitFor();
    await page.getByLabel("Match case").uncheck();

    await page.getByLabel("Replace with").fill("port");
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByText("1 of 2").waitFor();
    await page.getByRole("button", { name: "Replace all" }).click();
    await page.getByText("Replaced: 2").waitFor();
    await expect(texts(page)).toHaveText([
      "Good morning and welcome to the port.",
      "The port is old.",
      "May I ask about the port?",
    ]);
    await field.focus();
    await page.keyboard.press("Escape");
    await page.getByRole("search").waitFor({ state: "detached" });
    await expect(undo(page)).toHaveAttribute("aria-label", "Undo: replacement (passages: 2)");
    await page.keyboard.press("Control+z");
    await expect(texts(page)).toHaveText([/./, "The harbour is old.", "May I ask about the Harbour?"]);
  });

  test("finds in the translation, and leaves it alone", async () => {
    const segments = talk.map((segment) => ({ ...segment, translation: "el puerto viejo" }));
    const { page } = await reading({ segments, targetLanguage: "es" });
    await page.getByRole("button", { name: "Find and replace" }).click();
    await page.getByRole("searchbox", { name: "Find" }).fill("puerto");
    await page.getByText("1 of 3").waitFor();
    await expect(page.getByRole("button", { name: "Replace all" })).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("radio", { name: "Original" }).check({ force: true });
    await expect(page.locator("p[lang=es]")).toHaveCount(0);
    await page.getByRole("radio", { name: "Translation" }).check({ force: true });
    await expect(page.locator("p[lang=es] mark")).toHaveCount(3);
    await expect(page.locator("[data-start]")).toHaveCount(0);
  });
});

describe("the keyboard", () => {
  test("plays, goes back and forward and changes the speed, also while a text is typed", async () => {
    const { page } = await reading({ audioSeconds: 60 });
    const at = async () => Number(await page.getByRole("slider", { name: "Position" }).inputValue());
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await row(page, 0)
      .getByRole("button", { name: /^Correct/ })
      .click();
    await page.keyboard.press("Control+Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.keyboard.press("Alt+l");
    await page.keyboard.press("Alt+l");
    await expect.poll(at).toBeGreaterThanOrEqual(6);
    const before = await at();
    await page.keyboard.press("Alt+j");
    await expect.poll(at).toBeLessThanOrEqual(before - 2.9);
    await page.keyboard.press("Alt+.");
    await page.keyboard.press("Alt+.");
    await page.keyboard.press("Alt+,");
    await expect(page.getByRole("combobox", { name: "Speed" })).toHaveValue("1.1");
    await expect(page.getByRole("textbox", { name: "Text at 0:00" })).toHaveValue(talk[0]?.text ?? "");
  });

  test("is explained on request, with the arrow keys; what is explained can be switched off", async () => {
    const { page } = await reading();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByText("left and right play the word before or after").waitFor();
    await dialog.getByLabel(/^Use keys without Alt/).uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(dialog).toHaveCount(0);
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  test("goes from unsure word to unsure word, and row to row", async () => {
    const { page } = await reading({ segments: hesitant });
    await page.getByText("were not heard clearly (3).").waitFor();
    await page.keyboard.press("Alt+u");
    await page.getByText("“morning” at 0:00, 1 of 3").waitFor();
    await page.keyboard.press("Alt+u");
    await page.getByText("“harbour” at 0:04, 2 of 3").waitFor();
    const focused = page.locator(":focus");
    await expect(focused).toHaveAttribute("aria-label", "Correct the text at 0:04");
    await page.keyboard.press("ArrowDown");
    await expect(focused).toHaveAttribute("aria-label", "Correct the text at 0:07");
    await page.keyboard.press("Alt+Shift+u");
    await page.getByText("“harbour” at 0:04, 2 of 3").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Text at 0:04" }).waitFor();
  });
});

test("a word that was not heard clearly is marked as right, by key and by button, and the next one is shown", async () => {
  const { page } = await reading({ segments: hesitant });
  await row(page, 0).getByText("morning").click();
  await page.getByText("“morning” at 0:00, 1 of 3").waitFor();
  await page.getByRole("button", { name: "This word is right" }).click();
  await page.getByText("“harbour” at 0:04, 1 of 2").waitFor();
  await expect(page.locator(":focus")).toHaveAttribute("aria-label", "Correct the text at 0:04");
  await page.keyboard.press("Alt+o");
  await page.getByText("were not heard clearly (1).").waitFor();
  await page.keyboard.press("Alt+o");
  await expect(page.getByText("were not heard clearly")).toHaveCount(0);
  await expect(page.locator(":focus")).toHaveAttribute("aria-label", "Correct the text at 0:07");
  await undo(page).click();
  await page.getByText("were not heard clearly (1).").waitFor();
  await saved(page);
  await page.reload();
  await page.getByText("were not heard clearly (1).").waitFor();
});

test("a translation is corrected by hand, undone, and there again after a reload", async () => {
  const segments = talk.map((segment, index) => ({ ...segment, translation: `traducción ${index}` }));
  const { page } = await reading({ segments, targetLanguage: "es" });
  await row(page, 1).hover();
  const edit = row(page, 1).getByRole("button", { name: "Correct the translation at 0:04" });
  await edit.click();
  const field = page.getByRole("textbox", { name: "Translation at 0:04", exact: true });
  await expect(field).toBeFocused();
  await expect(page.getByRole("button", { name: "Split at the cursor" })).toHaveCount(0);
  await field.fill("El puerto es viejo.");
  await field.press("Enter");
  await expect(edit).toBeFocused();
  const translations = page.locator("p[lang=es]");
  await expect(translations).toHaveText(["traducción 0", "El puerto es viejo.", "traducción 2"]);
  await undo(page).click();
  await expect(translations.nth(1)).toHaveText("traducción 1");
  await expect(redo(page)).toHaveAttribute("aria-label", "Redo: correction of the translation at 0:04");
  await redo(page).click();
  await saved(page);
  await page.reload();
  await expect(translations).toHaveText(["traducción 0", "El puerto es viejo.", "traducción 2"]);
  await expect(texts(page).first()).toHaveText(talk[0]?.text ?? "");
});

test("what is written differently than it was heard is marked, says so, and is put back in its editor", async () => {
  const [first, ...others] = talk;
  const words = [
    { text: "We", start: 0, end: 1 },
    { text: "run", start: 1, end: 2 },
    { text: "Kubernetes.", start: 2, end: 4, heard: "cooper netties." },
  ];
  const written: Segment = { start: 0, end: 4, text: "We run Kubernetes.", words, speaker: first?.speaker ?? "1" };
  const { page } = await reading({ segments: [written, ...others] });
  const marked = row(page, 0).getByTitle("Heard: “cooper netties.”");
  await expect(marked).toHaveText("Kubernetes.");
  await row(page, 0)
    .getByRole("button", { name: /^Correct/ })
    .click();
  await page.getByRole("textbox", { name: "Text at 0:00" }).fill("They run Kubernetes.");
  await page.getByRole("button", { name: "Put back “cooper netties.”" }).click();
  await saved(page);
  await expect(texts(page).first()).toHaveText("They run cooper netties.");
  await expect(marked).toHaveCount(0);
  await page.reload();
  await expect(texts(page).first()).toHaveText("They run cooper netties.");
});

describe("a conversation", () => {
  test("shows each side in its language, with its direction", async () => {
    const turn = () => crypto.randomUUID();
    const segments: Segment[] = [
      { ...spokenSegment("Where is it?", 0, 1), turn: turn(), translation: "¿Dónde está?" },
      {
        ...spokenSegment("Allí.", 2, 3),
        turn: turn(),
        language: "es-ES",
        translationLanguage: "en",
        translation: "There.",
      },
    ];
    const { page } = await reading({ segments, targetLanguage: "es" });
    await row(page, 0).getByText("English to Spanish").waitFor();
    await row(page, 1).getByText("Spanish (Spain) to English").waitFor();
    expect(
      await row(page, 1)
        .locator("p")
        .evaluateAll((all) => all.map((text) => text.getAttribute("lang"))),
    ).toEqual(["es-ES", "en"]);
  });
});

test("a Word document is taken along, in the interface's language; the way into the vault leads past the plans", async () => {
  const { page } = await reading({ title: "Hafen & Meer", audioSeconds: 20 });
  await page.goto(`${page.url()}?lng=de`);
  await page.getByText("Exportieren", { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Word (.docx)" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Hafen & Meer.docx");
  const document = unzipped(await readFile(await download.path())).get("word/document.xml") ?? "";
  expect(document).toContain("Sprecher 1: ");
  expect(document).toContain("Good morning and welcome to the harbour.");
  await expect(page.getByRole("link", { name: "Verschlüsseln …" })).toHaveAttribute("href", "/subscription");
  await expect(page.getByRole("link", { name: "Verschlüsseln …" })).toHaveAccessibleDescription(/Premium/);
});

test("what nobody has named is called alike on its page, in the browser's title, in the list, in its files and as it is deleted", async () => {
  const said = [spokenSegment("Um, good morning everyone, the harbour is old.", 0, 4)];
  const { page } = await reading({ title: "", segments: said });
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("The harbour is old");
  await expect(page).toHaveTitle("The harbour is old · Parlance");
  await page.getByText("Export", { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Text (.txt)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^2026-0\d-\d\d The harbour is old\.txt$/);

  // Without words it is called by what it is and when, in the person's own language and time.
  const silent = await putTranscript(shared.server, page, { title: "", segments: [], date: "2026-03-02T10:00:00.000Z" });
  await page.goto(shared.at(silent));
  await expect(heading).toHaveText(/^Dictated, \w/);
  const title = (await heading.textContent()) ?? "";
  await expect(page).toHaveTitle(`${title} · Parlance`);
  await page.goto(shared.at("/dashboard"));
  const list = page.getByRole("list", { name: "Transcripts" }).getByRole("listitem");
  await expect(list.filter({ has: page.getByRole("link", { name: "The harbour is old", exact: true }) })).toHaveCount(1);
  await list.getByRole("button", { name: `Delete ${title}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const notice = page.getByText(`“${title}” was moved to the trash.`);
  await notice.waitFor();
  await page.reload();
  await notice.waitFor();
});

test("what is copied and exported has the texts that are shown, and who said them", async () => {
  const segments = talk.map((segment, i) => ({ ...segment, translation: `frase ${i + 1}` }));
  const { page } = await reading({ segments, targetLanguage: "es", title: "Puerto" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async () => {
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").first().waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const [first, second, third] = talk.map(({ text }) => text);
  expect(await copied()).toBe(`Speaker 1: ${first}\n${second}\nSpeaker 2: ${third}\n\nfrase 1\nfrase 2\nfrase 3`);
  await page.getByRole("radio", { name: "Translation" }).check({ force: true });
  await expect.poll(copied).toBe("Speaker 1: frase 1\nfrase 2\nSpeaker 2: frase 3");

  await page.getByText("Export", { exact: true }).click();
  await expect(page.getByRole("group").filter({ hasText: "Export" }).getByRole("paragraph")).toHaveText("Translation");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Subtitles (.srt)" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toMatch(/^1\n00:00:00,000 --> [\d:,]+\nSpeaker 1: frase 1\n/);
});

test("each pencil of a row stands by its text, where original and translation are side by side", async () => {
  const segments = talk.map((segment, i) => ({ ...segment, translation: `frase ${i + 1}` }));
  const { page } = await reading({ segments, targetLanguage: "es" });
  await page.setViewportSize({ width: 1800, height: 1100 });
  await row(page, 0).hover();
  const [text, translation] = await Promise.all([0, 1].map((at) => row(page, 0).locator("p").nth(at).boundingBox()));
  const [own, other] = await Promise.all(
    [/^Correct the text/, /^Correct the translation/].map((name) => row(page, 0).getByRole("button", { name }).boundingBox()),
  );
  expect((own?.x ?? 0) + (own?.width ?? 0)).toBeLessThanOrEqual((text?.x ?? 0) + (text?.width ?? 0) + 1);
  expect(own?.x).toBeGreaterThan(text?.x ?? 0);
  expect(other?.x).toBeGreaterThan(translation?.x ?? 0);
  // Beside its first line.
  expect((other?.x ?? 0) - (translation?.x ?? 0) - (translation?.width ?? 0)).toBeLessThanOrEqual(1);
});

test("the audio itself is downloaded as the file that it was; one that is gone is said to be gone", async () => {
  const { page, visit } = await reading({ segments: talk, audioSeconds: 4, title: "Puerto" });
  visit.expect(/404/);
  const take = page.getByRole("button", { name: "Audio (the file itself)" });
  await page.getByText("Export", { exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), take.click()]);
  expect(download.suggestedFilename()).toBe("Puerto.wav");
  expect((await readFile(await download.path())).subarray(0, 4).toString()).toBe("RIFF");
  await keptFile(shared.server, `audio/${new URL(page.url()).pathname.split("/").at(-1)}/original`).remove();
  await page.getByText("Export", { exact: true }).click();
  await take.click();
  await page.getByText("There is no audio of it here.").first().waitFor();
});

test("on a phone its first screen has eight lines of text; what is done with it is behind one button", async () => {
  const { page } = await reading({ segments: talk.map((one) => ({ ...one, translation: one.text })), targetLanguage: "es" });
  await page.setViewportSize({ width: 390, height: 844 });
  const copy = page.getByRole("button", { name: "Copy" });
  await expect(copy).toBeHidden();
  const first = await row(page, 0).locator("p").first().boundingBox();
  const line = await row(page, 0)
    .locator("p")
    .first()
    .evaluate((text) => Number.parseFloat(getComputedStyle(text).lineHeight));
  // The player's bar covers 110 px of the bottom.
  expect((844 - 110 - (first?.y ?? 844)) / line).toBeGreaterThan(8);
  await page.getByRole("button", { name: "Actions" }).click();
  await expect(copy).toBeVisible();
});

describe("a transcript of three hours", () => {
  const count = 3_000;
  const seconds = 10_800;

  test("has only the rows in sight, follows the player, and loses neither the focus nor what is typed", async () => {
    const { page } = await reading({ segments: longTalk(count), audioSeconds: seconds });
    await expect.poll(() => rows(page).count()).toBeLessThan(60);
    await expect(row(page, 0)).toHaveAttribute("aria-setsize", `${count}`);
    await row(page, 2)
      .getByRole("button", { name: /^Correct/ })
      .click();
    await page.keyboard.type(" And more");
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 30_000);
    const last = () => rows(page).evaluateAll((all) => Math.max(...all.map((li) => Number(li.getAttribute("data-index")))));
    await expect.poll(last).toBeGreaterThan(400);
    await page.keyboard.type(" to come");
    await expect(page.getByRole("textbox", { name: "Text at 0:07" })).toHaveValue(/And more to come/);
    await page.keyboard.press("Enter");
    await row(page, 2).getByText("to come").waitFor();

    await page.getByRole("slider", { name: "Position" }).focus();
    await page.keyboard.press("Alt+k");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await row(page, 5).locator("[data-start]").first().click();
    await expect(page.locator("li[data-index='5'] [class*=spoken]")).toHaveCount(1);
    const isBetween = (y: number, low: number, high: number) => y > low && y < high;
    await page.getByRole("slider", { name: "Position" }).fill("9001");
    await expect(page.locator("li[data-index='2500'] [class*=spoken]")).toHaveCount(1);
    // Rows on the way there are measured as they come, which moves it for a frame or two.
    const place = async () => (await row(page, 2500).boundingBox())?.y ?? Number.NaN;
    await expect.poll(async () => isBetween(await place(), 60, 720)).toBe(true);
    await page.mouse.wheel(0, -8_000);
    // The one that is being spoken stays, wherever one looks.
    const first = () => rows(page).evaluateAll((all) => Math.min(...all.map((li) => Number(li.getAttribute("data-index")))));
    await expect.poll(first).toBeLessThan(2_450);
    await page.getByRole("slider", { name: "Position" }).fill("9100");
    await expect(page.locator("li[data-index='2527'] [class*=spoken]")).toHaveCount(1);
    expect(
      await page.evaluate(() => document.querySelector("li[data-index='2527']")?.getBoundingClientRect().top),
    ).toBeGreaterThan(800);
  });

  test("is searched and replaced as a whole", async () => {
    const { page } = await reading({ segments: longTalk(count) });
    await page.keyboard.press("Alt+r");
    await page.getByRole("searchbox", { name: "Find" }).fill("bridge");
    await page.getByText(/^1 of \d{4}$/).waitFor();
    await page.keyboard.press("Shift+Enter");
    const current = page.locator("mark[class*=current]");
    await expect(current).toHaveCount(1);
    await expect.poll(() => current.evaluate((mark) => mark.getBoundingClientRect().top)).toBeLessThan(800);
    await page.getByLabel("Replace with").fill("tunnel");
    await page.getByRole("button", { name: "Replace all" }).click();
    await page.getByText(/^Replaced: \d{4}$/).waitFor();
    await saved(page);
    await page.reload();
    await rows(page).first().waitFor();
    await page.keyboard.press("Alt+r");
    await page.getByRole("searchbox", { name: "Find" }).fill("bridge");
    await page.getByText("Nothing found").waitFor();
  });
});
