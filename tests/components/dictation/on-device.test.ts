import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { FinalTranscription } from "#contract/index.ts";
import { createRecordingDb } from "#src/audio/recording-db.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { createRecordings } from "#src/audio/recordings.ts";
import { noteAway } from "#src/browser/network.ts";
import { DeviceFailure } from "#src/features/device-models/failure.ts";
import { answer, openPage, page, recognize } from "#tests/components/harness.ts";
import { keepModel, segment } from "#tests/components/vault/kept-model.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const captions = page.getByTestId("captions");
const waits = page.getByText("1 recording waits in this browser");

beforeEach(() => void onTestFinished(() => noteAway(false)));

/** The page of a person of its own, and what is saved of theirs. */
async function open(id: string = crypto.randomUUID()) {
  const saved: FinalTranscription[] = [];
  answer({
    "POST /api/v1/audio-transcriptions/save-final-transcription": async ({ request }) => {
      saved.push(await request.json());
      return { id: "saved" };
    },
  });
  await openPage("/speech-to-text", { as: "premium", profile: { id } });
  return saved;
}

/** Records a beep, without a network. */
async function record(model: ReturnType<typeof keepModel>) {
  noteAway(true);
  await button("Start recording").click();
  await expect.poll(() => model.streams.length).toBe(1);
  const stream = model.stream();
  // A second of 16-bit samples has 32,000 bytes.
  await expect.poll(() => stream.bytes).toBeGreaterThan(20_000);
  return stream;
}

function comeBack() {
  noteAway(false);
  dispatchEvent(new Event("online"));
}

test("without a network, words appear while they are spoken, and are sent with the sound when it is back", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const saved = await open();
  const stream = await record(model);
  stream.onInterim("Good mor");
  await expect.element(page.getByTestId("partial")).toMatchTextContent(/Good mor$/);
  stream.onFinal(segment(0, "Good morning."));
  await expect.element(captions.getByText("Good morning.")).toBeVisible();
  await expect.element(page.getByTestId("partial")).not.toBeInTheDocument();
  await button("Stop").click();
  await expect.element(waits).not.toBeInTheDocument();
  stream.onFinal(segment(1, "How are you?"));
  stream.finish.resolve([]);
  await expect.element(waits).toBeVisible();
  comeBack();
  await expect.poll(() => saved.length).toBe(1);
  expect(realtime.starts).toMatchObject([{ heardBy: "device", sourceLanguage: "en" }]);
  expect(realtime.heard).toEqual([segment(0, "Good morning."), segment(1, "How are you?")]);
  expect(realtime.ends).toEqual([realtime.frames]);
  expect(model.recordings).toEqual([]);
});

test("words that stop while somebody speaks are made from the sound after Stop, from where they stopped", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const saved = await open();
  const stream = await record(model);
  stream.onFinal({ ...segment(0, "Good"), end: 0.4 });
  stream.onFailed("tooSlow");
  await expect.element(page.getByText("This device can’t show your words while you speak.")).toBeVisible();
  await button("Stop").click();
  await expect.poll(() => model.recordings.length).toBe(1);
  const { sound, done } = model.recording();
  expect([sound.type, sound.size > 44 && sound.size <= stream.bytes + 44 + 32_000]).toEqual(["audio/wav", true]);
  done.resolve([segment(0.5, "morning.")]);
  await expect.element(waits).toBeVisible();
  comeBack();
  await expect.poll(() => saved.length).toBe(1);
  expect(realtime.heard.map(({ text, start }) => [text, start])).toEqual([
    ["Good", 0],
    ["morning.", 0.9],
  ]);
});

test("the server recognizes all of it when the model is gone", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const saved = await open();
  const stream = await record(model);
  stream.onFinal({ ...segment(0, "Good"), end: 0.4 });
  stream.onFailed("absent");
  await button("Stop").click();
  await expect.poll(() => model.recordings.length).toBe(1);
  model.recording().done.reject(new DeviceFailure("absent"));
  await expect.element(waits).toBeVisible();
  realtime.segments.push(segment(0, "Good morning."));
  comeBack();
  await expect.poll(() => saved.length).toBe(1);
  expect([realtime.starts[0]?.heardBy, realtime.heard, saved[0]?.text]).toEqual([undefined, [], "Good morning."]);
});

/** Two seconds of a recording that a closed page has left, of which one has its words: the person finishes it. */
async function finishLeftover(model: ReturnType<typeof keepModel>) {
  const id = crypto.randomUUID();
  const parts = { locks: createRecordingLocks(navigator.locks), onTrouble: () => {} };
  const recordings = createRecordings({ db: createRecordingDb("parlance-recordings"), ...parts });
  const languages = { sourceLanguage: "en", targetLanguage: null, heardBy: "device" } as const;
  const { frames, release } = await recordings.begin({ ownerId: id, ...languages, startedAt: Date.now() });
  for (let i = 0; i < 25; i += 1) frames.append(new Uint8Array(2560));
  frames.change({ heard: [{ ...segment(0, "Good"), end: 0.96 }] });
  await frames.settled();
  await release();
  const saved = await open(id);
  await button("Finish it").click();
  await expect.element(captions.getByText("Good", { exact: true })).toBeVisible();
  await expect.poll(() => model.recordings.length).toBe(1);
  return { saved, ...model.recording() };
}

test("the missing words of a recording that a closed page left are made before its end is sent", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const { saved, sound, done } = await finishLeftover(model);
  expect(sound.size).toBe(44 + 13 * 2560);
  await expect.poll(() => realtime.frames).toBe(25);
  expect(realtime.ends).toEqual([]);
  realtime.segments.push(segment(0, "Good morning."));
  done.resolve([segment(0, "morning.")]);
  await expect.poll(() => saved.length).toBe(1);
  expect([realtime.heard.map(({ text }) => text), realtime.ends, model.streams]).toEqual([["Good", "morning."], [25], []]);
});

test("a server that waits for this device's words hears that none come, and recognizes all of it", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const { saved, done } = await finishLeftover(model);
  await expect.poll(() => realtime.frames).toBe(25);
  realtime.segments.push(segment(0, "Good morning."));
  done.reject(new DeviceFailure("damaged"));
  await expect.poll(() => saved.length).toBe(1);
  expect([realtime.starts.map(({ heardBy }) => heardBy), realtime.ends]).toEqual([["device", undefined], [25]]);
});

test("with a network, the server recognizes it, though the model is here", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  await open();
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  expect([realtime.starts[0]?.heardBy, model.streams]).toEqual([undefined, []]);
});
