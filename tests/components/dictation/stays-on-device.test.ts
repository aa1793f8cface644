import { expect, test } from "vitest";
import type { FinalTranscription } from "#contract/index.ts";
import { selectPhase } from "#machines/dictation/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { openRecorder } from "#src/features/dictation/actor.ts";
import { answer, engines, openPage, page, type Realtime, recognize, usage } from "#tests/components/harness.ts";
import { persistTranscription } from "#tests/components/harness-transcripts.ts";
import { keepModel, segment } from "#tests/components/vault/kept-model.ts";
import { keepTranslator } from "#tests/components/vault/kept-translator.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const place = page.getByLabelText("Recognize", { exact: true });
const captions = page.getByTestId("captions");
const speak = page.getByRole("region", { name: "Speak", exact: true });
const state = speak.getByRole("status");
const stays = page.getByText("What you say stays on this device until you save it.");
const offer = page.getByRole("button", { name: /^Download model/ });

/**
 * Opens the page for a new user, or for the one with this id.
 * @returns the user's id
 */
async function open(options: Parameters<typeof openPage>[1] = {}, id: string = crypto.randomUUID()): Promise<string> {
  await openPage("/speech-to-text", { as: "premium", ...options, profile: { id } });
  return id;
}

/** A server that accepts the words that the device recognized, and stores the saved transcripts. */
function server(): { realtime: Realtime; saved: FinalTranscription[] } {
  const saved: FinalTranscription[] = [];
  const kept = persistTranscription({ id: "saved" });
  answer({
    "POST /api/v1/audio-transcriptions/save-final-transcription": async ({ request }) => {
      const final: FinalTranscription = await request.json();
      saved.push(final);
      const { title, text, segments } = final;
      kept.kept = { ...kept.kept, title, text, segments };
      return { id: "saved" };
    },
  });
  const realtime = recognize({
    onEnd: ({ heard, say }) => say({ type: "done", segments: heard, durationSeconds: 2 }),
  });
  return { realtime, saved };
}

/** Dictates a sentence on the device, up to the choice between saving and discarding. */
async function dictate(model: ReturnType<typeof keepModel>, text: string): Promise<void> {
  await button("Start recording").click();
  await expect.element(state).toHaveTextContent("Listening…");
  const stream = model.stream();
  // A second of 16-bit samples has 32,000 bytes.
  await expect.poll(() => stream.bytes).toBeGreaterThan(10_000);
  stream.onFinal(segment(0, text));
  await expect.element(captions).toHaveTextContent(`0:00${text}`);
  await button("Stop").click();
  stream.finish.resolve([segment(0, text)]);
  await expect.element(state).toHaveTextContent("Transcribed, but not saved yet.");
}

test("lets the user choose recognition on the device or the server, and remembers the choice", async () => {
  keepModel();
  const id = await open();
  await expect.element(place).toHaveValue("server");
  await expect.element(stays).not.toBeInTheDocument();
  await place.selectOptions("on this device");
  await expect.element(stays).toBeVisible();
  await expect.element(page.getByLabelText("Translate to")).toBeDisabled();
  await expect.element(page.getByLabelText("Translate to").getByRole("option")).toHaveTextContent("After saving");
  await openPage("/feedback", { as: "premium", profile: { id } });
  await open({}, id);
  await expect.element(place).toHaveValue("device");
  await expect.element(stays).toBeVisible();
});

test("offers the missing model, and blocks recording until it is on the device", async () => {
  const model = keepModel("nothing");
  await open();
  await place.selectOptions("on this device");
  await expect.element(offer).toBeVisible();
  await expect.element(state).toHaveTextContent("Download the model first, or use the server.");
  await expect.element(button("Start recording")).toHaveAttribute("aria-disabled", "true");
  await button("Start recording").click({ force: true });
  await expect.element(page.getByRole("status").getByText("Download the model first").last()).toBeVisible();
  expect(model.streams).toEqual([]);
  await offer.click();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await expect.element(button("Start recording")).not.toHaveAttribute("aria-disabled");
});

test("offers English or the server for a language that the device can't recognize", async () => {
  keepModel();
  const german = { code: "de-DE", available: true, engine: "moonshine-tiny-en", live: true } as const;
  const languages = engines.speech.languages.map((option) => (option.code === "de-DE" ? german : option));
  answer({ "GET /api/v1/engines": { ...engines, speech: { ...engines.speech, languages } } });
  await open();
  await page.getByLabelText("Spoken language").selectOptions("German (Germany)");
  await place.selectOptions("on this device");
  await expect.element(state).toHaveTextContent("This device recognizes only English.");
  await expect.element(stays).not.toBeInTheDocument();
  await button("Switch to English").click();
  await expect.element(stays).toBeVisible();
  await page.getByLabelText("Spoken language").selectOptions("German (Germany)");
  await button("Use the server").click();
  await expect.element(place).toHaveValue("server");
  await expect.element(page.getByLabelText("Spoken language")).toHaveValue("de-DE");
  await expect.element(state).toHaveTextContent("Ready when you are.");
});

test("sends a dictation on the device only when the user saves it", async () => {
  const [model, { realtime, saved }] = [keepModel(), server()];
  await open();
  await place.selectOptions("on this device");
  await dictate(model, "Good morning.");
  await expect.element(button("Save")).toHaveFocus();
  await expect.element(speak.getByText("English · on this device", { exact: true })).toBeVisible();
  await expect.element(captions).toHaveTextContent("0:00Good morning.");
  await expect.element(button("Start recording")).toBeDisabled();
  expect([realtime.starts, realtime.frames]).toEqual([[], 0]);
  await button("Save").click();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Good morning");
  expect(realtime.starts).toMatchObject([{ sourceLanguage: "en", heardBy: "device" }]);
  expect(realtime.heard).toMatchObject([{ text: "Good morning." }]);
  expect(realtime.ends).toEqual([realtime.frames]);
  expect(saved).toMatchObject([{ recordingId: realtime.starts[0]?.recordingId, text: "Good morning.", targetLanguage: null }]);
});

test("translates a dictation on the device once the model is there, and saves the translation too", async () => {
  const [model, { saved }] = [keepModel(), server()];
  const translator = keepTranslator("nothing");
  await open();
  await place.selectOptions("on this device");
  await page.getByLabelText("Translate to").selectOptions("German");
  await expect.element(state).toHaveTextContent("Download the translation model first, or choose no translation.");
  await expect.element(page.getByRole("heading", { name: "Translation from English into German" })).toBeVisible();
  await offer.click();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await dictate(model, "Good morning.");
  await expect.poll(() => translator.last().texts).toEqual(["Good morning."]);
  translator.give();
  await expect.element(page.getByTestId("translation")).toHaveTextContent("0:00de: Good morning.");
  await button("Save").click();
  await expect
    .poll(() => saved)
    .toMatchObject([{ text: "Good morning.", translatedText: "de: Good morning.", targetLanguage: "de" }]);
});

test("ignores a key that is held down since Stop, so that it does not save the dictation", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  await open();
  await place.selectOptions("on this device");
  await dictate(model, "Good night.");
  await expect.element(button("Save")).toHaveFocus();
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  expect(button("Save").element().dispatchEvent(held)).toBe(false);
  expect(realtime.starts).toEqual([]);
});

// A request without an answer fails the test.
test("discards an unsaved dictation only after confirmation, without any request to the server", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  await open();
  await place.selectOptions("on this device");
  await dictate(model, "Nobody hears this.");
  await button("Discard").click();
  await expect.element(page.getByRole("dialog").getByText("It is stored only on this device.")).toBeVisible();
  await button("Keep").click();
  await expect.element(state).toHaveTextContent("Transcribed, but not saved yet.");
  await button("Discard").click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await expect.element(captions).not.toBeInTheDocument();
  await expect.element(page.getByText("You have a recording that is only on this device")).not.toBeInTheDocument();
  expect(realtime.starts).toEqual([]);
});

test("offers an unsaved dictation on the next visit, to open or to discard", async () => {
  const [model, { realtime, saved }] = [keepModel(), server()];
  const id = await open();
  await place.selectOptions("on this device");
  await dictate(model, "Good evening.");
  // The recording survives a change of the page.
  await pageRouter().navigate({ to: "/feedback" });
  await pageRouter().navigate({ to: "/speech-to-text" });
  await expect.element(captions).toHaveTextContent("0:00Good evening.");
  await expect.element(button("Save")).toBeVisible();
  // Opening the page as another user ends this user's recorder, as closing the tab does.
  await open();
  await expect.element(page.getByText("You have a recording that is only on this device")).not.toBeInTheDocument();
  await open({}, id);
  await expect.element(page.getByText("You have a recording that is only on this device")).toBeVisible();
  await button("Open").click();
  await expect.element(state).toHaveTextContent("Transcribed, but not saved yet.");
  await expect.element(captions).toHaveTextContent("0:00Good evening.");
  expect(realtime.starts).toEqual([]);
  await button("Save").click();
  await expect.poll(() => saved).toMatchObject([{ text: "Good evening." }]);
});

test("asks before it sends a recording without words", async () => {
  const [model, { realtime, saved }] = [keepModel(), server()];
  await open();
  await place.selectOptions("on this device");
  await button("Start recording").click();
  await expect.poll(() => model.streams).toHaveLength(1);
  await button("Stop").click();
  model.stream().finish.resolve([]);
  await expect.element(state).toHaveTextContent("No speech detected.");
  await expect.element(page.getByText("No speech detected, and nothing has left this device.")).toBeVisible();
  expect(realtime.starts).toEqual([]);
  await button("Save the recording").click();
  await expect.poll(() => saved).toHaveLength(1);
  await expect.poll(() => selectPhase(openRecorder().actor.getSnapshot())).toBe("saved");
});

test("allows dictation on the device without free minutes, but saving waits for more minutes", async () => {
  const [model, { realtime }] = [keepModel(), server()];
  answer({ "GET /api/v1/usage": { ...usage, usedTranslationMinutes: 10, limitMinutes: 10 } });
  await open({ as: "free" });
  await expect.element(state).toHaveTextContent("You've reached your 10-minute monthly limit. Upgrade for unlimited usage.");
  await place.selectOptions("on this device");
  await expect.element(button("Start recording")).not.toHaveAttribute("aria-disabled");
  await dictate(model, "I speak on.");
  realtime.say = () => {};
  await button("Save").click();
  await expect.poll(() => realtime.starts).toHaveLength(1);
  realtime.refuse("limitReached");
  await expect
    .element(page.getByText("What you just said stays in this browser. You can finish it after an upgrade, or next month."))
    .toBeVisible();
});
