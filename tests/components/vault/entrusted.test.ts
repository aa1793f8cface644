import { expect, test } from "vitest";
import type { Transcription } from "#contract/index.ts";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import { persistTranscription, translatedTalk } from "#tests/components/harness-transcripts.ts";
import { button, heading, isSame, type KeptVault, keepVault, savedFiles, silence, unlock } from "./kept-vault.ts";

const one = "/api/v1/audio-transcriptions/transcription/:id";
const id = "00000000-0000-4000-8000-000000000001";

/** Opens the page that moves a transcription into the vault. */
async function open(plain: Partial<Transcription> | null, has: { vault?: KeptVault; as?: "premium" | "free" } = {}) {
  const kept = has.vault ?? (await keepVault());
  // The transcription's page may load before this one opens.
  persistTranscription({ id, hasAudio: true, ...plain });
  if (plain === null) answer({ [`GET ${one}`]: refusal(404, "notFound") });
  answer({
    [`GET ${one}/audio`]: () => new Response(silence(10), { headers: { "Content-Type": "audio/wav" } }),
  });
  // Without a subscription, only users with a vault can open the page.
  await openPage(`/encrypted-audio/${id}`, { as: has.as ?? "premium", profile: { id: crypto.randomUUID() } });
  await unlock();
  return kept;
}

// PROMISE vault: A transcription is compared before it moves, and leaves nothing readable behind
test("moves a transcription with its text, compares it, deletes the original, and plays its words", async () => {
  const saved = savedFiles();
  const segments = [...translatedTalk];
  const kept = await open({ title: "A talk", segments, targetLanguage: "es", durationSeconds: 10 });
  await expect.element(heading("A talk")).toBeVisible();
  await expect
    .element(page.getByText("They are downloaded again and compared with the original, down to the last byte."))
    .toBeVisible();
  expect(page.getByRole("main").getByRole("listitem").elements().length).toBe(4);
  await expect
    .element(page.getByRole("link", { name: "Back to the transcript" }))
    .toHaveAttribute("href", `/transcription/${id}`);
  await button("Encrypt this recording").click();
  const words = page.getByRole("list", { name: "Transcript" }).getByRole("listitem");
  await expect.element(words.first()).toBeVisible();
  expect(kept.destroyed).toEqual([id]);
  expect(kept.items).toMatchObject([{ clientId: id, transcriptionId: id, hasText: true }]);
  expect(await kept.metaOf(id)).toEqual({
    version: 1,
    name: "A talk",
    recordedAt: "2026-03-01T10:00:00.000Z",
    durationSeconds: 10,
    type: "audio/wav",
  });
  expect(isSame(await kept.soundOf(id), silence(10))).toBe(true);
  await expect.element(words.nth(2).getByText("May I ask about the Harbour?")).toHaveAttribute("lang", "en");
  await expect.element(words.nth(2).getByText("frase 3")).toHaveAttribute("lang", "es");
  await expect.element(words.nth(2).getByText("Speaker 2", { exact: true })).toBeVisible();
  await expect.element(words.first()).not.toHaveAttribute("aria-current");
  await button("Play").click();
  await expect.element(words.first()).toHaveAttribute("aria-current", "true");
  await button("Play from 0:07").click();
  await expect.element(words.nth(2)).toHaveAttribute("aria-current", "true");
  await expect.element(words.first()).not.toHaveAttribute("aria-current");
  await button("Download decrypted").click();
  expect(saved.get("A talk.wav")?.type).toBe("audio/wav");
  await button("Download encrypted (.age)").click();
  await expect.poll(() => saved.get("A talk.age")?.size).toBe(kept.items[0]?.size);
});

test("moves the whole recording instead of the server's copy of one sound track", async () => {
  const asked: string[] = [];
  const kept = await open({});
  answer({
    [`GET ${one}/audio`]: ({ request }) => {
      asked.push(new URL(request.url).search);
      return new Response(silence(10), { headers: { "Content-Type": "audio/wav" } });
    },
  });
  await button("Encrypt this recording").click();
  await expect.poll(() => kept.destroyed).toEqual([id]);
  expect(asked).toEqual(["?download"]);
});

test("keeps the original when the copy differs, and completes an interrupted move", async () => {
  const kept = await keepVault();
  answer({
    "GET /api/v1/encrypted-audio/:id/text": async () => new Response(kept.texts.get("item-1")),
  });
  await kept.put("Other", silence(), JSON.stringify({ other: true }));
  kept.items = [];
  await open({}, { vault: kept });
  await button("Encrypt this recording").click();
  await expect
    .element(page.getByText("The verification failed: the upload differs from the original. The original was not changed."))
    .toBeVisible();
  expect(kept.destroyed).toEqual([]);
  answer({ "GET /api/v1/encrypted-audio/:id/text": ({ params }) => new Response(kept.texts.get(String(params.id))) });
  await button("Try again").click();
  await expect.element(button("Play")).toBeVisible();
  expect(kept.destroyed).toEqual([id]);

  // Imitates a page that was closed before the original was deleted.
  kept.destroyed = [];
  await openPage("/about");
  await open({}, { vault: kept });
  await expect.element(page.getByText("The move was interrupted: the readable original is still on the server.")).toBeVisible();
  await button("Verify and delete the original").click();
  await expect
    .element(page.getByText("The move was interrupted: the readable original is still on the server"))
    .not.toBeInTheDocument();
  await expect.poll(() => kept.destroyed).toEqual([id]);
});

test.for([
  ["is being made", { status: "processing" as const }, "The transcript isn’t finished yet. You can move it once it is."],
  ["has no audio", { hasAudio: false }, "This transcript has no audio. Only recordings can be moved to the vault."],
  ["does not exist", null, "This recording was not found, neither in your vault nor among your transcripts."],
] as const)("does not move a transcription that %s", async ([, plain, text]) => {
  await open(plain);
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(button("Encrypt this recording")).not.toBeInTheDocument();
  const back = page.getByRole("link", { name: "Back to the transcript" });
  if (plain === null) await expect.element(back).not.toBeInTheDocument();
  else await expect.element(back).toBeVisible();
  await page.getByRole("link", { name: "All recordings" }).click();
  await expect.element(heading("In the vault")).toBeVisible();
});

test("moves nothing without a subscription, and reports a transcription that can't be loaded", async () => {
  const kept = await open({ status: "failed", title: "" }, { as: "free" });
  await expect.element(heading("Untitled recording")).toBeVisible();
  await expect.element(page.getByText("Adding, renaming, correcting and transcribing need Premium.")).toBeVisible();
  await expect.element(button("Encrypt this recording")).not.toBeInTheDocument();
  expect(kept.items).toEqual([]);
  await openPage("/about");
  answer({ [`GET ${one}`]: refusal(500, "internal") });
  await openPage(`/encrypted-audio/${id}`, { as: "premium", profile: { id: crypto.randomUUID() } });
  await unlock();
  await expect.element(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expect
    .element(page.getByText("This recording was not found, neither in your vault nor among your transcripts"))
    .not.toBeInTheDocument();
});
