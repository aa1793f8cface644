import { openDB } from "idb";
import { describe, expect, test, vi } from "vitest";
import { frameSamples } from "#contract/index.ts";
import { FrameLog } from "#src/audio/frame-log.ts";
import { createRecordingDb } from "#src/audio/recording-db.ts";
import { createRecordings, frameSeconds } from "#src/audio/recordings.ts";
import { createTabs, fillable, firstBytes, frame, freshDb } from "#tests/page/dictation/harness.ts";

const beginning = { ownerId: "ann", sourceLanguage: "en", targetLanguage: null, startedAt: 1_000_000 } as const;
const nobody: ReadonlySet<string> = new Set();

function browser() {
  const db = fillable(freshDb());
  const tabs = createTabs();
  const troubles: true[] = [];
  const openTab = () => {
    const locks = tabs.open();
    return { ...createRecordings({ db, locks, onTrouble: () => troubles.push(true) }), close: locks.close };
  };
  return { db, openTab, troubles };
}

test("finds an offline recording after a restart, for its speaker only", async () => {
  const { openTab } = browser();
  const tab = openTab();
  const { frames, release } = await tab.begin(beginning);
  frames.append(frame(0));
  frames.end();
  frames.change({ waits: true });
  await frames.settled();
  await release();
  tab.close();
  const [waiting, ...others] = await openTab().leftovers("ann", nobody);
  expect([waiting?.waits, others]).toEqual([{ sourceLanguage: "en", targetLanguage: null }, []]);
  expect(await openTab().leftovers("bob", nobody)).toEqual([]);
});

describe("stored frames of a recording", () => {
  // PROMISE dictation: The browser stores what is said until the server has it on disk
  test("stored frames of a recording are stored in order, readable from any place, and deleted when confirmed", async () => {
    const { db, openTab } = browser();
    const { frames } = await openTab().begin(beginning);
    for (let i = 0; i < 5; i++) frames.append(frame(i));
    expect(firstBytes(await frames.read(0, 3))).toEqual([0, 1, 2]);
    expect(firstBytes(await frames.read(3, 100))).toEqual([3, 4]);
    expect(await frames.read(5, 10)).toEqual([]);
    frames.confirm(3);
    await frames.settled();
    expect([...(await db.frames(frames.row.id, 0, 100)).keys()]).toEqual([3, 4]);
    expect((await db.get(frames.row.id))?.confirmed).toBe(3);
    frames.confirm(2);
    expect(frames.row.confirmed).toBe(3);
  });

  test("stored frames of a recording are readable once stored, and then notify listeners", async () => {
    const { openTab } = browser();
    const { frames } = await openTab().begin(beginning);
    const emitted: number[] = [];
    frames.subscribe(() => emitted.push(frames.written));
    frames.append(frame(0));
    expect(frames.written).toBe(0);
    await frames.settled();
    expect(emitted).toEqual([1]);
    frames.append(frame(1, 1000));
    frames.end();
    expect(frames.total).toBeNull();
    await frames.settled();
    expect(frames.total).toBe(2);
    expect((await frames.read(1, 1))[0]?.length).toBe(1000);
  });

  test("stored frames of a recording stay in memory until confirmed when the browser has no room", async () => {
    const { db, openTab, troubles } = browser();
    const { frames } = await openTab().begin(beginning);
    frames.append(frame(0));
    await frames.settled();
    db.isFull = true;
    frames.append(frame(1));
    await frames.settled();
    expect(troubles.length).toBeGreaterThan(0);
    db.isFull = false;
    frames.append(frame(2));
    expect(firstBytes(await frames.read(0, 10))).toEqual([0, 1, 2]);
    frames.confirm(3);
    await frames.settled();
    expect(firstBytes(await frames.read(0, 10))).toEqual([0, 0, 0]);
  });

  test("stored frames of a recording are replaced by silence if lost with the tab, so that times stay right", async () => {
    const { db, openTab } = browser();
    const tab = openTab();
    const { frames } = await tab.begin(beginning);
    frames.append(frame(1));
    await frames.settled();
    db.isFull = true;
    frames.append(frame(2));
    await frames.settled();
    db.isFull = false;
    frames.append(frame(3));
    await frames.settled();
    tab.close();
    const again = await openTab().resume(frames.row.id);
    expect(firstBytes(await again.frames.read(0, 10))).toEqual([1, 0, 3]);
    expect((await again.frames.read(1, 1))[0]?.length).toBe(frameSamples * 2);
  });

  test("stored frames of a recording work without any browser storage", async () => {
    const { db, openTab, troubles } = browser();
    db.isFull = true;
    const { frames } = await openTab().begin(beginning);
    expect(troubles).toHaveLength(1);
    frames.append(frame(7));
    frames.end();
    expect(firstBytes(await frames.read(0, 1))).toEqual([7]);
    expect(frames.total).toBe(1);
  });

  test("stored frames of a recording belong to the server if the browser has lost them", async () => {
    const row = { ...(await browser().openTab().begin(beginning)).frames.row };
    const frames = new FrameLog(freshDb(), row, 2, () => {});
    frames.end();
    frames.skipTo(5);
    await frames.settled();
    expect([frames.written, frames.total, frames.row.confirmed]).toEqual([5, 5, 5]);
    frames.skipTo(3);
    expect(frames.row.confirmed).toBe(5);
  });

  test("stored frames of a recording start over under another name if not confirmed", async () => {
    const { openTab } = browser();
    const { frames } = await openTab().begin(beginning);
    const before = frames.row;
    for (let i = 0; i < 4; i++) frames.append(frame(i));
    frames.change({ reached: true });
    frames.confirm(3);
    frames.restart();
    expect(frames.row).toMatchObject({ id: before.id, base: 3, reached: false });
    expect(frames.row.recordingId).not.toBe(before.recordingId);
    expect(frames.row.clientId).not.toBe(before.clientId);
    expect(firstBytes(await frames.read(3, 10))).toEqual([3]);
  });
});

describe("unfinished recording in the browser", () => {
  const speak = async (
    tab: ReturnType<ReturnType<typeof browser>["openTab"]>,
    count: number,
    at: number = beginning.startedAt,
  ) => {
    const owned = await tab.begin({ ...beginning, startedAt: at });
    for (let i = 0; i < count; i++) owned.frames.append(frame(i));
    await owned.frames.settled();
    return owned;
  };

  test("the unfinished recording in the browser is offered to its owner after a crash, oldest first, with its length", async () => {
    const { openTab } = browser();
    const crashed = openTab();
    const second = await speak(crashed, 10, 2_000_000);
    const first = await speak(crashed, 5, 1_000_000);
    crashed.close();
    const tab = openTab();
    expect(await tab.leftovers("ann", nobody)).toEqual([
      { id: first.frames.row.id, startedAt: 1_000_000, durationSeconds: 5 * frameSeconds, overLimit: false },
      { id: second.frames.row.id, startedAt: 2_000_000, durationSeconds: 10 * frameSeconds, overLimit: false },
    ]);
    expect(await tab.leftovers("bob", nobody)).toEqual([]);
  });

  test("an offered recording has its full length when the server has most of its frames", async () => {
    const { openTab } = browser();
    const crashed = openTab();
    const { frames } = await speak(crashed, 10);
    frames.confirm(10);
    await frames.settled();
    crashed.close();
    expect(await openTab().leftovers("ann", nobody)).toMatchObject([{ durationSeconds: 10 * frameSeconds }]);
  });

  test("the unfinished recording in the browser is held by the tab in which it is open", async () => {
    const { openTab } = browser();
    const [one, two] = [openTab(), openTab()];
    const { frames, release } = await speak(one, 5);
    expect(await two.leftovers("ann", nobody)).toEqual([]);
    await expect(two.resume(frames.row.id)).rejects.toThrow("another tab");
    await release();
    expect(await two.leftovers("ann", nobody)).toHaveLength(1);
    const resumed = await two.resume(frames.row.id);
    expect(resumed.frames.total).toBe(5);
    await expect(one.resume(frames.row.id)).rejects.toThrow("another tab");
  });

  test("the unfinished recording in the browser can't be resumed or held after its deletion", async () => {
    const tab = browser().openTab();
    await expect(tab.resume("x")).rejects.toThrow("not there");
    await expect(tab.resume("x")).rejects.toThrow("not there");
  });

  test("the unfinished recording in the browser is deleted if it has no sound", async () => {
    const { db, openTab } = browser();
    const crashed = openTab();
    const { frames } = await speak(crashed, 0);
    crashed.close();
    expect(await openTab().leftovers("ann", nobody)).toEqual([]);
    expect(await db.get(frames.row.id)).toBeUndefined();
  });

  test("the unfinished recording in the browser is not offered while its text is pending, and is deleted once saved", async () => {
    const { db, openTab } = browser();
    const crashed = openTab();
    const { frames } = await speak(crashed, 5);
    frames.change({ fate: "kept" });
    await frames.settled();
    crashed.close();
    const tab = openTab();
    expect(await tab.leftovers("ann", new Set([frames.row.clientId]))).toEqual([]);
    expect(await db.get(frames.row.id)).toBeDefined();
    expect(await tab.leftovers("ann", nobody)).toEqual([]);
    expect(await db.get(frames.row.id)).toBeUndefined();
    expect(await db.frameCount(frames.row.id)).toBe(0);
  });

  test("a discarded recording loses its sound, and waits for the server to know", async () => {
    const { db, openTab } = browser();
    const tab = openTab();
    const { frames, release } = await speak(tab, 5);
    await tab.discard(frames.row);
    await release();
    expect(await db.frameCount(frames.row.id)).toBe(0);
    expect(await tab.leftovers("ann", nobody)).toEqual([]);
    expect((await tab.discarded("ann")).map(({ id }) => id)).toEqual([frames.row.id]);
    await tab.remove(frames.row.id);
    expect(await tab.discarded("ann")).toEqual([]);
  });

  test("the unfinished recording in the browser is left alone if another version wrote it", async () => {
    const name = `recordings-${crypto.randomUUID()}`;
    const db = freshDb(name);
    expect(await db.list("ann")).toEqual([]);
    const raw = await openDB(name);
    await raw.put("recordings", { id: "old", ownerId: "ann", fate: "unknown" });
    expect(await db.get("old")).toBeUndefined();
    expect(await db.list("ann")).toEqual([]);
    expect(await raw.count("recordings")).toBe(1);
    raw.close();
  });
});

describe("database that never opens", () => {
  test("the database that never opens is replaced by memory at once", async () => {
    const name = `recordings-${crypto.randomUUID()}`;
    const opens = vi.spyOn(indexedDB, "open").mockReturnValueOnce(new IDBOpenDBRequest());
    const timeoutMs = 20;
    const db = createRecordingDb(name, timeoutMs);
    let troubles = 0;
    const onTrouble = () => {
      troubles += 1;
    };
    const { take, taken } = createTabs().open();
    const recordings = createRecordings({ db, locks: { take, taken }, onTrouble });
    await expect(recordings.leftovers("ann", nobody)).rejects.toMatchObject({ name: "TimeoutError" });
    const { frames } = await recordings.begin(beginning);
    frames.append(frame(7));
    expect(firstBytes(await frames.read(0, 1))).toEqual([7]);
    expect([troubles, opens.mock.calls.length]).toEqual([2, 1]);
    opens.mockRestore();
  });
});
