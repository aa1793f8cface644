import { expect, test, vi } from "vitest";
import type { VocabularyAnswer } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";

const words = page.getByRole("textbox", { name: "Your words" });

/** A server that stores the vocabulary. */
function keepVocabulary(text = "") {
  const kept: VocabularyAnswer = { text, revision: 1 };
  answer({
    "GET /users/me/vocabulary": () => kept,
    "PUT /users/me/vocabulary": async ({ request }) => {
      kept.text = (await request.json()).text;
      kept.revision += 1;
      return kept;
    },
  });
  return kept;
}

test("counts the typed words, and saves them", async () => {
  const kept = keepVocabulary();
  await openPage("/settings/transcription");
  await words.fill("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
  await expect.element(page.getByText("Words: 2. Replacements: 1. Lines without effect")).toBeVisible();
  await expect.element(page.getByText("Saved.")).toBeVisible();
  expect(kept.text).toBe("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
});

test("saves the last typed words when the page is left at once", async () => {
  const kept = keepVocabulary("Ada");
  await openPage("/settings/transcription");
  await words.fill("Grace");
  await page.getByRole("link", { name: "Feedback" }).click();
  await expect.poll(() => kept.text).toBe("Grace");
});

test("says that the words are not saved, and saves them on retry", async () => {
  const kept = keepVocabulary();
  await openPage("/settings/transcription");
  answer({ "PUT /users/me/vocabulary": refusal(400, "badRequest") });
  await words.fill("Grace");
  await expect.element(page.getByText("Not saved yet.")).toBeVisible();
  answer({ "PUT /users/me/vocabulary": { text: "Grace", revision: 2 } });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Saved.")).toBeVisible();
  expect(kept.text).toBe("");
});

const chooser = () => {
  const input = document.querySelector<HTMLInputElement>("input[type=file][accept*=csv]");
  if (input === null) throw new Error("There is no file chooser.");
  return page.elementLocator(input);
};
async function choose(name: string, ...parts: BlobPart[]): Promise<void> {
  await expect.element(words).toBeVisible();
  await chooseFiles(chooser(), new File(parts, name, { type: "text/plain" }));
}
const lines = (count: number) => Array.from({ length: count }, (_, at) => `Name ${at}`).join("\n");

/** Records the files that are offered for download. */
function downloads() {
  const files: { name: string; type: string; text: string }[] = [];
  const url = vi.spyOn(URL, "createObjectURL");
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(async function (this: HTMLAnchorElement) {
    const file = url.mock.calls.at(-1)?.[0];
    // `text()` would remove the UTF-8 byte order mark.
    if (file instanceof Blob)
      files.push({
        name: this.download,
        type: file.type,
        text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer()),
      });
  });
  return { files, restore: () => click.mockRestore() };
}

test("adds only the new lines of a CSV file", async () => {
  const kept = keepVocabulary("Ada");
  await openPage("/settings/transcription");
  await expect.element(words).toHaveValue("Ada");
  await choose("words.csv", "cooper netties,Kubernetes\r\nAda\r\n");
  await expect.element(page.getByText("Lines added: 1.")).toBeVisible();
  await expect.element(words).toHaveValue("Ada\ncooper netties → Kubernetes");
  await expect.poll(() => kept.text).toBe("Ada\ncooper netties → Kubernetes");
});

test("exports the words as a text file and as a CSV file", async () => {
  keepVocabulary("Ada\ncooper netties → Kubernetes");
  await openPage("/settings/transcription");
  const { files, restore } = downloads();
  await page.getByRole("button", { name: "Export as text" }).click();
  await page.getByRole("button", { name: "Export as CSV" }).click();
  await expect
    .poll(() => files)
    .toEqual([
      { name: "words.txt", type: "text/plain", text: "Ada\ncooper netties → Kubernetes" },
      { name: "words.csv", type: "text/csv", text: "\ufeffAda\r\ncooper netties,Kubernetes\r\n" },
    ]);
  restore();
});

test("says why a file's lines can't be added", async () => {
  keepVocabulary("Ada");
  await openPage("/settings/transcription");
  await choose("words.zip", Uint8Array.of(80, 75, 0, 255));
  await expect.element(page.getByText("This file isn’t text. Choose a text or CSV file.")).toBeVisible();
  await choose("words.txt", "x".repeat(1_000_001));
  await expect.element(page.getByText("This file is larger than 1 MB. Choose a smaller one.")).toBeVisible();
  await expect.element(words).toHaveValue("Ada");
});

// PROMISE vocabulary: A person keeps up to 2,000 words to expect and how to write them
test("saves nothing when there are more than 2,000 lines, and says so", async () => {
  const kept = keepVocabulary();
  await openPage("/settings/transcription");
  await choose("words.txt", lines(10_000));
  const alert = page.getByRole("alert").filter({ hasText: "You have" });
  await expect
    .element(alert)
    .toMatchTextContent(/^You have 10,000 lines, but only 2,000 can be saved\..*Nothing is saved until then\.$/);
  expect(kept.text).toBe("");
  await words.fill("");
  await choose("words.txt", lines(2_000));
  await expect.poll(() => kept.text).toBe(lines(2_000));
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(page.getByText("Saved.")).toBeVisible();
});

test("names the line that is too long, and says when the whole text is too long", async () => {
  const kept = keepVocabulary();
  await openPage("/settings/transcription");
  await words.fill(`Ada\n${"x".repeat(201)}`);
  const alert = page.getByRole("alert");
  await expect.element(alert.getByText("Line 2 has 201 characters, but only 200 are allowed.")).toBeVisible();
  await words.fill(`Ada\n${"x".repeat(200)}`);
  await expect.element(alert).not.toBeInTheDocument();
  await choose("words.txt", Array.from({ length: 400 }, (_, at) => String(at).padEnd(160, "x")).join("\n"));
  await expect.element(alert.getByText(/^You have 6\d,\d{3} characters, but only 60,000 can be saved\./)).toBeVisible();
  expect(kept.text.length).toBeLessThan(60_000);
});

test("mentions no lines without effect when there are none", async () => {
  keepVocabulary("Ada, Grace\na → b");
  await openPage("/settings/transcription");
  await expect.element(page.getByText("Words: 3. Replacements: 1.", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Up to 2,000 lines.")).toBeVisible();
});

test("keeps the lines of both versions when the words were changed elsewhere", async () => {
  const kept = keepVocabulary("Ada");
  await openPage("/settings/transcription");
  await expect.element(words).toHaveValue("Ada");
  let isFirst = true;
  answer({
    "GET /users/me/vocabulary": { text: "Ada\nElsewhere", revision: 7 },
    "PUT /users/me/vocabulary": async ({ request }) => {
      const change = await request.json();
      if (isFirst) {
        isFirst = false;
        return refusal(409, "conflict");
      }
      kept.text = change.text;
      return { text: change.text, revision: change.revision + 1 };
    },
  });
  await words.fill("Ada\nHere");
  await expect
    .element(page.getByText("Your vocabulary was changed elsewhere in the meantime. The lines of both versions are kept."))
    .toBeVisible();
  await expect.poll(() => kept.text.split("\n").toSorted()).toEqual(["Ada", "Elsewhere", "Here"]);
});

test("says that the words can't be loaded, and loads them on retry", async () => {
  answer({ "GET /users/me/vocabulary": refusal(500, "internal") });
  await openPage("/settings/transcription");
  const card = page.getByRole("region", { name: "Your words" });
  await expect.element(card.getByText("Couldn’t load your vocabulary.")).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
  const slow = holdAnswer();
  answer({ "GET /users/me/vocabulary": slow.answer });
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.element(card.getByText("Loading…")).toBeVisible();
  slow.give({ text: "Ada", revision: 1 });
  await expect.element(words).toHaveValue("Ada");
});
