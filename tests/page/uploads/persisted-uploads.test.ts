import "#tests/page/indexed-db.ts";
import { deleteDB, openDB } from "idb";
import { describe, expect, test, vi } from "vitest";
import { createUploadMemory, maxCopied, type PersistedUpload } from "#src/features/uploads/persisted-uploads.ts";
import { createTabs } from "#tests/page/dictation/harness.ts";

const dayMs = 24 * 60 * 60 * 1000;
let browsers = 0;

/** A browser whose tabs share the stored uploads. */
function browser({ room = 1e12, timeoutMs = 5_000 } = {}) {
  browsers += 1;
  const name = `uploads-${browsers}`;
  const tabs = createTabs();
  const clock = { now: 1_000_000_000_000 };
  const openTab = () => {
    const locks = tabs.open();
    return {
      ...createUploadMemory({ locks, room: async () => room, now: () => clock.now, name, timeoutMs }),
      close: locks.close,
    };
  };
  return { openTab, clock, name };
}

const file = new File(["some sound"], "talk.wav", { type: "audio/wav", lastModified: 5 });

function kept(clock: { now: number }, changes: Partial<PersistedUpload> = {}): PersistedUpload {
  return {
    id: crypto.randomUUID(),
    ownerId: "ann",
    name: file.name,
    size: file.size,
    lastModified: 5,
    url: null,
    maxBytes: 1000,
    options: { sourceLanguage: "en", targetLanguage: null, title: "", vocabulary: "", speakers: false },
    begunAt: clock.now,
    ...changes,
  };
}

describe("unfinished upload in the browser", () => {
  test("the unfinished upload in the browser is restored after a reload with file and server address, oldest first", async () => {
    const { openTab, clock } = browser();
    const tab = openTab();
    const [first, second] = [kept(clock), kept(clock, { begunAt: clock.now - 1 })];
    await tab.keep(first, file);
    await tab.keep(second, file);
    await tab.keepUrl(first.id, "http://api/1");
    tab.close();
    const found = await openTab().take("ann");
    expect(found.map(({ upload }) => upload)).toEqual([second, { ...first, url: "http://api/1" }]);
    expect(await found[0]?.file?.text()).toBe("some sound");
  });

  test("an upload keeps its server address when its file is checked again", async () => {
    const { openTab, clock } = browser();
    const tab = openTab();
    const upload = kept(clock);
    await tab.keep(upload, file);
    await tab.keepUrl(upload.id, "http://api/1");
    await tab.keep(upload, file);
    tab.close();
    expect((await openTab().take("ann"))[0]?.upload.url).toBe("http://api/1");
  });

  test("the unfinished upload in the browser belongs to its owner, and to one tab at a time", async () => {
    const { openTab, clock } = browser();
    const tab = openTab();
    const upload = kept(clock);
    await tab.keep(upload, file);
    const other = openTab();
    expect(await other.take("bob")).toEqual([]);
    expect(await other.take("ann")).toEqual([]);
    await tab.release(upload.id);
    expect(await other.take("ann")).toHaveLength(1);
  });

  test("the unfinished upload in the browser is removed when finished, even if that comes first", async () => {
    const { openTab, clock } = browser();
    const tab = openTab();
    const upload = kept(clock);
    await tab.keep(upload, file);
    await tab.remove(upload.id);
    await tab.keepUrl(upload.id, "http://api/1");
    tab.close();
    expect(await openTab().take("ann")).toEqual([]);
  });

  test("the unfinished upload in the browser is removed after a week, as on the server", async () => {
    const { openTab, clock } = browser();
    const tab = openTab();
    await tab.keep(kept(clock), file);
    tab.close();
    clock.now += 7 * dayMs + 1;
    expect(await openTab().take("ann")).toEqual([]);
  });

  test("the unfinished upload in the browser is stored without a file that does not fit", async () => {
    const full = browser({ room: 2 * file.size });
    const tab = full.openTab();
    await tab.keep(kept(full.clock), file);
    tab.close();
    expect((await full.openTab().take("ann"))[0]?.file).toBeNull();

    const { openTab, clock } = browser();
    const large = new File(["x"], "large.wav");
    Object.defineProperty(large, "size", { value: maxCopied + 1 });
    const other = openTab();
    await other.keep(kept(clock), large);
    other.close();
    expect((await openTab().take("ann"))[0]?.file).toBeNull();
  });
});

test("uploads work without browser storage", async () => {
  const { clock } = browser();
  const broken = createUploadMemory({
    locks: { take: () => Promise.reject(new Error("no locks")), taken: () => Promise.reject(new Error("no locks")) },
    room: () => Promise.reject(new Error("no estimate")),
    now: () => clock.now,
    name: "uploads-broken",
  });
  const upload = kept(clock);
  await broken.keep(upload, file);
  await broken.keepUrl(upload.id, "http://api/1");
  await broken.remove(upload.id);
  expect(await broken.take("ann")).toEqual([]);
});

test("stores an upload again after the browser failed once", async () => {
  const { openTab, clock, name } = browser();
  const tab = openTab();
  (await openDB(name, 2)).close();
  await tab.keep(kept(clock), file);
  await deleteDB(name);
  const upload = kept(clock);
  await tab.keep(upload, file);
  expect((await tab.take("ann")).map(({ upload: { id } }) => id)).toEqual([upload.id]);
});

test("does not wait for a browser that never answers", async () => {
  const { openTab, clock } = browser({ timeoutMs: 20 });
  const opens = vi.spyOn(indexedDB, "open").mockReturnValueOnce(new IDBOpenDBRequest());
  const tab = openTab();
  await tab.keep(kept(clock), file);
  expect(await tab.take("ann")).toEqual([]);
  opens.mockRestore();
});
