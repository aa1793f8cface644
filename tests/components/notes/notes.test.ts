import { expect, test } from "vitest";
import type { Note, NoteChange, VocabularyAnswer } from "#contract/index.ts";
import { type Answers, answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { act, focusedName, persistTranscription, soundOfSilence } from "#tests/components/harness-transcripts.ts";

const base = "/api/v1/audio-transcriptions/transcription/:id/notes";
const button = (name: string) => page.getByRole("button", { name, exact: true });
const panel = page.getByRole("region", { name: "Notes", exact: true });
const entries = panel.getByRole("listitem");
const choices = page.getByRole("toolbar", { name: "Selected text" });
const dock = page.getByRole("region", { name: "Note", exact: true });
const text = dock.getByRole("textbox", { name: "Note" });

const note = (parts: Partial<Note> = {}): Note => ({
  id: crypto.randomUUID(),
  start: 4,
  end: 7,
  colour: "green",
  text: "",
  revision: 1,
  createdAt: "2026-03-01T10:00:00.000Z",
  changedAt: "2026-03-01T10:00:00.000Z",
  ...parts,
});

/**
 * A server that stores notes.
 * @returns the saved notes and the ids of the deleted ones
 */
function keepNotes(...notes: Note[]) {
  const put: NoteChange[] = [];
  const removed: unknown[] = [];
  answer({
    [`GET ${base}`]: { notes },
    [`PUT ${base}/:note`]: async ({ request, params }) => {
      const change: NoteChange = await request.json();
      put.push(change);
      return note({ ...change, id: String(params.note), revision: change.revision + 1 });
    },
    [`DELETE ${base}/:note`]: ({ params }) => {
      removed.push(params.note);
      return new Response(null, { status: 204 });
    },
  });
  return { put, removed };
}

/** Opens a new transcript: unsaved notes stay in the browser and would reach the next test. */
async function open(notes: Note[] = [], { hasAudio = false, answers = {} }: { hasAudio?: boolean; answers?: Answers } = {}) {
  const { kept } = persistTranscription({ id: crypto.randomUUID(), hasAudio });
  const server = keepNotes(...notes);
  answer(answers);
  await openPage(`/transcription/${kept.id}`);
  await expect.element(page.getByRole("list", { name: "Transcript" })).toBeVisible();
  return server;
}

const marked = (look: string) =>
  [...document.querySelectorAll(`[data-index] [data-note=${look}]`)].map((word) => word.textContent.trim()).filter(Boolean);

/** Selects from one word to another until the page notices. Each is the first word that begins with these letters. */
async function select(from: string, to: string): Promise<void> {
  const words = [...document.querySelectorAll("[data-index] [data-start]")];
  const [first, last] = [from, to].map((letters) => words.find((word) => word.textContent.trim().startsWith(letters)));
  if (first === undefined || last === undefined) throw new Error("There are no such words.");
  await expect
    .poll(() => {
      getSelection()?.removeAllRanges();
      getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
      return new Promise((resolve) => requestAnimationFrame(() => resolve(choices.elements().length)));
    })
    .toBe(1);
}

const names = () =>
  choices
    .getByRole("button")
    .elements()
    .map(({ ariaLabel }) => ariaLabel);

test("highlights selected words in a color, or leaves them unchanged", async () => {
  const { put } = await open();
  await select("welcome", "old");
  expect(names().slice(0, 4)).toEqual(["Highlight in Yellow", "Highlight in Green", "Highlight in Blue", "Highlight in Pink"]);
  page.getByRole("heading", { level: 1 }).element().focus();
  await userEvent.keyboard("{Tab}{ArrowRight}");
  await expect.poll(focusedName).toBe("Highlight in Green");
  await userEvent.keyboard("{Escape}");
  await expect.element(choices).not.toBeInTheDocument();
  expect(put).toEqual([]);
  await select("welcome", "old");
  await button("Highlight in Green").click();
  await expect.poll(() => marked("green")).toEqual(["welcome", "to", "the", "harbour.", "The", "harbour", "is", "old."]);
  await expect.element(choices).not.toBeInTheDocument();
  expect(put).toMatchObject([{ colour: "green", text: "", revision: 0, end: 7 }]);
});

test("adds selected words to the custom vocabulary, and plays them, also while a passage is edited", async () => {
  soundOfSilence(60);
  const { put } = await open([], { hasAudio: true });
  const kept: VocabularyAnswer = { text: "Ada", revision: 1 };
  answer({
    "GET /users/me/vocabulary": () => kept,
    "PUT /users/me/vocabulary": async ({ request }) => Object.assign(kept, { text: (await request.json()).text, revision: 2 }),
  });
  await select("harbour.", "harbour.");
  await button("Add to vocabulary").click();
  await expect.element(page.getByText("“harbour” was added to your vocabulary.")).toBeVisible();
  expect(kept.text).toBe("Ada\nharbour");
  await page.getByRole("list", { name: "Transcript" }).getByText("old.").dblClick();
  await expect.element(page.getByRole("textbox", { name: "Text at 0:04" })).toHaveFocus();
  await expect.element(choices).toBeVisible();
  await button("Play from here").click();
  await expect.element(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await button("Highlight in Pink").click();
  await expect.poll(() => put).toMatchObject([{ colour: "pink", end: 7 }]);
});

test("shows the choices for selected words only after the mouse button is released", async () => {
  await open();
  await select("welcome", "harbour");
  const row = document.querySelector("[data-index]");
  const mouse = (type: string) => row?.dispatchEvent(new PointerEvent(type, { pointerType: "mouse", bubbles: true }));
  mouse("pointerdown");
  getSelection()?.removeAllRanges();
  // The page checks the selection one frame after it has gone.
  for (let drawing = 0; drawing < 4; drawing += 1) await new Promise(requestAnimationFrame);
  expect(choices.elements()).toHaveLength(1);
  mouse("pointerup");
  await expect.element(choices).not.toBeInTheDocument();
});

test("changes the words of a passage's note, and refuses an empty note", async () => {
  const { put } = await open();
  await button("Note on the passage at 0:04").click();
  await expect.element(text).toHaveFocus();
  await expect.element(page.getByRole("heading", { name: "Note at 0:04" })).toBeVisible();
  await button("Save").click();
  await expect.element(dock.getByRole("alert")).toHaveTextContent("Write a note, or choose a color.");
  const quote = () => dock.element().querySelector("blockquote")?.textContent;
  expect(quote()).toBe("The harbour is old.");
  await button("Remove the last word").click();
  await button("Remove the first word").click();
  expect(quote()).toBe("harbour is");
  await button("Add the word before").click();
  await expect.poll(() => marked("draft")).toEqual(["The", "harbour", "is"]);
  await text.fill("How old?");
  await dock.getByRole("radio", { name: "Blue" }).click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(text).not.toBeInTheDocument();
  await expect.poll(() => marked("blue")).toEqual(["The", "harbour", "is"]);
  expect(put).toMatchObject([{ start: 4, colour: "blue", text: "How old?", revision: 0 }]);
});

test("says why a note could not be saved, and keeps it in the browser until it is saved", async () => {
  await open([], { answers: { [`PUT ${base}/:note`]: lost() } });
  await button("Note on the passage at 0:07").click();
  await text.fill("Ask Anna.");
  await button("Save").click();
  await expect
    .element(dock.getByRole("alert"))
    .toHaveTextContent("No connection to the server. What you wrote is stored in this browser.");
  expect(JSON.stringify(localStorage)).toContain("Ask Anna.");
  answer({ [`PUT ${base}/:note`]: refusal(409, "tooManyAtOnce") });
  await button("Save").click();
  await expect.element(dock.getByRole("alert")).toMatchTextContent("This transcript has 500 notes");
  answer({ [`PUT ${base}/:note`]: refusal(402, "quotaReached") });
  await button("Save").click();
  await expect.element(dock.getByRole("alert")).toMatchTextContent("Your storage on this server is full.");
  const { put } = keepNotes();
  await button("Save").click();
  await expect.element(text).not.toBeInTheDocument();
  expect(put).toMatchObject([{ text: "Ask Anna." }]);
  expect(JSON.stringify(localStorage)).not.toContain("Ask Anna.");
});

test("shows notes beside the text, edits them, and deletes them with undo", async () => {
  const notes = [note({ start: 0, end: 4, text: "A greeting." }), note({ start: 7, end: 10, colour: null, text: "Who?" })];
  const { put, removed } = await open(notes, { hasAudio: true });
  await act("Notes");
  await expect.poll(() => textsOf(entries)).toHaveLength(2);
  const [first, second] = textsOf(entries);
  expect(first).toMatch(/^0:00 until 0:04 Green Good morning and welcome to the harbour\. A greeting\./);
  expect(second).toMatch(/^0:07 until 0:10 May I ask about the Harbour\? Who\?/);
  await expect.element(panel.getByRole("button", { name: "Play from 0:07" })).toBeVisible();
  await button("Edit the note at 0:07").click();
  await expect.element(page.getByRole("heading", { name: "Edit the note at 0:07" })).toBeVisible();
  await expect.element(text).toHaveValue("Who?");
  await dock.getByRole("radio", { name: "Pink" }).click();
  await button("Save").click();
  await expect.poll(() => marked("pink")).toHaveLength(6);
  expect(put).toMatchObject([{ colour: "pink", text: "Who?", revision: 1 }]);
  await expect.poll(focusedName).toBe("Edit the note at 0:07");
  await button("Delete the note at 0:00").click();
  await expect.element(panel.getByText("The note at 0:00 was deleted.")).toBeVisible();
  await expect.element(panel.getByRole("button", { name: "Undo" })).toHaveFocus();
  expect(marked("green")).toEqual([]);
  expect(removed).toHaveLength(1);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => textsOf(entries)).toHaveLength(2);
  expect(put.at(-1)).toMatchObject({ start: 0, end: 4, text: "A greeting.", revision: 0 });
});

test("shows another user's change of a note before the note is replaced", async () => {
  const known = note({ text: "Old." });
  await open([known]);
  await act("Notes");
  await button("Edit the note at 0:04").click();
  await text.fill("Mine.");
  answer({
    [`PUT ${base}/:note`]: refusal(409, "conflict"),
    [`GET ${base}`]: { notes: [{ ...known, text: "Theirs.", revision: 2 }] },
  });
  await button("Save").click();
  await expect.element(dock.getByRole("alert")).toMatchTextContent(/This note was changed elsewhere\..*Theirs\./);
  const { put } = keepNotes();
  await button("Save").click();
  await expect.poll(() => put).toMatchObject([{ text: "Mine.", revision: 2 }]);
});

test("says that notes can't be loaded, and loads them on retry", async () => {
  await open([], { answers: { [`GET ${base}`]: refusal(500, "internal") } });
  await act("Notes");
  await expect.element(panel.getByRole("alert")).toMatchTextContent("Couldn’t load the notes.");
  answer({ [`GET ${base}`]: { notes: [] } });
  await button("Try again").click();
  await expect.element(panel.getByText("No notes yet.")).toBeVisible();
});
