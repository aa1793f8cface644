import { expect, onTestFinished, test } from "vitest";
import { largest } from "#machines/dictation/captions-window/machine.ts";
import { answer, holdAnswer, openPage, page, recognize, userEvent } from "#tests/components/harness.ts";
import { persistTranscription } from "#tests/components/harness-transcripts.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const captions = page.getByTestId("captions");
const speak = page.getByRole("region", { name: "Speak", exact: true });

const open = () => openPage("/speech-to-text", { as: "premium", profile: { id: crypto.randomUUID() } });

/** Makes the browser refuse the microphone until the test ends or calls the returned function. */
function refuse(name: string): () => void {
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", name));
  const allow = () => void Object.assign(mediaDevices, { getUserMedia: ask });
  onTestFinished(allow);
  return allow;
}

test.for([
  ["NotAllowedError", "Microphone access is blocked."],
  ["SecurityError", "Microphone access is blocked."],
  ["NotFoundError", "No microphone found."],
  ["NotReadableError", "Another program is using the microphone."],
  ["AbortError", "Another program is using the microphone."],
] as const)("explains a missing microphone (%s), and records on retry", async ([name, text]) => {
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

test("keeps the newest words in sight on a phone, and offers a button back to them", async () => {
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

test("shows the translation beside the words, and retries a failed translation", async () => {
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

test("covers the page with captions in the chosen size and contrast when no window can stay on top", async () => {
  const onTop = Object.getOwnPropertyDescriptor(globalThis, "documentPictureInPicture");
  Reflect.deleteProperty(globalThis, "documentPictureInPicture");
  onTestFinished(() => void (onTop && Object.defineProperty(globalThis, "documentPictureInPicture", onTop)));
  const realtime = recognize();
  await open();
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await button("Floating captions").click();
  const dialog = page.getByRole("dialog", { name: "Captions" });
  await expect.element(dialog).toMatchTextContent("This browser can’t keep a window on top of others");
  await expect.element(dialog.getByRole("button", { name: "Close captions" })).toHaveFocus();
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
  await expect.element(button("Floating captions")).toHaveFocus();
});

test("disables the sound of a tab in a browser that can't share it", async () => {
  const share = Object.getOwnPropertyDescriptor(MediaDevices.prototype, "getDisplayMedia");
  Reflect.deleteProperty(MediaDevices.prototype, "getDisplayMedia");
  onTestFinished(() => void (share && Object.defineProperty(MediaDevices.prototype, "getDisplayMedia", share)));
  await open();
  await page.getByText("Audio source").first().click();
  await expect
    .element(page.getByText("This browser can’t share the audio of a tab. Use Chrome, Edge or Opera on a computer."))
    .toBeVisible();
  const options = [...page.getByLabelText("Audio source").element().querySelectorAll("option")];
  expect(options.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ["Microphone", false],
    ["Audio of a tab or of the computer", true],
    ["Both", true],
  ]);
});

test("records the sound of a tab until sharing ends, and explains a share without sound", async () => {
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
  await page.getByText("Audio source").first().click();
  await page.getByLabelText("Audio source").selectOptions("display");
  await expect.element(page.getByText("Only the audio is recorded, not the picture.")).toBeVisible();
  await button("Start recording").click();
  await expect.element(page.getByText("Your choice was shared without its audio.")).toBeVisible();
  shared = beep();
  await button("Try again").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await expect.element(speak.getByRole("meter", { name: "Sound level" })).toBeInTheDocument();
  realtime.final("Hello.");
  for (const track of shared.getTracks()) track.dispatchEvent(new Event("ended"));
  await expect
    .element(page.getByText("Sharing has ended. Everything up to that point is stored and will be transcribed."))
    .toBeVisible();
  held.give({ id: kept.id });
  await expect.poll(() => location.pathname).toBe(`/transcription/${kept.id}`);
});
