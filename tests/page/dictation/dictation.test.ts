import { describe, expect, test } from "vitest";
import type { FinalTranscription } from "#contract/index.ts";
import type { CaptionLine } from "#src/audio/captions.ts";
import { createDictation } from "#src/audio/dictation.ts";
import { finalTranscriptionOf } from "#src/audio/final-transcription.ts";
import type { Microphone, MicrophoneListener } from "#src/audio/microphone.ts";
import type { RecordingRow } from "#src/audio/recording-db.ts";
import { createRecordings, frameSeconds } from "#src/audio/recordings.ts";
import { createStore } from "#src/browser/store.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";
import { createTabs, firstBytes, frame, freshDb, segment } from "./harness.ts";

const english = { sourceLanguage: "en", targetLanguage: null } as const;
const { signal } = new AbortController();

/** One browser profile: its database, its local list, and a server that can be offline. */
function setUp() {
  const db = freshDb();
  const tabs = createTabs();
  const kept: FinalTranscription[] = [];
  const server = {
    away: false,
    saved: new Map<string, FinalTranscription>(),
    removed: [] as string[],
    translated: [] as string[],
  };
  const reach = () => {
    if (server.away) throw Object.assign(new Error("no answer"), { code: "network" });
  };
  const openTab = (ownerId: string | null = "ann", roomToKeep = true) => {
    const [captions, level, elapsed] = [createCaptions(), createStore(0), createStore(0)];
    const microphone = { listener: undefined as MicrophoneListener | undefined, open: false };
    const opened: Microphone = {
      listen: (listener) => {
        microphone.listener = listener;
      },
      close: () => {
        microphone.open = false;
      },
    };
    const locks = tabs.open();
    const recordings = createRecordings({ db, locks, onTrouble: () => {} });
    const drop = (clientId: string) => {
      const at = kept.findIndex((final) => final.clientId === clientId);
      if (at >= 0) kept.splice(at, 1);
    };
    const finalOf = (row: RecordingRow, lines: readonly CaptionLine[]) =>
      finalTranscriptionOf(row, lines, (iso) => `on ${iso.slice(0, 10)}`);
    const saveFinal = async (final: FinalTranscription) => {
      reach();
      if (!server.saved.has(final.clientId)) server.saved.set(final.clientId, final);
      drop(final.clientId);
      return `id of ${final.clientId}`;
    };
    const dictation = createDictation({
      recordings,
      captions,
      level,
      elapsed,
      ownerId: () => ownerId,
      now: () => Date.parse("2026-05-01T10:00:00Z"),
      openMicrophone: async () => {
        microphone.open = true;
        return opened;
      },
      translate: async (text, { target }) => {
        server.translated.push(text);
        return `${text} in ${target}`;
      },
      translateHere: async (text, { target }) => `${text} in ${target}, here`,
      saving: {
        finalOf,
        unsaved: {
          list: () => [...kept],
          keep: (final) => {
            if (!roomToKeep) return false;
            drop(final.clientId);
            kept.unshift(final);
            return true;
          },
        },
        saveFinal,
        deleteOnServer: async (row) => {
          const id = await saveFinal(finalOf(row, []));
          reach();
          server.removed.push(id);
        },
      },
    });
    return { dictation, captions, level, elapsed, microphone, close: locks.close };
  };
  return { openTab, db, kept, server };
}

type Tab = ReturnType<ReturnType<typeof setUp>["openTab"]>;

const unwatched = { onLost: () => {}, silentSeconds: 15, onSilence: () => {} };

/** Records ten frames; the server has recognized two sentences. */
async function speak({ dictation, captions, microphone }: Tab, targetLanguage: string | null = null) {
  await dictation.begin({ ...english, targetLanguage }, signal);
  const stop = dictation.capture(unwatched);
  for (let i = 0; i < 10; i++) microphone.listener?.onFrame(frame(i));
  stop();
  dictation.owned?.frames.change({ reached: true });
  captions.addFinal(0, segment(0, "Hello there"));
  captions.addFinal(1, segment(1, "and goodbye"));
}

const frames = (tab: Tab) => {
  const owned = tab.dictation.owned;
  if (owned === undefined) throw new Error("nothing is open");
  return owned.frames;
};

describe("words from the browser during a dictation", () => {
  test("words from the browser during a dictation delay the end of the recording until the last word is there", async () => {
    const tab = setUp().openTab();
    for (const micFirst of [true, false]) {
      await tab.dictation.begin({ ...english, heardBy: "browser" }, signal);
      const finish = tab.dictation.awaitWords();
      const stop = tab.dictation.capture(unwatched);
      tab.microphone.listener?.onFrame(frame(1));
      for (const end of micFirst ? [stop, finish] : [finish, stop]) {
        expect(frames(tab).row.frames).toBeNull();
        end();
      }
      finish();
      expect(frames(tab).row.frames).toBe(1);
    }
  });
});

describe("captured audio of a dictation", () => {
  test("the captured audio of a dictation is stored, measured and read back", async () => {
    const tab = setUp().openTab();
    await tab.dictation.begin(english, signal);
    let unplugged = 0;
    const onLost = () => {
      unplugged += 1;
    };
    const stop = tab.dictation.capture({ ...unwatched, onLost });
    for (let i = 0; i < 5; i++) tab.microphone.listener?.onFrame(frame(i));
    tab.microphone.listener?.onLevel(0.5);
    expect([tab.elapsed.get(), tab.level.get(), tab.microphone.open]).toEqual([5 * frameSeconds, 0.5, true]);
    tab.microphone.listener?.onLost("microphone");
    expect(unplugged).toBe(1);
    stop();
    await frames(tab).settled();
    expect([frames(tab).total, tab.level.get(), tab.microphone.open]).toEqual([5, 0, false]);
  });

  test("the captured audio of a dictation is refused to a signed-out user", async () => {
    const tab = setUp().openTab(null);
    await expect(tab.dictation.begin(english, signal)).rejects.toMatchObject({ code: "unauthorized" });
    expect(tab.microphone.open).toBe(false);
    expect(await tab.dictation.leftovers(signal)).toEqual([]);
  });

  test("leaves nothing behind when canceled during the browser's question", async () => {
    const { openTab, db } = setUp();
    const tab = openTab();
    const off = new AbortController();
    off.abort(new Error("called off"));
    await expect(tab.dictation.begin(english, off.signal)).rejects.toThrow("called off");
    expect(tab.microphone.open).toBe(false);
    expect(tab.dictation.owned).toBeUndefined();
    expect(await db.list("ann")).toEqual([]);
  });

  test("starting a recording sets an earlier, unsaved one aside", async () => {
    const tab = setUp().openTab();
    await speak(tab);
    await tab.dictation.begin(english, signal);
    expect(tab.captions.get().lines).toEqual([]);
    expect(await tab.dictation.leftovers(signal)).toMatchObject([{ durationSeconds: 10 * frameSeconds }]);
  });
});

describe("muted dictation", () => {
  test("a muted dictation captures nothing until it is unmuted", async () => {
    const tab = setUp().openTab();
    await tab.dictation.begin(english, signal);
    const stop = tab.dictation.capture(unwatched);
    tab.microphone.listener?.onFrame(frame(1));
    tab.dictation.mute(true);
    tab.microphone.listener?.onFrame(frame(2));
    tab.microphone.listener?.onLevel(0.5);
    expect([tab.elapsed.get(), tab.level.get()]).toEqual([frameSeconds, 0]);
    tab.dictation.mute(false);
    tab.microphone.listener?.onFrame(frame(3));
    stop();
    expect(firstBytes(await frames(tab).read(0, 10))).toEqual([1, 3]);
  });
});

describe("saved dictation", () => {
  test("stores the words with the recording, and deletes the local copy", async () => {
    const { openTab, server, kept, db } = setUp();
    const tab = openTab();
    await speak(tab, "es");
    const { clientId, recordingId } = frames(tab).row;
    expect(await tab.dictation.save(signal)).toBe(`id of ${clientId}`);
    expect(server.saved.get(clientId)).toEqual({
      clientId,
      recordingId,
      title: "Hello there and goodbye",
      text: "Hello there and goodbye",
      translatedText: "Hello there in es and goodbye in es",
      segments: [
        { ...segment(0, "Hello there"), translation: "Hello there in es" },
        { ...segment(1, "and goodbye"), translation: "and goodbye in es" },
      ],
      sourceLanguage: "en",
      targetLanguage: "es",
      date: "2026-05-01T10:00:00.000Z",
    });
    expect(kept).toEqual([]);
    expect(await db.list("ann")).toEqual([]);
    expect(tab.dictation.owned).toBeUndefined();
  });

  test("keeps words and recording after a failure, until another visit saves them", async () => {
    const { openTab, server, kept, db } = setUp();
    const tab = openTab();
    await speak(tab);
    server.away = true;
    await expect(tab.dictation.save(signal)).rejects.toMatchObject({ code: "network" });
    expect(kept.map(({ text }) => text)).toEqual(["Hello there and goodbye"]);
    tab.close();
    const later = openTab();
    expect(await later.dictation.leftovers(signal)).toEqual([]);
    expect(await db.list("ann")).toHaveLength(1);
    await expect(later.dictation.saveUnsaved(signal)).rejects.toMatchObject({ code: "network" });
    server.away = false;
    await later.dictation.saveUnsaved(signal);
    expect(kept).toEqual([]);
    expect(server.saved.size).toBe(1);
    expect(await later.dictation.leftovers(signal)).toEqual([]);
    expect(await db.list("ann")).toEqual([]);
  });

  test("offers the recording again when there was no room for the words", async () => {
    const { openTab, server, kept } = setUp();
    const tab = openTab("ann", false);
    await speak(tab);
    server.away = true;
    await expect(tab.dictation.save(signal)).rejects.toMatchObject({ code: "network" });
    expect(kept).toEqual([]);
    tab.close();
    expect(await openTab().dictation.leftovers(signal)).toMatchObject([{ durationSeconds: 10 * frameSeconds }]);
  });

  test("the saved dictation is saved once despite a repeated attempt", async () => {
    const { openTab, server } = setUp();
    const tab = openTab();
    await speak(tab);
    server.away = true;
    await expect(tab.dictation.save(signal)).rejects.toThrow();
    server.away = false;
    await tab.dictation.save(signal);
    expect(server.saved.size).toBe(1);
  });

  test("does not block other texts when the server refuses one", async () => {
    const { openTab, server, kept } = setUp();
    const tab = openTab();
    for (let i = 0; i < 2; i++) {
      await speak(tab);
      server.away = true;
      await tab.dictation.save(signal).catch(() => {});
      server.away = false;
    }
    expect(kept).toHaveLength(2);
    await tab.dictation.saveUnsaved(signal);
    expect(kept).toEqual([]);
    expect(server.saved.size).toBe(2);
  });

  test("uses its date as the title when nothing was recognized", async () => {
    const { openTab, server } = setUp();
    const tab = openTab();
    await tab.dictation.begin(english, signal);
    const { clientId } = frames(tab).row;
    await tab.dictation.save(signal);
    expect(server.saved.get(clientId)).toMatchObject({ title: "on 2026-05-01", text: "", segments: [] });
    // The server does not know its recording.
    expect(server.saved.get(clientId)).not.toHaveProperty("recordingId");
  });
});

describe("dictation that stays on this device", () => {
  const here = { ...english, heardBy: "device", staysHere: true } as const;

  /** Records a sentence, which this device has recognized. */
  async function speakHere({ dictation, microphone }: Tab, targetLanguage: string | null = null) {
    await dictation.begin({ ...here, targetLanguage }, signal);
    const stop = dictation.capture(unwatched);
    for (let i = 0; i < 10; i++) microphone.listener?.onFrame(frame(i));
    stop();
    dictation.owned?.frames.change({ heard: [segment(0, "Hello there")] });
    dictation.shown.refresh();
  }

  test("the dictation that stays on this device is discarded without telling the server: open, unfinished, or in a later visit", async () => {
    const { openTab, server, db } = setUp();
    const tab = openTab();
    await speakHere(tab, "es");
    await expect.poll(() => tab.captions.get().lines).toMatchObject([{ translation: "Hello there in es, here" }]);
    await tab.dictation.discard(undefined, signal);
    await speakHere(tab);
    await frames(tab).settled();
    tab.close();
    const later = openTab();
    const [leftover] = await later.dictation.leftovers(signal);
    expect(leftover).toMatchObject({ staysHere: true, overLimit: false });
    expect(leftover).not.toHaveProperty("waits");
    await later.dictation.discard(leftover?.id, signal);
    expect(await later.dictation.leftovers(signal)).toEqual([]);
    expect([server.saved.size, server.removed, server.translated]).toEqual([0, [], []]);
    expect(await db.list("ann")).toEqual([]);
  });

  test("a dictation on this device opens with its words in a later visit, for its owner only", async () => {
    const { openTab } = setUp();
    const crashed = openTab();
    await speakHere(crashed);
    await frames(crashed).settled();
    crashed.close();
    expect(await openTab("bob").dictation.leftovers(signal)).toEqual([]);
    const tab = openTab();
    const [leftover] = await tab.dictation.leftovers(signal);
    expect(await tab.dictation.resume(leftover?.id ?? "", signal)).toEqual(here);
    expect(tab.captions.get().lines).toMatchObject([{ text: "Hello there" }]);
    expect(await openTab().dictation.leftovers(signal)).toEqual([]);
  });

  test("the dictation that stays on this device is translated here, and continued by the server once saved", async () => {
    const { openTab, server, db } = setUp();
    const tab = openTab();
    await speakHere(tab, "es");
    await tab.captions.translated();
    expect(server.translated).toEqual([]);
    const { id, clientId } = frames(tab).row;
    tab.dictation.allowSending();
    await frames(tab).settled();
    expect(await db.get(id)).toMatchObject({ staysHere: false });
    tab.captions.addFinal(1, segment(1, "and goodbye"));
    await tab.dictation.save(signal);
    expect(server.saved.get(clientId)?.translatedText).toBe("Hello there in es, here and goodbye in es");
  });
});

describe("unfinished dictation", () => {
  test("an unfinished recording opens with its audio and languages", async () => {
    const { openTab } = setUp();
    const crashed = openTab();
    await speak(crashed);
    await frames(crashed).settled();
    crashed.close();
    const tab = openTab();
    const [leftover] = await tab.dictation.leftovers(signal);
    expect(await tab.dictation.resume(leftover?.id ?? "", signal)).toEqual(english);
    expect(frames(tab).total).toBe(10);
    expect(tab.elapsed.get()).toBe(10 * frameSeconds);
    expect(await openTab().dictation.leftovers(signal)).toEqual([]);
  });

  test("the unfinished dictation is discarded on the server, too", async () => {
    const { openTab, server, db } = setUp();
    const tab = openTab();
    await speak(tab);
    const { clientId } = frames(tab).row;
    const [leftover] = await tab.dictation.leftovers(signal);
    await tab.dictation.discard(leftover?.id, signal);
    expect(server.saved.get(clientId)).toMatchObject({ text: "" });
    expect(server.removed).toEqual([`id of ${clientId}`]);
    expect(await db.list("ann")).toEqual([]);
  });

  test("the unfinished dictation is not discarded while another tab finishes it", async () => {
    const { openTab, server } = setUp();
    const crashed = openTab();
    await speak(crashed);
    await frames(crashed).settled();
    crashed.close();
    const [here, there] = [openTab(), openTab()];
    const [leftover] = await here.dictation.leftovers(signal);
    await there.dictation.resume(leftover?.id ?? "", signal);
    await expect(here.dictation.discard(leftover?.id, signal)).rejects.toThrow("another tab");
    expect(firstBytes(await frames(there).read(0, 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(server.saved.size).toBe(0);
  });

  test("the unfinished dictation is not offered again when discarded offline, and is deleted on the server later", async () => {
    const { openTab, server, db } = setUp();
    const tab = openTab();
    await speak(tab);
    server.away = true;
    await expect(tab.dictation.discard(undefined, signal)).rejects.toMatchObject({ code: "network" });
    expect(await tab.dictation.leftovers(signal)).toEqual([]);
    expect(await db.list("ann")).toHaveLength(1);
    server.away = false;
    await tab.dictation.leftovers(signal);
    await expect.poll(() => db.list("ann")).toEqual([]);
    expect(server.removed).toHaveLength(1);
  });

  test("the unfinished dictation is discarded silently if the server does not know it", async () => {
    const { openTab, server, db } = setUp();
    const tab = openTab();
    await speak(tab);
    frames(tab).change({ reached: false });
    await tab.dictation.discard(undefined, signal);
    expect(server.saved.size).toBe(0);
    expect(await db.list("ann")).toEqual([]);
  });

  test("an interrupted dictation keeps everything for the next visit", async () => {
    const { openTab } = setUp();
    const tab = openTab();
    await tab.dictation.begin(english, signal);
    tab.dictation.capture(unwatched);
    tab.microphone.listener?.onFrame(frame(1));
    tab.dictation.stop();
    expect(tab.microphone.open).toBe(false);
    const next = openTab();
    await expect.poll(() => next.dictation.leftovers(signal)).toMatchObject([{ durationSeconds: frameSeconds }]);
  });
});

describe("dictation spoken after the free minutes", () => {
  /** Records ten frames; the server has accepted six. */
  async function speakOver(tab: Tab) {
    await speak(tab);
    frames(tab).confirm(6);
    frames(tab).cutAt(6);
    await frames(tab).settled();
  }

  test("the dictation spoken after the free minutes becomes a separate recording once the earlier words are saved", async () => {
    const { openTab, server, db } = setUp();
    const tab = openTab();
    await speakOver(tab);
    const { recordingId, clientId, startedAt } = frames(tab).row;
    await tab.dictation.save(signal);
    expect([...server.saved.keys()]).toEqual([clientId]);
    const found = await tab.dictation.leftovers(signal);
    expect(found).toEqual([
      expect.objectContaining({
        startedAt: startedAt + 6 * frameSeconds * 1000,
        durationSeconds: 4 * frameSeconds,
        overLimit: true,
      }),
    ]);
    await tab.dictation.resume(found[0]?.id ?? "", signal);
    const { row, total } = frames(tab);
    expect([row.base, total, row.reached, row.cut]).toEqual([6, 10, false, undefined]);
    expect(row.recordingId).not.toBe(recordingId);
    expect(firstBytes(await frames(tab).read(6, 10))).toEqual([6, 7, 8, 9]);
    expect(await db.frames(row.id, 0, 6)).toEqual(new Map());
    await tab.dictation.save(signal);
    expect(server.saved.size).toBe(2);
    expect(await tab.dictation.leftovers(signal)).toEqual([]);
  });

  test("the dictation spoken after the free minutes is found after a crash, before and after the earlier words were saved", async () => {
    const { openTab, server } = setUp();
    const tab = openTab();
    await speakOver(tab);
    tab.close();
    const next = openTab();
    const [whole] = await next.dictation.leftovers(signal);
    expect(whole).toMatchObject({ durationSeconds: 10 * frameSeconds, overLimit: false });
    await next.dictation.resume(whole?.id ?? "", signal);
    expect(frames(next).total).toBe(6);
    next.captions.addFinal(0, segment(0, "Hello there"));
    server.away = true;
    await expect(next.dictation.save(signal)).rejects.toMatchObject({ code: "network" });
    next.close();
    server.away = false;
    // Another tab saves the words. The recording notices only that nothing is waiting for it any more.
    const third = openTab();
    await third.dictation.saveUnsaved(signal);
    expect(await third.dictation.leftovers(signal)).toMatchObject([{ durationSeconds: 4 * frameSeconds, overLimit: true }]);
  });
});
