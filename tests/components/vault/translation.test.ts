import { expect, test } from "vitest";
import type { Transcription } from "#contract/index.ts";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { passages, talk, transcriptionOf, translatedTalk } from "#tests/components/harness-transcripts.ts";
import { segment } from "./kept-model.ts";
import { keepTranslator } from "./kept-translator.ts";
import { button, heading, isSame, type KeptVault, keepVault, savedFiles, silence, unlock } from "./kept-vault.ts";

const translate = button("Translate on this device");
const again = button("Translate again");
const into = page.getByLabelText("Translate to");
const progress = page.getByLabelText("Translation progress");

async function show(as: "premium" | "free" = "premium"): Promise<void> {
  await openPage("/encrypted-audio/item-1", { as, profile: { id: crypto.randomUUID() } });
  await unlock();
  await expect.element(passages.first()).toBeVisible();
}

/** Opens the page of a recording with a text from this device. */
async function open(parts: Partial<Transcription> = {}, as?: "free"): Promise<KeptVault> {
  const kept = await keepVault();
  await kept.put("Call", silence(), JSON.stringify(transcriptionOf({ sourceLanguage: "en-US", ...parts })));
  await show(as);
  return kept;
}

const translationsOf = async (kept: KeptVault) => (await kept.textOf())?.segments.map(({ translation }) => translation);

/** Chooses a language and starts the translation. */
async function begin(translator: ReturnType<typeof keepTranslator>, language = "German"): Promise<void> {
  const count = translator.asked.length;
  await into.selectOptions(language);
  await translate.click();
  await expect.poll(() => translator.asked.length).toBe(count + 1);
}

test("translates a text on the device, and stores it encrypted with its translation", async () => {
  const translator = keepTranslator();
  const saved = savedFiles();
  const long = "A long passage. ".repeat(100);
  const kept = await open({ segments: [segment(0, long), segment(2, "Yes."), segment(4, "Yes.")] });
  const before = kept.texts.get("item-1");
  await begin(translator);
  await expect.element(page.getByText("Translating on this device…")).toBeVisible();
  await expect.element(progress).toHaveAttribute("aria-valuenow", "0");
  translator.give();
  // One batch is done; equal passages are translated once.
  await expect.element(progress).toHaveAttribute("aria-valuenow", "100");
  await expect.poll(() => translator.asked.map(({ texts }) => texts)).toEqual([[long], ["Yes."]]);
  translator.give();
  await expect.element(page.getByText("The translation is in the vault.")).toBeVisible();
  await expect.element(passages.nth(2).getByText("de: Yes.")).toHaveAttribute("lang", "de");
  await expect.element(again).toHaveFocus();
  expect(kept.texts.get("item-1")).not.toBe(before);
  expect(await kept.textOf()).toMatchObject({ targetLanguage: "de", translatedText: `de: ${long}de: Yes. de: Yes.` });
  await page.getByText("Export", { exact: true }).click();
  await button("Text (.txt)").click();
  await expect.poll(() => saved.get("Call.txt")?.text()).toContain("de: Yes.");
  await show();
  await expect.element(passages.nth(1).getByText("de: Yes.")).toBeVisible();
});

test("offers the model with its size first, and lets the user cancel the translation", async () => {
  const translator = keepTranslator("nothing");
  const kept = await open();
  await translate.click();
  await button("Download model (17 MB)").click();
  await expect.poll(() => translator.asked.length).toBe(1);
  await button("Cancel").click();
  await expect.element(page.getByText("Translating on this device…")).not.toBeInTheDocument();
  expect(translator.last().signal.aborted).toBe(true);
  translator.give();
  expect(await translationsOf(kept)).toEqual([undefined, undefined, undefined]);
});

test("leaves a passage untranslated that was corrected meanwhile, and later translates only that passage", async () => {
  const translator = keepTranslator();
  const kept = await open();
  await begin(translator);
  const edit = async (added: string) => {
    await button("Correct the text at 0:04").click();
    await userEvent.keyboard(`${added}{Enter}`);
    await expect.element(passages.nth(1).getByText(added)).toBeVisible();
  };
  await edit(" Indeed.");
  translator.give();
  await expect.element(passages.nth(0).getByText(`de: ${talk[0]?.text}`)).toBeVisible();
  await expect.element(passages.nth(1).getByText(/^de:/)).not.toBeInTheDocument();
  await again.click();
  await expect.poll(() => translator.asked.length).toBe(2);
  expect(translator.last().texts).toEqual(["The harbour is old. Indeed."]);
  translator.give();
  await expect.element(passages.nth(1).getByText("de: The harbour is old. Indeed.")).toBeVisible();
  // A correction removes the outdated translation, because this device can make it again.
  await edit(" Very.");
  await expect.element(passages.nth(1).getByText(/^de:/)).not.toBeInTheDocument();
  expect(await translationsOf(kept)).toEqual([`de: ${talk[0]?.text}`, undefined, `de: ${talk[2]?.text}`]);
});

test("replaces a translation by one into another language only after confirmation", async () => {
  const translator = keepTranslator();
  const kept = await open({ segments: [...translatedTalk], targetLanguage: "es" });
  await expect.element(into).toHaveValue("es");
  await into.selectOptions("German");
  await again.click();
  await button("Keep this translation").click();
  expect(translator.asked).toEqual([]);
  await again.click();
  await page.getByRole("dialog").getByRole("button", { name: "Translate again" }).click();
  await expect.poll(() => translator.asked.length).toBe(1);
  translator.give();
  await expect.element(passages.first().getByText(`de: ${talk[0]?.text}`)).toBeVisible();
  expect(await kept.textOf()).toMatchObject({ targetLanguage: "de" });
});

test("says why a translation failed, and continues with the finished part", async () => {
  const translator = keepTranslator();
  const kept = await open();
  await begin(translator);
  translator.fail("damaged");
  await expect.element(page.getByRole("alert").getByText("Download it again.")).toBeVisible();
  await begin(translator);
  kept.takesTexts = false;
  translator.give();
  await expect.element(page.getByRole("alert")).toBeVisible();
  kept.takesTexts = true;
  await translate.click();
  await expect.element(passages.first().getByText(/^de:/)).toBeVisible();
  expect(translator.asked).toHaveLength(2);
});

test("cancels the translation when the vault is locked, and stores nothing of it", async () => {
  const translator = keepTranslator();
  const kept = await open({ segments: [segment(0, "First. ".repeat(200)), segment(1, "Second.")] });
  const before = kept.texts.get("item-1") ?? new Uint8Array();
  await begin(translator);
  translator.give();
  await expect.poll(() => translator.asked.length).toBe(2);
  await button("Lock").click();
  await expect.element(heading("The vault is locked")).toBeVisible();
  expect(translator.last().signal.aborted).toBe(true);
  translator.give();
  expect(document.body.textContent).not.toContain("First.");
  await unlock();
  await expect.element(translate).toBeVisible();
  expect(isSame(kept.texts.get("item-1") ?? new Uint8Array(), before)).toBe(true);
  // The whole text is translated again.
  await begin(translator);
  expect(translator.last().texts).toHaveLength(1);
});

test("shows the text without a translation when the engines, the subscription or a model are missing", async () => {
  answer({ "GET /api/v1/engines": refusal(503, "unavailable") });
  await open();
  await expect.element(into).not.toBeInTheDocument();
  keepTranslator();
  await open({}, "free");
  await expect.element(into).not.toBeInTheDocument();
  await open({ sourceLanguage: "de-DE" });
  await expect.element(into).not.toBeInTheDocument();
});
