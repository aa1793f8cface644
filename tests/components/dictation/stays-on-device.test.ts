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
const place = page.getByLabelText("Listen", { exact: true });
const captions = page.getByTestId("captions");
const speak = page.getByRole("region", { name: "Speak", exact: true });
const state = speak.getByRole("status");
const stays = page.getByText("Nothing you say leaves this device until you save it.");
const offer = page.getByRole("button", { name: /^Download the model/ });

/** @returns the person's id; each test has a person of its own */
async function open(options: Parameters<typeof openPage>[1] = {}, id: string = crypto.randomUUID()): Promise<string> {
  await openPage("/speech-to-text", { as: "premium", ...options, profile: { id } });
  return id;
}

/** The server's side: it takes what this device has recognized, and keeps what is saved. */
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

/** Says a sentence on this device, up to the question what is to become of it. */
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
  await expect.element(state).toHaveTextContent("Written down, but not saved yet.");
}

test("a person chooses to be recognized on this device or on the server, and the browser remembers it", async () => {
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

test("the model is offered where it is not on this device, and Start says what is missing until it is", async () => {
  const model = keepModel("nothing");
  await open();
  await place.selectOptions("on this device");
  await expect.element(offer).toBeVisible();
  await expect.element(state).toHaveTextContent("Download the model first, or listen on this server.");
  await expect.element(button("Start recording")).toHaveAttribute("aria-disabled", "true");
  await button("Start recording").click({ force: true });
  await expect.element(page.getByRole("status").getByText("Download the model first").last()).toBeVisible();
  expect(model.streams).toEqual([]);
  await offer.click();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await expect.element(button("Start recording")).not.toHaveAttribute("aria-disabled");
});

test("another language is not understood on this device: English is offered, and the server", async () => {
  keepModel();
  const german = { code: "de-DE", available: true, engine: "moonshine-tiny-en", live: true } as const;
  const languages = engines.speech.languages.map((option) => (option.code === "de-DE" ? german : option));
  answer({ "GET /api/v1/engines": { ...engines, speech: { ...engines.speech, languages } } });
  await open();
  await page.getByLabelText("Spoken language").selectOptions("German (Germany)");
  await place.selectOptions("on this device");
  await expect.element(state).toHaveTextContent("Only English is understood on this device.");
  await expect.element(stays).not.toBeInTheDocument();
  await button("Switch to English").click();
  await expect.element(stays).toBeVisible();
  await page.getByLabelText("Spoken language").selectOptions("German (Germany)");
  await button("Listen on this server").click();
  await expect.element(place).toHaveValue("server");
  await expect.element(page.getByLabelText("Spoken language")).toHaveValue("de-DE");
  await expect.element(state).toHaveTextContent("Ready when you are.");
});

test("a dictation on this device is sent when the person saves it, and becomes a transcript", async () => {
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

test("a dictation on this device is translated there once the model is downloaded, and sent with its translation", async () => {
  const [model, { saved }] = [keepModel(), server()];
  const translator = keepTranslator("nothing");
  await open();
  await place.selectOptions("on this device");
  await page.getByLabelText("Translate to").selectOptions("German");
  await expect.element(state).toHaveTextContent("Download the model for the translation first, or choose no translation.");
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

test("a key that is held down since Stop does not save what is kept", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  await open();
  await place.selectOptions("on this device");
  await dictate(model, "Good night.");
  await expect.element(button("Save")).toHaveFocus();
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  expect(button("Save").element().dispatchEvent(held)).toBe(false);
  expect(realtime.starts).toEqual([]);
});

// What a test does not answer fails it.
test("what is thrown away is gone after a question, and the server is asked nothing", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  await open();
  await place.selectOptions("on this device");
  await dictate(model, "Nobody hears this.");
  await button("Throw away").click();
  await expect.element(page.getByRole("dialog").getByText("It is only on this device.")).toBeVisible();
  await button("Keep it").click();
  await expect.element(state).toHaveTextContent("Written down, but not saved yet.");
  await button("Throw away").click();
  await page.getByRole("dialog").getByRole("button", { name: "Throw away" }).click();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await expect.element(captions).not.toBeInTheDocument();
  await expect.element(page.getByText("A recording is only on this device")).not.toBeInTheDocument();
  expect(realtime.starts).toEqual([]);
});

test("what was not saved is there again on the next visit: it is opened with its words, or thrown away", async () => {
  const [model, { realtime, saved }] = [keepModel(), server()];
  const id = await open();
  await place.selectOptions("on this device");
  await dictate(model, "Good evening.");
  // It outlives the page.
  await pageRouter().navigate({ to: "/feedback" });
  await pageRouter().navigate({ to: "/speech-to-text" });
  await expect.element(captions).toHaveTextContent("0:00Good evening.");
  await expect.element(button("Save")).toBeVisible();
  // As when the tab is closed: the recorder of this person ends.
  await open();
  await expect.element(page.getByText("A recording is only on this device")).not.toBeInTheDocument();
  await open({}, id);
  await expect.element(page.getByText("A recording is only on this device")).toBeVisible();
  await button("Open").click();
  await expect.element(state).toHaveTextContent("Written down, but not saved yet.");
  await expect.element(captions).toHaveTextContent("0:00Good evening.");
  expect(realtime.starts).toEqual([]);
  await button("Save").click();
  await expect.poll(() => saved).toMatchObject([{ text: "Good evening." }]);
});

test("without a word, the person is asked before anything is sent", async () => {
  const [model, { realtime, saved }] = [keepModel(), server()];
  await open();
  await place.selectOptions("on this device");
  await button("Start recording").click();
  await expect.poll(() => model.streams).toHaveLength(1);
  await button("Stop").click();
  model.stream().finish.resolve([]);
  await expect.element(state).toHaveTextContent("No speech was heard.");
  await expect.element(page.getByText("No words were recognised, and nothing has left this device.")).toBeVisible();
  expect(realtime.starts).toEqual([]);
  await button("Keep the recording").click();
  await expect.poll(() => saved).toHaveLength(1);
  await expect.poll(() => selectPhase(openRecorder().actor.getSnapshot())).toBe("saved");
});

test("without free minutes, a person dictates on this device, and saving waits for more of them", async () => {
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
    .element(page.getByText("What you said just now stays in this browser. It can be finished after an upgrade, or next month."))
    .toBeVisible();
});
