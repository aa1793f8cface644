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
const waits = page.getByText("1 recording is waiting in this browser");

beforeEach(() => void onTestFinished(() => noteAway(false)));

/** Opens the page for a new user and records their saved transcripts. */
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

/** Records a beep while the network is away. */
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

test("shows words while the user speaks offline, and sends them with the sound when the network returns", async () => {
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

test("recognizes the rest from the sound after Stop when live recognition on the device is too slow", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const saved = await open();
  const stream = await record(model);
  stream.onFinal({ ...segment(0, "Good"), end: 0.4 });
  stream.onFailed("tooSlow");
  await expect.element(page.getByText("This device is too slow to show your words while you speak.")).toBeVisible();
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

test("lets the server recognize the whole recording when the device's model is gone", async () => {
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

/** A closed page left a recording of two seconds with the words of the first one; the user finishes it. */
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
  await button("Finish").click();
  await expect.element(captions.getByText("Good", { exact: true })).toBeVisible();
  await expect.poll(() => model.recordings.length).toBe(1);
  return { saved, ...model.recording() };
}

test("recognizes the missing words of a closed page's recording before it sends the end", async () => {
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

test("tells a waiting server that the device has no words, and the server recognizes the whole recording", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  const { saved, done } = await finishLeftover(model);
  await expect.poll(() => realtime.frames).toBe(25);
  realtime.segments.push(segment(0, "Good morning."));
  done.reject(new DeviceFailure("damaged"));
  await expect.poll(() => saved.length).toBe(1);
  expect([realtime.starts.map(({ heardBy }) => heardBy), realtime.ends]).toEqual([["device", undefined], [25]]);
});

test("lets the server recognize speech while there is a network, even with a model on the device", async () => {
  const [model, realtime] = [keepModel(), recognize()];
  await open();
  await button("Start recording").click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  expect([realtime.starts[0]?.heardBy, model.streams]).toEqual([undefined, []]);
});
