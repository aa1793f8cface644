import { expect, test } from "vitest";
import type { FinalTranscription } from "#contract/index.ts";
import { selectPhase } from "#machines/dictation/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { openRecorder } from "#src/features/dictation/actor.ts";
import { answer, openPage, page, type Realtime, recognize, refusal, userEvent } from "#tests/components/harness.ts";
import { passage, persistTranscription } from "#tests/components/harness-transcripts.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const captions = page.getByTestId("captions");
const speak = page.getByRole("region", { name: "Speak", exact: true });
const state = speak.getByRole("status");
const saving = "POST /api/v1/audio-transcriptions/save-final-transcription";

/** Each test has its own user, so that no test is offered the recording of another. */
async function open(options: Parameters<typeof openPage>[1] = {}): Promise<void> {
  await openPage("/speech-to-text", { as: "premium", ...options, profile: { id: crypto.randomUUID() } });
}

/** Records the saved transcripts, and shows the last one as a transcript. */
function keepSaved(): FinalTranscription[] {
  const saved: FinalTranscription[] = [];
  const server = persistTranscription({ id: "saved" });
  answer({
    [saving]: async ({ request }) => {
      const final: FinalTranscription = await request.json();
      saved.push(final);
      const { title, text, segments } = final;
      server.kept = { ...server.kept, title, text, segments };
      return { id: "saved" };
    },
  });
  return saved;
}

const title = page.getByRole("heading", { level: 1 });

/** Presses the button and waits until the server has received sound. */
async function record(realtime: Realtime): Promise<void> {
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
}

test("shows words while the user speaks, and saves them as a transcript", async () => {
  const [realtime, saved] = [recognize(), keepSaved()];
  await open();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await record(realtime);
  await expect.element(state).toHaveTextContent("Listening…");
  await expect.element(captions).toHaveTextContent("Your words appear here.");
  await expect.element(speak.getByText("English", { exact: true })).toBeVisible();
  await expect.element(speak.getByRole("meter", { name: "Microphone level" })).toBeInTheDocument();
  await expect.element(button("Stop")).toHaveFocus();
  realtime.partial("please cal", { start: 61 });
  await expect.element(page.getByTestId("partial")).toHaveTextContent("1:01please cal");
  realtime.final("Please call Stella.", 61);
  await expect.element(captions).toHaveTextContent("1:01Please call Stella.");
  await expect.element(captions).toHaveAttribute("lang", "en");
  await expect.element(page.getByTestId("partial")).not.toBeInTheDocument();
  await button("Stop").click();
  await expect.element(title).toHaveTextContent("Please call Stella");
  await expect.element(title).toHaveFocus();
  await expect.element(page.getByRole("status").getByText("Saved to your dashboard.")).toBeVisible();
  expect(location.pathname).toBe("/transcription/saved");
  const [start] = realtime.starts;
  expect(realtime.starts).toEqual([
    { type: "start", token: expect.stringMatching(/^ey/), recordingId: expect.any(String), sourceLanguage: "en" },
  ]);
  expect(realtime.ends).toEqual([realtime.frames]);
  expect(saved).toEqual([
    expect.objectContaining({ recordingId: start?.recordingId, sourceLanguage: "en", segments: realtime.segments }),
  ]);
});

test("keeps the words in place when Stop turns them into a transcript, and Back opens a new recording", async () => {
  const [realtime] = [recognize({ onEnd: () => {} }), keepSaved()];
  await open();
  await record(realtime);
  for (let line = 0; line < 40; line += 1) realtime.final(`Line ${line} is said.`);
  const last = captions.getByText("Line 39 is said.");
  await expect.element(last).toBeInViewport();
  const before = last.element().getBoundingClientRect();
  await button("Stop").click();
  realtime.say({ type: "done", segments: realtime.segments, durationSeconds: 80 });
  await expect.element(title).toHaveTextContent("Line 0 is said");
  const { x, y } = passage(39).getByText("Line", { exact: true }).element().getBoundingClientRect();
  expect([Math.abs(x - before.x), Math.abs(y - before.y)].every((moved) => moved < 5)).toBe(true);
  history.back();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await expect.element(page.getByText("Line 39 is said.")).not.toBeInTheDocument();
});

test("stops a recording and starts no other when Enter is pressed three times", async () => {
  const [realtime, saved] = [recognize(), keepSaved()];
  await open();
  await record(realtime);
  realtime.final("Hello.");
  for (let press = 0; press < 3; press += 1) await userEvent.keyboard("{Enter}");
  await expect.element(title).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect([realtime.starts.length, saved.length, location.pathname]).toEqual([1, 1, "/transcription/saved"]);
});

test("starts no other recording when Enter is pressed while saving fails", async () => {
  const realtime = recognize();
  await open();
  answer({ [saving]: refusal(500, "internal") });
  await record(realtime);
  realtime.final("Hello.");
  await userEvent.keyboard("{Enter}");
  await expect.element(state).toHaveTextContent("Something went wrong.");
  await expect.element(button("Try again")).toHaveFocus();
  await userEvent.keyboard("{Enter}{Enter}");
  await expect.element(state).toHaveTextContent("Something went wrong.");
  expect(realtime.starts).toHaveLength(1);
});

test("leaves the user on another page when the rest is written down after they left", async () => {
  const [realtime, saved] = [recognize({ onEnd: () => {} }), keepSaved()];
  await open();
  await record(realtime);
  realtime.final("Hello.");
  await button("Stop").click();
  await expect.element(state).toHaveTextContent("Transcribing the rest…");
  await pageRouter().navigate({ to: "/feedback" });
  realtime.say({ type: "done", segments: realtime.segments, durationSeconds: 2 });
  await expect.poll(() => selectPhase(openRecorder().actor.getSnapshot())).toBe("saved");
  expect([saved.length, location.pathname]).toEqual([1, "/feedback"]);
  await pageRouter().navigate({ to: "/speech-to-text" });
  await expect.element(state).toHaveTextContent("Saved to your dashboard.");
});

test("sends nothing during a pause, and recognizes the last words after Stop", async () => {
  const [realtime] = [recognize({ onEnd: () => {} }), keepSaved()];
  await open();
  await record(realtime);
  await button("Pause").click();
  await expect.element(state).toHaveTextContent("Paused: nothing is being recorded.");
  const clock = speak.getByText(/^\d:\d\d$/);
  const [frames, shown] = [realtime.frames, clock.element().textContent];
  await button("Resume").click();
  await expect.element(state).toHaveTextContent("Listening…");
  await expect.poll(() => realtime.frames).toBeGreaterThan(frames + 2);
  await expect.poll(() => clock.element().textContent).not.toBe(shown);
  await button("Stop").click();
  await expect.element(state).toHaveTextContent("Transcribing the rest…");
  await expect.element(button("Pause")).toBeDisabled();
  await expect.element(button("Stop")).toHaveAttribute("aria-busy", "true");
  realtime.final("Hello.");
  realtime.say({ type: "done", segments: realtime.segments, durationSeconds: 2 });
  await expect.element(title).toHaveTextContent("Hello");
});

test("says what is kept after a lost connection, and resumes with the missing frames", async () => {
  const [realtime, saved] = [recognize(), keepSaved()];
  await open();
  await record(realtime);
  realtime.final("Before.");
  realtime.close();
  await expect.element(page.getByText("Connection lost")).toBeVisible();
  await expect.element(page.getByText(/^0:\d\d of audio is stored in this browser\.$/)).toBeVisible();
  await expect.poll(() => realtime.starts).toHaveLength(2);
  await expect.element(page.getByText("Connection lost.")).not.toBeInTheDocument();
  expect(realtime.starts[1]?.recordingId).toBe(realtime.starts[0]?.recordingId);
  await expect.element(captions).toHaveTextContent("0:00Before.");
  realtime.final("After.");
  await button("Stop").click();
  await expect.poll(() => saved[0]?.segments.map(({ text }) => text)).toEqual(["Before.", "After."]);
  await expect.element(title).toHaveTextContent("Before. After");
});

// PROMISE dictation: Text that could not be saved waits, and is saved as soon as possible
test("keeps a transcript that could not be saved, and saves it on request", async () => {
  const realtime = recognize();
  await open();
  answer({ [saving]: refusal(500, "internal") });
  await record(realtime);
  realtime.final("Hello.");
  await button("Stop").click();
  await expect.element(page.getByText("1 transcript is stored only in this browser and couldn’t be saved yet.")).toBeVisible();
  await expect.element(state).toHaveTextContent("Something went wrong.");
  const saved = keepSaved();
  await button("Save now").click();
  await expect.poll(() => saved).toHaveLength(1);
  await expect.element(page.getByText("couldn’t be saved yet")).not.toBeInTheDocument();
  await expect.poll(() => localStorage.getItem("transcriptions")).toBeNull();
});

test("lets the user keep or discard a recording without words", async () => {
  const realtime = recognize();
  const removed: unknown[] = [];
  const saved = keepSaved();
  answer({
    "DELETE /audio/remove-transcription/:id": ({ params }) => {
      removed.push(params.id);
      return {};
    },
  });
  await open();
  await record(realtime);
  await button("Stop").click();
  await expect.element(state).toHaveTextContent("No speech detected.");
  await expect
    .element(page.getByText("Check the microphone and speak a little louder. You can save the recording or discard it."))
    .toBeVisible();
  await expect.element(button("Start recording")).toBeDisabled();
  await button("Save the recording").click();
  await expect.element(state).toHaveTextContent("Saved to your dashboard.");
  expect(saved.map(({ segments }) => segments)).toEqual([[]]);
  await button("Start recording").click();
  await expect.element(state).toHaveTextContent("Listening…");
  await button("Stop").click();
  await button("Discard").click();
  await expect.element(state).toHaveTextContent("Ready when you are.");
  await expect.poll(() => removed).toEqual(["saved"]);
});

test("keeps speech beyond the free minutes in the browser, and says that it can be finished later", async () => {
  const realtime = recognize();
  await open();
  await record(realtime);
  realtime.refuse("limitReached");
  await expect
    .element(page.getByText("What you just said stays in this browser. You can finish it after an upgrade, or next month."))
    .toBeVisible();
  await expect.element(state).toHaveTextContent("Something went wrong.");
});

test.for([
  [false, "Recording stopped because your free minutes are used up. What you said until then is transcribed and saved."],
  [true, "Recording stopped after half an hour of silence"],
] as const)("stops when the server accepts no more sound (silence: %s), and says why", async ([silence, text]) => {
  const [realtime, saved] = [recognize(), keepSaved()];
  await open();
  await record(realtime);
  realtime.final("Hello.");
  realtime.say({ type: "limit", frames: null, silence });
  realtime.say({ type: "limit", frames: 1, silence });
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.poll(() => saved).toHaveLength(1);
  expect(realtime.ends.at(-1)).toBe(1);
  await expect.element(title).toHaveTextContent("Hello");
});
