import { expect, onTestFinished, test } from "vitest";
import { largest } from "#machines/dictation/captions-window/machine.ts";
import { answer, holdAnswer, openPage, page, recognize, userEvent } from "#tests/components/harness.ts";
import { persistTranscription } from "#tests/components/harness-transcripts.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const captions = page.getByTestId("captions");
const speak = page.getByRole("region", { name: "Speak", exact: true });

const open = () => openPage("/speech-to-text", { as: "premium", profile: { id: crypto.randomUUID() } });

/** The browser refuses the microphone until the test ends, or is told otherwise. */
function refuse(name: string): () => void {
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", name));
  const allow = () => void Object.assign(mediaDevices, { getUserMedia: ask });
  onTestFinished(allow);
  return allow;
}

test.for([
  ["NotAllowedError", "The microphone is not allowed."],
  ["SecurityError", "The microphone is not allowed."],
  ["NotFoundError", "There is no microphone."],
  ["NotReadableError", "Another program is using the microphone."],
  ["AbortError", "Another program is using the microphone."],
] as const)("says what to do without a microphone (%s), and records when asked again", async ([name, text]) => {
  const realtime = recognize();
  const allow = refuse(name);
  await open();
  await button("Start recording").click();
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByText("Upload a recording instead")).not.toBeInTheDocument();
  allow();
  await button("Try again").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await expect.element(page.getByText(text)).not.toBeInTheDocument();
});

test("the newest words stay in sight on a phone, and a button leads back from older ones", async () => {
  await page.viewport(390, 600);
  onTestFinished(() => page.viewport(1280, 800));
  const realtime = recognize();
  await open();
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await expect.element(page.getByLabelText("Spoken language")).not.toBeInTheDocument();
  await expect.element(page.getByTestId("drop-zone")).not.toBeVisible();
  for (let at = 0; at < 60; at += 1) realtime.final(`This is sentence ${at}.`);
  await expect.element(captions.getByText("This is sentence 59.")).toBeInViewport({ ratio: 1 });
  await expect.element(button("Stop")).toBeInViewport({ ratio: 1 });
  expect(document.documentElement.scrollHeight - innerHeight).toBe(0);
  await expect.element(button("Back to now")).not.toBeInTheDocument();
  captions.element().scrollTo(0, 0);
  await button("Back to now").click();
  await expect.element(captions.getByText("This is sentence 59.")).toBeInViewport({ ratio: 1 });
  await expect.element(button("Back to now")).not.toBeInTheDocument();
  await expect.element(captions).toHaveFocus();
});

test("shows the translation beside the words, and tries again what can't be translated", async () => {
  const realtime = recognize();
  const asked: unknown[] = [];
  let fails = true;
  answer({
    "POST /api/v1/translations": async ({ request }) => {
      asked.push(await request.json());
      return fails ? Response.json({ message: "no", code: "translationUnavailable" }, { status: 503 }) : { text: "Guten Tag." };
    },
  });
  await open();
  await page.getByRole("combobox", { name: "Translate to" }).selectOptions("de");
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await expect.element(speak.getByText("English → German")).toBeVisible();
  const translation = page.getByTestId("translation");
  await expect.element(translation).toHaveTextContent("The translation appears here.");
  realtime.final("Good day.");
  await expect.element(button("Try again")).toBeVisible();
  expect(asked.at(-1)).toEqual({ text: "Good day.", source: "en", target: "de" });
  fails = false;
  await button("Try again").click();
  await expect.element(translation).toHaveTextContent("0:00Guten Tag.");
  await expect.element(translation).toHaveAttribute("lang", "de");
  await expect.element(button("Try again")).not.toBeInTheDocument();
});

test("captions cover the page where no window stays on top, in the size and contrast that are chosen", async () => {
  const onTop = Object.getOwnPropertyDescriptor(globalThis, "documentPictureInPicture");
  Reflect.deleteProperty(globalThis, "documentPictureInPicture");
  onTestFinished(() => void (onTop && Object.defineProperty(globalThis, "documentPictureInPicture", onTop)));
  const realtime = recognize();
  await open();
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await button("Captions on top").click();
  const dialog = page.getByRole("dialog", { name: "Captions" });
  await expect.element(dialog).toMatchTextContent("This browser has no window that stays on top of others");
  await expect.element(dialog.getByRole("button", { name: "Close the captions" })).toHaveFocus();
  for (const text of ["One.", "Two.", "Three.", "Four."]) realtime.final(text);
  await expect.element(dialog.getByTestId("captions-in-sight")).toHaveTextContent("Two.Three.Four.");
  const larger = dialog.getByRole("button", { name: "Larger text" });
  while (larger.element().getAttribute("aria-disabled") === null) await larger.click();
  expect(localStorage.getItem("captionsLook")).toContain(`"size":${largest}`);
  await dialog.getByRole("button", { name: "High contrast" }).click();
  await expect.element(dialog.getByRole("button", { name: "High contrast" })).toHaveAttribute("aria-pressed", "true");
  expect(localStorage.getItem("captionsLook")).toContain('"isHighContrast":true');
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button("Captions on top")).toHaveFocus();
});

test("the sound of a tab can't be chosen in a browser that shares none", async () => {
  const share = Object.getOwnPropertyDescriptor(MediaDevices.prototype, "getDisplayMedia");
  Reflect.deleteProperty(MediaDevices.prototype, "getDisplayMedia");
  onTestFinished(() => void (share && Object.defineProperty(MediaDevices.prototype, "getDisplayMedia", share)));
  await open();
  await page.getByText("Listen to").first().click();
  await expect
    .element(page.getByText("This browser does not give pages the sound of a tab. Chrome, Edge and Opera on a computer do."))
    .toBeVisible();
  const options = [...page.getByLabelText("Listen to").element().querySelectorAll("option")];
  expect(options.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ["The microphone", false],
    ["The sound of a tab or of the computer", true],
    ["Both: that sound and the microphone", true],
  ]);
});

test("the sound of a tab is heard until sharing ends; without its sound it is said what to do", async () => {
  const realtime = recognize();
  const { kept } = persistTranscription();
  const held = holdAnswer();
  answer({ "POST /api/v1/audio-transcriptions/save-final-transcription": held.answer });
  const { mediaDevices } = navigator;
  const share = mediaDevices.getDisplayMedia;
  onTestFinished(() => void Object.assign(mediaDevices, { getDisplayMedia: share }));
  const beep = () => new AudioContext().createMediaStreamDestination().stream;
  let shared = new MediaStream();
  mediaDevices.getDisplayMedia = () => Promise.resolve(shared);
  await open();
  await page.getByText("Listen to").first().click();
  await page.getByLabelText("Listen to").selectOptions("display");
  await expect.element(page.getByText("Only the sound is taken; nothing of the picture is kept.")).toBeVisible();
  await button("Start recording").click();
  await expect.element(page.getByText("What you chose has come without its sound.")).toBeVisible();
  shared = beep();
  await button("Try again").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await expect.element(speak.getByRole("meter", { name: "Sound level" })).toBeInTheDocument();
  realtime.final("Hello.");
  for (const track of shared.getTracks()) track.dispatchEvent(new Event("ended"));
  await expect.element(page.getByText("Sharing has ended. What was heard until then is kept and written down.")).toBeVisible();
  held.give({ id: kept.id });
  await expect.poll(() => location.pathname).toBe(`/transcription/${kept.id}`);
});
