import { beforeEach, expect, test } from "vitest";
import { DeviceFailure } from "#src/features/device-models/failure.ts";
import { openPage, page } from "#tests/components/harness.ts";
import { keepModel, segment } from "./kept-model.ts";
import { button, choose, heading, isSame, keepVault, listed, silence, unlock } from "./kept-vault.ts";

beforeEach(() => localStorage.removeItem("vaultTranscribes"));

async function open(as: "premium" | "free" = "premium"): Promise<void> {
  await openPage("/encrypted-audio", { as, profile: { id: crypto.randomUUID() } });
  await unlock();
  await expect.element(heading("In the vault")).toBeVisible();
}

const choice = page.getByLabelText("Transcribe on this device (English)");
const words = page.getByTestId("captions");
const offer = button(/^Download model/);

/** Records a beep with live transcription. */
async function record(): Promise<void> {
  await choice.click();
  await button("Start recording").click();
  await expect.element(page.getByText("Recording", { exact: true })).toBeVisible();
  await expect.element(page.getByText("0:01", { exact: true })).toBeVisible();
}

test("shows words during a recording, and stores them in the vault as its text", async () => {
  const kept = await keepVault();
  const model = keepModel();
  await open();
  await record();
  await expect.element(words.getByText("Your words appear here while you speak.")).toBeVisible();
  const stream = model.stream();
  // A second of 16-bit samples has 32,000 bytes.
  await expect.poll(() => stream.bytes).toBeGreaterThan(20_000);
  stream.onInterim("Good mor");
  await expect.element(page.getByTestId("partial")).toMatchTextContent(/Good mor$/);
  stream.onFinal(segment(0, "Good morning."));
  await expect.element(words.getByText("Good morning.")).toBeVisible();
  await expect.element(page.getByTestId("partial")).not.toBeInTheDocument();
  await expect.element(choice).not.toBeInTheDocument();
  await button("Stop").click();
  await expect.element(page.getByText("Finishing the transcript…")).toBeVisible();
  expect(kept.items).toEqual([]);
  stream.finish.resolve([segment(0, "Good morning."), segment(1, "How are you?")]);
  await expect.element(listed.getByText("with transcript")).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
  const { name, recordedAt, durationSeconds } = await kept.metaOf(kept.items[0]?.id ?? "");
  expect(await kept.textOf()).toMatchObject({
    title: name,
    date: recordedAt,
    durationSeconds,
    text: "Good morning. How are you?",
    segments: [segment(0, "Good morning."), segment(1, "How are you?")],
    sourceLanguage: "en-US",
    status: "completed",
    engine: "moonshine-tiny-en",
  });
});

test("stores a recording without speech without a text, and says so", async () => {
  const kept = await keepVault();
  const model = keepModel();
  await open();
  await record();
  await button("Stop").click();
  model.stream().finish.resolve([]);
  await expect.element(listed).toBeVisible();
  await expect.element(page.getByText("No speech detected, so this recording has no transcript.")).toBeVisible();
  expect([kept.items[0]?.hasText, kept.texts.size]).toEqual([false, 0]);
});

test("keeps recording when live words stop, and transcribes the audio afterwards", async () => {
  const kept = await keepVault();
  const model = keepModel();
  await open();
  await record();
  model.stream().onFinal(segment(0, "Good"));
  model.stream().onFailed("tooSlow");
  await expect.element(page.getByText("This device is too slow to show words while you speak.")).toBeVisible();
  await expect.element(page.getByText("Your recording is not affected.")).toBeVisible();
  await expect.element(words.getByText("Good", { exact: true })).toBeVisible();
  await button("Stop").click();
  await expect.element(listed.getByText("Transcribing on this device, as English…")).toBeVisible();
  const recording = model.recording();
  expect([recording.sound.type, kept.texts.size]).toEqual(["audio/webm", 0]);
  recording.onProgress(0.5);
  await expect.element(listed.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  recording.done.resolve([segment(0, "Good evening.")]);
  await expect.element(listed.getByText("with transcript")).toBeVisible();
  await expect.element(page.getByText("The transcript is in the vault.")).toBeVisible();
  expect(await kept.textOf()).toMatchObject({ text: "Good evening.", segments: [segment(0, "Good evening.")] });
});

test("removes the words from the page when the vault is locked, and stores them encrypted", async () => {
  const kept = await keepVault();
  const model = keepModel();
  await open();
  await record();
  model.stream().onFinal(segment(0, "Good morning."));
  await expect.element(words.getByText("Good morning.")).toBeVisible();
  await button("Lock").click();
  await expect.element(heading("The vault is locked")).toBeVisible();
  expect([model.stream().wasCancelled, document.body.textContent.includes("Good morning.")]).toEqual([true, false]);
  await expect.element(page.getByText(/^1 recording, /)).toBeVisible();
  expect(await kept.textOf()).toMatchObject({ text: "Good morning." });
  await unlock();
  await expect.element(listed.getByText("with transcript")).toBeVisible();
});

test("records without words when the model is missing, and offers the model", async () => {
  const kept = await keepVault();
  const model = keepModel("nothing");
  await open();
  await expect.element(offer).not.toBeInTheDocument();
  await record();
  await expect.element(offer).toBeVisible();
  await expect.element(page.getByText("This device can’t show words while you speak.")).toBeVisible();
  await button("Stop").click();
  await expect.element(listed).toBeVisible();
  expect([model.streams, model.recordings, kept.texts.size]).toEqual([[], [], 0]);
});

test("offers a model again that is found damaged during a recording, and says so once", async () => {
  await keepVault();
  const model = keepModel();
  await open();
  await record();
  model.damage();
  model.stream().onFailed("damaged");
  await expect.element(button("Try again")).toBeVisible();
  expect(page.getByText("Part of the model was missing or changed, so the model was deleted").elements()).toHaveLength(1);
  await expect.element(page.getByText("if the model is on this device by then")).toBeVisible();
  await button("Stop").click();
  await expect.element(listed).toBeVisible();
});

test("remembers the choice of transcription in the browser, and recognizes nothing without it", async () => {
  await keepVault();
  const model = keepModel();
  await open();
  await choice.click();
  expect(localStorage.getItem("vaultTranscribes")).toBe("true");
  await choice.click();
  await button("Start recording").click();
  await expect.element(page.getByText("0:01", { exact: true })).toBeVisible();
  await button("Stop").click();
  await expect.element(listed).toBeVisible();
  expect(model.streams).toEqual([]);
});

test("downloads the model first, then transcribes an item on the device", async () => {
  const kept = await keepVault();
  const id = await kept.put("Call", silence(2));
  const model = keepModel("nothing");
  await open();
  await choose("Transcribe on this device");
  await listed.getByRole("button", { name: /^Download model/ }).click();
  await expect.element(listed.getByText("Transcribing on this device, as English…")).toBeVisible();
  const recording = model.recording();
  expect(recording.sound.type).toBe("audio/wav");
  expect(isSame(new Uint8Array(await recording.sound.arrayBuffer()), silence(2))).toBe(true);
  recording.done.resolve([segment(0, "Hello.")]);
  await expect.element(listed.getByText("with transcript")).toBeVisible();
  expect(await kept.textOf(id)).toMatchObject({ title: "Call", text: "Hello.", durationSeconds: 61 });
});

/** Starts the transcription of an item's audio. */
async function transcribing() {
  const kept = await keepVault();
  await kept.put("Call", silence());
  const model = keepModel();
  await open();
  await choose("Transcribe on this device");
  await expect.poll(() => model.recordings.length).toBe(1);
  return { kept, model };
}

test("says why an item was not transcribed, and lets the user cancel and retry", async () => {
  const { kept, model } = await transcribing();
  await listed.getByRole("button", { name: "Cancel" }).click();
  expect(model.recording().signal.aborted).toBe(true);
  await expect.element(listed.getByRole("progressbar")).not.toBeInTheDocument();
  const fails = async (count: number, why: () => void, text: string) => {
    await choose("Transcribe on this device");
    await expect.poll(() => model.recordings.length).toBe(count);
    why();
    await expect.element(listed.getByText(text)).toBeVisible();
  };
  const refuse = (code: string) => () => model.recording().done.reject(new DeviceFailure(code));
  await fails(2, refuse("cantDecode"), "This browser can’t read the format of this recording.");
  await fails(3, refuse("workerLost"), "The browser stopped the model, perhaps because memory ran out");
  await fails(4, () => model.recording().done.resolve([]), "No speech detected.");
  expect(kept.texts.size).toBe(0);
});

test("keeps a refused text encrypted, and stores it later without recognizing again", async () => {
  const { kept, model } = await transcribing();
  kept.takesTexts = false;
  model.recording().done.resolve([segment(0, "Hello.")]);
  await expect.element(listed.getByRole("alert")).toBeVisible();
  expect(kept.texts.size).toBe(0);
  kept.takesTexts = true;
  await choose("Transcribe on this device");
  await expect.element(listed.getByText("with transcript")).toBeVisible();
  expect([model.recordings.length, (await kept.textOf())?.text]).toEqual([1, "Hello."]);
});

test("does not replace a text that another tab has created meanwhile", async () => {
  const { kept, model } = await transcribing();
  await kept.write(kept.items[0]?.id ?? "", JSON.stringify({ text: "corrected" }));
  model.recording().done.resolve([segment(0, "Hello.")]);
  await expect.element(listed.getByText("with transcript")).toBeVisible();
  expect(await kept.textOf()).toEqual({ text: "corrected" });
});

test("transcribes an item again only after confirmation", async () => {
  const kept = await keepVault();
  const id = await kept.put("Call", silence(), JSON.stringify({ text: "corrected" }));
  const model = keepModel();
  await open();
  await choose("Transcribe again on this device");
  await expect.element(page.getByText("including your corrections")).toBeVisible();
  await button("Keep this transcript").click();
  expect(model.recordings).toEqual([]);
  await choose("Transcribe again on this device");
  await page.getByRole("dialog").getByRole("button", { name: "Transcribe again" }).click();
  await expect.poll(() => model.recordings.length).toBe(1);
  model.recording().done.resolve([segment(0, "Hello.")]);
  await expect.poll(() => kept.textOf(id)).toMatchObject({ text: "Hello." });
});

test("cancels the transcription when the vault is locked", async () => {
  const { kept, model } = await transcribing();
  await button("Lock").click();
  await expect.element(heading("The vault is locked")).toBeVisible();
  expect(model.recording().signal.aborted).toBe(true);
  model.recording().done.resolve([segment(0, "Hello.")]);
  await unlock();
  await expect.element(listed).toBeVisible();
  expect(kept.texts.size).toBe(0);
});

test("disables transcription without a subscription", async () => {
  const kept = await keepVault();
  await kept.put("Call", silence());
  keepModel();
  await open("free");
  await listed.getByText("More", { exact: true }).click();
  await expect.element(listed.getByRole("button", { name: "Transcribe on this device" })).toBeDisabled();
  await expect.element(choice).not.toBeInTheDocument();
});
