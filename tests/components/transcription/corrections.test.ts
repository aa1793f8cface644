import { expect, test } from "vitest";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import {
  changing,
  field,
  focusedName,
  openAgain,
  openTranscript,
  passage,
  passages,
  redo,
  shownTexts,
  soundOfSilence,
  talk,
  undo,
} from "#tests/components/harness-transcripts.ts";

const said = talk.map(({ text }) => text);

async function openField(index: number): Promise<void> {
  await passage(index).getByRole("button", { name: "Correct the text" }).click();
}

async function correct(index: number, text: string): Promise<void> {
  await openField(index);
  await passage(index).getByRole("textbox").fill(text);
  await userEvent.keyboard("{Enter}");
}

// PROMISE correcting: Every correction can be undone and redone, and saves itself
test("undoes and redoes corrections, a title and speakers one by one, each with its name", async () => {
  const server = await openTranscript();
  await expect.element(undo).toHaveAttribute("aria-disabled", "true");
  await expect.element(redo).toHaveAttribute("aria-disabled", "true");
  await correct(0, "Good evening.");
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: correction at 0:00");
  await correct(1, "It is new.");
  await passage(0).getByRole("button", { name: "Speaker 1, at 0:00: change name" }).click();
  await userEvent.keyboard("Anna");
  await page.getByRole("button", { name: "Rename everywhere" }).click();
  await expect.element(passage(0).getByText("Anna")).toBeVisible();
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: speaker at 0:00 (passages: 2)");
  await expect.poll(() => server.updates.flatMap(({ speakers = [] }) => speakers)).toEqual([{ name: "Anna", segments: [0, 1] }]);

  await undo.click();
  await expect.element(passage(0).getByText("Speaker 1")).toBeVisible();
  await expect.element(page.getByText("Undone: speaker at 0:00 (passages: 2)")).toBeInTheDocument();
  await userEvent.keyboard("{Control>}z{/Control}");
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(shownTexts).toEqual(said);
  await expect.element(undo).toHaveAttribute("aria-disabled", "true");
  await userEvent.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  await expect.poll(shownTexts).toEqual(["Good evening.", ...said.slice(1)]);
  await expect.element(page.getByText("Redone: correction at 0:00")).toBeInTheDocument();
  await expect.element(redo).toHaveAttribute("aria-label", "Redo: correction at 0:04");
  await expect.poll(() => server.kept.text).toBe(`Good evening. ${said.slice(1).join(" ")}`);
});

test("restores unsaved typing when the page opens again, and discards it with Escape", async () => {
  const server = await openTranscript();
  await openField(0);
  await userEvent.keyboard(" And on and on");
  await openAgain(server);
  await expect.element(field("0:00")).toHaveValue(`${said[0]} And on and on`);
  await field("0:00").click();
  await userEvent.keyboard("{Escape}");
  await expect.poll(focusedName).toBe("Correct the text at 0:00");
  expect(shownTexts()).toEqual(said);
  expect(server.updates).toEqual([]);
});

test("puts the caret where the user clicks, and saves the text when the focus leaves the passage", async () => {
  const server = await openTranscript();
  const word = passage(1).getByText("harbour");
  const { width, height } = word.element().getBoundingClientRect();
  await word.click({ position: { x: width - 1, y: height / 2 } });
  await expect.element(field("0:04")).toHaveFocus();
  await expect.element(field("0:04")).toHaveAttribute("maxlength", "20000");
  await userEvent.keyboard("s");
  await expect.element(field("0:04")).toHaveValue("The harbours is old.");
  await userEvent.keyboard("{Tab}");
  expect(server.updates).toEqual([]);
  await passage(0).getByText("Good").click();
  await expect.poll(() => server.updates.at(-1)?.edits).toEqual([{ index: 1, text: "The harbours is old.", base: said[1] }]);
  await expect.element(field("0:00")).toHaveFocus();
  await expect.element(field("0:04")).not.toBeInTheDocument();
  await userEvent.keyboard("{End}{Shift>}{Enter}{/Shift}new. ");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => server.updates.at(-1)?.edits).toEqual([{ index: 0, text: `${said[0]}\nnew.`, base: said[0] }]);
});

test("plays a clicked word when the text is read-only, and with Alt when it can be edited", async () => {
  soundOfSilence(60);
  const server = await openTranscript({ hasAudio: true, durationSeconds: 60 });
  const position = page.getByRole("slider", { name: "Position" });
  await passage(2)
    .getByText("about")
    .click({ modifiers: ["Alt"] });
  await expect.element(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.element(field("0:07")).not.toBeInTheDocument();
  await expect.element(position).toHaveAttribute("aria-valuetext", "0:08 of 1:00");
  server.tell({ access: { role: "read", by: "grace@example.org" } });
  await expect.element(page.getByText("grace@example.org").first()).toBeVisible();
  await passage(1).getByText("The").click();
  await expect.element(position).toHaveAttribute("aria-valuetext", "0:04 of 1:00");
});

test("reports a correction that the server refuses, and retries or discards it", async () => {
  await openTranscript();
  let asked = 0;
  answer({
    [`PUT ${changing}`]: () => {
      asked += 1;
      return refusal(400, "badRequest");
    },
  });
  await correct(0, "Nobody takes this.");
  const notice = page.getByRole("alert").filter({ hasText: "Your last change can’t be saved as it is." });
  await expect.element(notice).toBeVisible();
  await notice.getByRole("button", { name: "Save now" }).click();
  await expect.poll(() => asked).toBe(2);
  await notice.getByRole("button", { name: "Discard change" }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.poll(shownTexts).toEqual(said);
});

test("keeps a correction in the browser while the server is unavailable, without an offer to discard it", async () => {
  const server = await openTranscript();
  answer({ [`PUT ${changing}`]: refusal(503, "unavailable") });
  await correct(1, "It is new.");
  const notice = page
    .getByRole("alert")
    .filter({ hasText: "Your corrections are stored in this browser and couldn’t be saved yet" });
  await expect.element(notice).toBeVisible();
  await expect.element(notice.getByRole("button", { name: "Discard change" })).not.toBeInTheDocument();
  await openPage("/about");
  answer({ [`PUT ${changing}`]: server.kept });
  await openPage("/transcription/talk");
  await expect.poll(() => shownTexts()[1]).toBe("It is new.");
});

test("renames the title with Enter, and ignores Escape, an empty title and an unchanged title", async () => {
  const server = await openTranscript({ title: "A talk" });
  const rename = page.getByRole("button", { name: "Rename" });
  const title = page.getByRole("textbox", { name: "Title" });
  await rename.click();
  await userEvent.keyboard("  The harbour {Enter}");
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("The harbour");
  await expect.poll(() => server.updates).toEqual([{ title: "The harbour" }]);
  await expect.poll(() => document.title).toBe("The harbour · Parlance");
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: new title");
  await expect.element(rename).toHaveFocus();
  await rename.click();
  await title.fill("Nothing");
  await userEvent.keyboard("{Escape}");
  await expect.element(title).not.toBeInTheDocument();
  await rename.click();
  await title.fill("The harbour ");
  await page.getByRole("button", { name: "Save title" }).click();
  await rename.click();
  await title.fill("   ");
  await page.getByRole("button", { name: "Save title" }).click();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("The harbour");
  expect(server.updates).toHaveLength(1);
});

test("corrects a translation by hand without splitting, and undoes the correction", async () => {
  const segments = talk.map((segment, index) => ({ ...segment, translation: `frase ${index}` }));
  const server = await openTranscript({ segments, targetLanguage: "es" });
  const edit = passage(1).getByRole("button", { name: "Correct the translation at 0:04" });
  await edit.click();
  const typed = page.getByRole("textbox", { name: "Translation at 0:04", exact: true });
  await expect.element(typed).toHaveFocus();
  await expect.element(page.getByRole("button", { name: "Split at the cursor" })).not.toBeInTheDocument();
  await typed.fill("El puerto es viejo.");
  await userEvent.keyboard("{Enter}");
  await expect.element(edit).toHaveFocus();
  await expect.poll(() => server.updates.at(-1)?.translations).toEqual([{ index: 1, text: "El puerto es viejo." }]);
  expect(shownTexts()).toEqual([said[0], "frase 0", said[1], "El puerto es viejo.", said[2], "frase 2"]);
  await undo.click();
  await expect.poll(() => shownTexts()[3]).toBe("frase 1");
  await expect.element(redo).toHaveAttribute("aria-label", "Redo: correction of the translation at 0:04");
});

test("marks words that differ from what was heard, and restores the original words", async () => {
  const words = [
    { text: "We", start: 0, end: 1 },
    { text: "run", start: 1, end: 2 },
    { text: "Kubernetes.", start: 2, end: 4, heard: "cooper netties." },
  ];
  const server = await openTranscript({ segments: [{ start: 0, end: 4, text: "We run Kubernetes.", words }] });
  await expect.element(passage(0).getByTitle("Recognized as: “cooper netties.”")).toHaveTextContent("Kubernetes.");
  await openField(0);
  const marks = page.getByRole("list", { name: "Replaced in the text:" });
  await field("0:00").fill("They run.");
  await expect.element(marks).not.toBeInTheDocument();
  await field("0:00").fill("They run Kubernetes.");
  await expect.element(marks.getByText("Kubernetes.")).toBeVisible();
  await page.getByRole("button", { name: "Change back to “cooper netties.”" }).click();
  await expect.poll(shownTexts).toEqual(["They run cooper netties."]);
  await expect.poll(() => server.kept.text).toBe("They run cooper netties.");
  await expect.element(page.getByTitle("Heard:")).not.toBeInTheDocument();
});

test("edits a text without passages as a whole", async () => {
  const server = await openTranscript({ segments: [], text: "" });
  await page.getByRole("button", { name: "Write the text yourself" }).click();
  await userEvent.keyboard("By hand{Enter}");
  await expect.element(page.getByText("By hand")).toBeVisible();
  await expect.poll(() => server.updates).toEqual([{ text: "By hand", textBase: "" }]);
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: correction of the text");
  await page.getByText("By hand").click({ position: { x: 1, y: 10 } });
  await userEvent.keyboard("All b{Delete}");
  await expect.element(page.getByRole("textbox", { name: "Transcript" })).toHaveValue("All by hand");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: "Correct the text" })).toHaveFocus();
  await expect.element(page.getByText("By hand")).toBeVisible();
  await expect.element(passages).not.toBeInTheDocument();
});
