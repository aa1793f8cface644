import { expect, onTestFinished, test } from "vitest";
import { answer, openPage, page, recognize, refusal, userEvent } from "#tests/components/harness.ts";
import { button, converse, english, openTranslator, speak, status, turnTexts, type, words } from "./harness-translator.ts";

const inStatus = (name: string) => expect.element(status).toHaveAttribute("data-status", name);

test("shows and translates speech live, and saves it as a turn", async () => {
  const [realtime, server] = [recognize(), converse()];
  await openTranslator();
  await speak(realtime);
  await inStatus("listening");
  await expect.element(status).toMatchTextContent(/^Listening to English…0:0\d/);
  await expect.element(english).toMatchTextContent("Press when done");
  expect(realtime.starts).toMatchObject([{ sourceLanguage: "en", targetLanguage: "de" }]);
  realtime.partial("good mor");
  await expect.element(words(0)).toHaveTextContent("good mor");
  realtime.final("Good morning.");
  await expect.element(words(0)).toHaveTextContent("Good morning.");
  await expect.element(words(1)).toHaveTextContent("GOOD MORNING.");
  expect(server.translations.at(-1)).toEqual({ text: "Good morning.", source: "en", target: "de" });
  expect(turnTexts()).toEqual([]);
  await english.click();
  await expect.poll(turnTexts).toEqual(["Good morning.GOOD MORNING."]);
  await inStatus("idle");
  await expect.element(english).toMatchTextContent("Press to speak");
  await expect.poll(() => server.calls).toHaveLength(1);
  expect(server.calls[0]?.body).toMatchObject({
    languages: ["en", "de-DE"],
    sourceLanguage: "en",
    targetLanguage: "de",
    segments: [{ text: "Good morning.", translation: "GOOD MORNING." }],
  });
});

test("translates a sentence before it ends, but announces only the final translation", async () => {
  const [realtime, server] = [recognize(), converse()];
  await openTranslator();
  await speak(realtime);
  realtime.partial("the ships are in the harbour and the men are", { stable: 44 });
  await expect.poll(() => words(1).element().textContent).toMatch(/THE SHIPS/);
  expect(words(1).element().querySelector("[aria-live]")?.textContent).toBe("");
  expect(turnTexts()).toEqual([]);
  realtime.final("The ships are here.");
  await expect.poll(() => words(1).element().querySelector("[aria-live]")?.textContent).toBe("THE SHIPS ARE HERE. ");
  await expect.element(words(1)).not.toMatchTextContent("…");
  expect(server.translations.at(-1)?.text).toBe("The ships are here.");
});

test("says that a translation failed, and retries it on request", async () => {
  const realtime = recognize();
  converse();
  await openTranslator();
  answer({ "POST /api/v1/translations": refusal(503, "translationUnavailable") });
  await speak(realtime);
  realtime.final("Good morning.");
  await expect.element(words(1)).toMatchTextContent("Not translated");
  await expect.element(words(0)).toHaveTextContent("Good morning.");
  answer({ "POST /api/v1/translations": { text: "Guten Morgen." } });
  await words(1).getByRole("button", { name: "Translate again" }).click();
  await expect.element(words(1)).toHaveTextContent("Guten Morgen.");
  await expect.element(words(1)).toHaveFocus();
  await inStatus("listening");
});

test("records nothing during a pause, and reports a lost connection", async () => {
  const realtime = recognize();
  converse();
  await openTranslator();
  await speak(realtime);
  await button("Pause").click();
  await inStatus("paused");
  await expect.element(status).toHaveTextContent("Paused. The microphone is off.");
  await button("Resume").click();
  await inStatus("listening");
  realtime.close();
  await inStatus("offline");
  await expect
    .element(status)
    .toHaveTextContent("Connection lost. What you say is stored here and continues when the connection is back.");
  await expect.poll(() => realtime.starts).toHaveLength(2);
  await inStatus("listening");
});

test("records while the space bar is held, and toggles recording with a short press", async () => {
  const realtime = recognize();
  converse();
  await openTranslator();
  await speak(realtime);
  realtime.final("One.");
  await userEvent.keyboard(" ");
  await expect.poll(turnTexts).toEqual(["One.ONE."]);
  for (const [text, begin, end] of [
    ["Two.", "{ >}", "{/ }"],
    ["Three.", " ", " "],
  ] as const) {
    const frames = realtime.frames;
    realtime.segments.length = 0;
    await inStatus("idle");
    await userEvent.keyboard(begin);
    await inStatus("listening");
    await expect.poll(() => realtime.frames).toBeGreaterThan(frames + 6);
    realtime.final(text);
    await expect.element(words(0)).toHaveTextContent(text);
    await userEvent.keyboard(end);
    await expect.poll(() => turnTexts().at(-1)).toBe(text + text.toUpperCase());
  }
});

test("says that a turn has no speech, and discards it when the user speaks again", async () => {
  const realtime = recognize();
  const server = converse();
  answer({
    "POST /api/v1/audio-transcriptions/save-final-transcription": { id: "silent" },
    "DELETE /audio/remove-transcription/:id": ({ params }) => {
      server.calls.push({ call: "silent", body: params.id });
      return {};
    },
  });
  await openTranslator();
  await speak(realtime);
  await english.click();
  await inStatus("nothingHeard");
  await expect.element(status).toHaveTextContent("No speech detected. Press to try again.");
  await expect
    .element(page.getByText("Check the microphone and speak a little louder. A new attempt replaces the silent recording."))
    .toBeVisible();
  await english.click();
  await inStatus("listening");
  await expect.poll(() => server.calls).toEqual([{ call: "silent", body: "silent" }]);
});

test("ends the turn at the server's limit, keeps its recording, and allows typing", async () => {
  const realtime = recognize();
  converse();
  await openTranslator();
  await speak(realtime);
  realtime.refuse("limitReached");
  await inStatus("limited");
  await expect.element(page.getByText("You have an unfinished recording")).toBeVisible();
  await type("Danke");
  await expect.element(words(0)).toHaveTextContent("DANKE");
});

test.for([
  ["NotAllowedError", "Microphone access is blocked."],
  ["NotFoundError", "No microphone found."],
  ["NotReadableError", "Another program is using the microphone."],
] as const)("says why there is no microphone (%s), and allows typing", async ([name, text]) => {
  converse();
  await openTranslator();
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", name));
  await english.click();
  await expect.element(page.getByText(text)).toBeVisible();
  await inStatus("failed");
  await type("Danke");
  await expect.element(words(0)).toHaveTextContent("DANKE");
  mediaDevices.getUserMedia = ask;
});

test("offers an unfinished turn only to its user, and completes it", async () => {
  const realtime = recognize();
  const server = converse();
  const id = await openTranslator();
  await speak(realtime);
  realtime.final("Good morning.");
  // Opening the page as another user ends all of the turn's work, as closing the tab does.
  await openTranslator();
  await expect.element(page.getByText("You have an unfinished recording")).not.toBeInTheDocument();
  await openPage("/voice-translator", { as: "premium", profile: { id } });
  await button("Finish").click();
  await expect.poll(turnTexts).toEqual(["Good morning.GOOD MORNING."]);
  await expect.poll(() => server.calls.map(({ call }) => call)).toEqual(["turn"]);
});

test("shows both texts and the button on a phone's screen during a recording", async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1280, 800));
  const realtime = recognize();
  converse();
  await openTranslator();
  await button("Back to normal view").click();
  const isInWindow = () =>
    [words(0), words(1), english].every((place) => {
      const { top, bottom } = place.element().getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && scrollY === 0;
    });
  await expect.poll(isInWindow).toBe(true);
  await speak(realtime);
  for (let at = 0; at < 20; at += 1) realtime.final(`This is the sentence number ${at} of a long turn.`);
  await expect.element(words(1)).toMatchTextContent("NUMBER 19 OF");
  await expect.poll(isInWindow).toBe(true);
  for (const side of [0, 1] as const) {
    const box = words(side).element();
    await expect.poll(() => box.scrollHeight - box.clientHeight - box.scrollTop).toBeLessThan(2);
  }
});
