import { describe, expect, test } from "vitest";
import type { Microphone, MicrophoneListener } from "#src/audio/microphone.ts";
import { nobody } from "#src/audio/recording-db.ts";
import { createRecordings } from "#src/audio/recordings.ts";
import { createStore } from "#src/browser/store.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";
import { createTryRecording } from "#src/features/tryout/recording.ts";
import { createTabs, firstBytes, frame, freshDb } from "#tests/page/dictation/harness.ts";

const day = 24 * 60 * 60 * 1000;
const { signal } = new AbortController();
const english = { source: "en", target: "es" } as const;
const segment = { start: 0, end: 1, text: "Good day", words: [] };

/** A browser in which pages are opened and closed. */
function browser() {
  const db = freshDb();
  const tabs = createTabs();
  const left = new Set<string>();
  let at = 0;
  const openPage = () => {
    const locks = tabs.open();
    const recordings = createRecordings({ db, locks, onTrouble: () => {} });
    const captions = createCaptions();
    let listener: MicrophoneListener | undefined;
    const microphone: Microphone = {
      listen: (given) => {
        listener = given;
      },
      close: () => {},
    };
    const recording = createTryRecording({
      db,
      recordings,
      captions,
      level: createStore(0),
      elapsed: createStore(0),
      mark: { set: () => void left.add("tryOut"), remove: () => left.clear() },
      openMicrophone: async () => microphone,
      now: () => at,
    });
    /** Records this many frames of 80 ms. */
    const speak = async (frames: number) => {
      await recording.begin(english, signal);
      const stop = recording.capture(() => {});
      for (let i = 0; i < frames; i++) listener?.onFrame(frame(i));
      stop();
      captions.replace([segment]);
    };
    return { recording, recordings, captions, speak, close: locks.close };
  };
  const pass = (ms: number) => {
    at += ms;
  };
  return { db, left, openPage, pass };
}

describe("trial recording in the browser", () => {
  test("the trial recording in the browser is restored with its words after a reload", async () => {
    const { left, openPage } = browser();
    const first = openPage();
    await first.speak(25);
    first.recording.recognizeIn(english).confirm(25);
    expect(await first.recording.keep(true)).toEqual({ seconds: 2, isRecognized: true, languages: english });
    first.close();
    const next = openPage();
    expect([[...left], await next.recording.find()]).toEqual([
      ["tryOut"],
      { seconds: 2, isRecognized: true, languages: english },
    ]);
    expect(next.captions.get().lines.map(({ text }) => text)).toEqual(["Good day"]);
  });

  test("the trial recording in the browser becomes an unfinished recording of the new account, from the first frame", async () => {
    const { db, left, openPage } = browser();
    const page = openPage();
    await page.speak(10);
    await page.recording.keep(true);
    const id = await page.recording.adopt("ann");
    expect(await page.recordings.leftovers("ann", new Set())).toMatchObject([{ id, durationSeconds: 0.8 }]);
    expect(await page.recordings.leftovers(nobody, new Set())).toEqual([]);
    expect(await db.get(id)).toMatchObject({ ownerId: "ann", frames: 10, confirmed: 0, reached: false, fate: "open" });
    expect((await db.get(id))?.heard).toBeUndefined();
    expect(firstBytes([...(await db.frames(id, 0, 100)).values()])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([left.size, await page.recording.find()]).toEqual([0, null]);
  });

  test("the trial recording in the browser is deleted if empty, discarded or a week old", async () => {
    const { left, openPage, pass } = browser();
    const page = openPage();
    await page.speak(3);
    expect([await page.recording.keep(false), left.size]).toEqual([null, 0]);
    await page.speak(25);
    await page.recording.keep(false);
    await page.recording.discard();
    expect([await page.recording.find(), left.size]).toEqual([null, 0]);
    await page.speak(25);
    await page.recording.keep(true);
    page.close();
    pass(7 * day);
    expect([await openPage().recording.find(), left.size]).toEqual([null, 0]);
  });
});
