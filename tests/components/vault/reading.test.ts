import { expect, test, vi } from "vitest";
import type { Transcription } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { field, focusedName, passages, talk, transcriptionOf, translatedTalk } from "#tests/components/harness-transcripts.ts";
import { button, heading, type KeptVault, keepVault, listed, savedFiles, silence, unlock } from "./kept-vault.ts";

const route = "/api/v1/encrypted-audio";

/** Opens the page of a recording with a text. */
async function open(parts: Partial<Transcription> = {}, as: "premium" | "free" = "premium"): Promise<KeptVault> {
  const kept = await keepVault();
  await kept.put("A: talk?", silence(10), JSON.stringify(transcriptionOf(parts)));
  await openPage("/encrypted-audio/item-1", { as, profile: { id: crypto.randomUUID() } });
  await unlock();
  await expect.element(passages.first()).toBeVisible();
  return kept;
}

/** Makes the server accept texts again. */
function takeTexts(kept: KeptVault): void {
  answer({
    [`PUT ${route}/:id/text`]: async ({ request }) => {
      kept.texts.set("item-1", new Uint8Array(await request.arrayBuffer()));
      return kept.items[0];
    },
  });
}

const edit = (time: string) => button(`Correct the text at ${time}`);

test("opens a text from the list before the audio is fetched, and plays from a clicked word", async () => {
  const kept = await keepVault();
  await kept.put("Call", silence(10), JSON.stringify(transcriptionOf()));
  const sound = vi.fn();
  await openPage("/encrypted-audio", { as: "premium", profile: { id: crypto.randomUUID() } });
  await unlock();
  const file = kept.files.get("item-1");
  const held = holdAnswer();
  answer({
    [`GET ${route}/:id/content`]: () => {
      sound();
      return held.answer();
    },
  });
  await listed.getByRole("link", { name: "Call" }).click();
  await expect.element(heading("Call")).toBeVisible();
  await expect.element(passages.nth(2).getByText("May I ask about the Harbour?")).toBeVisible();
  expect(sound).not.toHaveBeenCalled();
  await passages
    .nth(2)
    .getByText("May I ask about the Harbour?")
    .click({ position: { x: 2, y: 8 } });
  await expect.element(page.getByLabelText("Downloading and decrypting Call")).toBeVisible();
  held.give(new Response(file, { status: 206 }));
  await expect.element(passages.nth(2)).toHaveAttribute("aria-current", "true");
  await button("Play from 0:00").click();
  await expect.element(passages.first()).toHaveAttribute("aria-current", "true");
  expect(sound).toHaveBeenCalledOnce();
});

test("corrects a passage, and keeps the times of unchanged words and the translation", async () => {
  const kept = await open({ segments: [...translatedTalk], targetLanguage: "es" });
  await edit("0:00").click();
  await expect.element(field("0:00")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.poll(focusedName).toBe("Correct the text at 0:00");
  const before = kept.texts.get("item-1");
  await userEvent.keyboard("{Enter}");
  await userEvent.keyboard(" Indeed.{Enter}");
  await expect.element(passages.first().getByText(/Indeed\.$/)).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:00");
  expect(kept.texts.get("item-1")).not.toBe(before);
  const corrected = await kept.textOf();
  const first = corrected?.segments[0];
  expect(first?.text).toBe(`${talk[0]?.text} Indeed.`);
  expect(first?.translation).toBe("frase 1");
  expect(first?.words.slice(0, -1).map(({ start }) => start)).toEqual(talk[0]?.words.map(({ start }) => start));
  expect(corrected?.text).toContain("Indeed.");
});

test("keeps a correction that could not be saved in its field, and saves it before another field opens", async () => {
  const kept = await open();
  answer({ [`PUT ${route}/:id/text`]: refusal(507, "storageFull") });
  await edit("0:00").click();
  await userEvent.keyboard(" One.");
  await edit("0:07").click();
  await expect.element(page.getByText("Your correction isn’t saved. What you typed is still here.")).toBeVisible();
  await expect.element(field("0:00")).toHaveValue(`${talk[0]?.text} One.`);
  await expect.element(field("0:07")).not.toBeInTheDocument();
  takeTexts(kept);
  await button("Try again").click();
  await expect.element(passages.first().getByText(/One\.$/)).toBeVisible();
  await edit("0:00").click();
  await userEvent.keyboard(" Two.");
  await edit("0:07").click();
  await expect.element(field("0:07")).toHaveFocus();
  expect((await kept.textOf())?.segments[0]?.text).toBe(`${talk[0]?.text} One. Two.`);
  await button("Cancel").click();
  await expect.element(field("0:07")).not.toBeInTheDocument();
});

test("merges another tab's corrections, but does not overwrite the same passage", async () => {
  const kept = await open({ segments: [...talk] });
  const [first, ...others] = talk;
  await edit("0:00").click();
  await userEvent.keyboard(" Indeed.");
  const elsewhere = others.map((segment, at) => (at === 0 ? { ...segment, text: "From another tab" } : segment));
  await kept.write(
    "item-1",
    JSON.stringify(transcriptionOf({ segments: [first, ...elsewhere].filter((one) => one !== undefined) })),
  );
  await userEvent.keyboard("{Enter}");
  await expect.element(field("0:00")).not.toBeInTheDocument();
  expect((await kept.textOf())?.segments.map(({ text }) => text).slice(0, 2)).toEqual([
    `${first?.text} Indeed.`,
    "From another tab",
  ]);
  await edit("0:00").click();
  await userEvent.keyboard(" Yes.");
  await kept.write("item-1", JSON.stringify(transcriptionOf({ segments: [...talk] })));
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("This was changed in another tab or on another device.")).toBeVisible();
  await expect.element(field("0:00")).toHaveValue(`${first?.text} Indeed. Yes.`);
  expect((await kept.textOf())?.segments).toEqual(talk);
});

test("encrypts and stores an unfinished correction when the vault is locked", async () => {
  const kept = await open();
  await edit("0:00").click();
  await userEvent.keyboard(" Before the lock.");
  answer({ [`PUT ${route}/:id/text`]: refusal(503, "unavailable") });
  await button("Lock").click();
  await expect.element(heading("The vault is locked")).toBeVisible();
  expect(document.body.textContent).not.toContain("Before the lock.");
  takeTexts(kept);
  await unlock();
  await expect.element(passages.first().getByText(/Before the lock\.$/)).toBeVisible();
  expect((await kept.textOf())?.segments[0]?.text).toBe(`${talk[0]?.text} Before the lock.`);
});

test("exports a text as a file that the page itself creates", async () => {
  const saved = savedFiles();
  await open({ segments: [...talk] });
  const choose = async (name: string) => {
    await page.getByText("Export", { exact: true }).click();
    await button(name).click();
  };
  await choose("Subtitles (.srt)");
  await expect.poll(() => saved.get("A talk.srt")?.text()).toContain("00:00:00,");
  await choose("Text (.txt)");
  await expect.poll(() => saved.get("A talk.txt")?.text()).toContain("Speaker 2: May I ask about the Harbour?");
  await choose("Markdown (.md)");
  // The file has the recording's current name instead of the transcription's name.
  await expect.poll(() => saved.get("A talk.md")?.text()).toMatch(/^# A: talk\?\n/);
  await choose("Web subtitles (.vtt)");
  await expect.poll(() => saved.get("A talk.vtt")?.text()).toMatch(/^WEBVTT\n/);
  await choose("Data (.json)");
  await expect.poll(async () => JSON.parse((await saved.get("A talk.json")?.text()) ?? "{}").title).toBe("A: talk?");
});

test("shows a text read-only without a subscription, and reports a text that was tampered with", async () => {
  const kept = await open({}, "free");
  await expect.element(edit("0:00")).not.toBeInTheDocument();
  const bytes = kept.texts.get("item-1") ?? new Uint8Array();
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) ^ 1;
  await button("Lock").click();
  await unlock();
  await expect.element(page.getByText(/^Couldn’t open the transcript\. .*tampered with/)).toBeVisible();
  bytes[last] = (bytes[last] ?? 0) ^ 1;
  await button("Try again").click();
  await expect.element(passages.first()).toBeVisible();
});
