import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageStorage } from "#src/browser/storage.ts";
import { dropAllShareTargetFiles, dropShareTargetFiles, shareTargetFiles } from "#src/features/uploads/share-target-files.ts";

/** The part of the browser's caches that the code under test uses. */
function fakeCaches() {
  const kept = new Map<string, Response>();
  const cache = {
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    match: async ({ url }: { url: string }) => kept.get(url)?.clone(),
    delete: async (url: string) => kept.delete(url),
  };
  return {
    kept,
    caches: {
      has: async () => kept.size > 0,
      open: async () => cache,
      delete: async () => {
        kept.clear();
        return true;
      },
    },
  };
}

function fakeStorage(): PageStorage {
  const kept = new Map<string, string>();
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, value) => kept.set(key, value).has(key),
    remove: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
    subscribe: () => () => {},
  };
}

let browser = fakeCaches();
let storage = fakeStorage();
const address = (name: string) => `https://parlance.example/shared-files/1?name=${name}&type=audio%2Fmp4&lastModified=1000`;
beforeEach(() => {
  browser = fakeCaches();
  storage = fakeStorage();
  vi.stubGlobal("caches", browser.caches);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("keeps a shared file's name, type and time until it is dropped", async () => {
  browser.kept.set(address("memo.m4a"), new Response("sound"));
  const [memo, ...others] = await shareTargetFiles("ann", storage);
  expect([memo?.file.name, memo?.file.type, memo?.file.lastModified, await memo?.file.text(), others]).toEqual([
    "memo.m4a",
    "audio/mp4",
    1000,
    "sound",
    [],
  ]);
  if (memo !== undefined) await dropShareTargetFiles([memo]);
  expect(await shareTargetFiles("ann", storage)).toEqual([]);
});

// PROMISE offline: A file that another app shares waits until its person confirms it
test("gives shared files to the first person who sees them only", async () => {
  browser.kept.set(address("memo.m4a"), new Response("sound"));
  expect(await shareTargetFiles("ann", storage)).toHaveLength(1);
  expect(await shareTargetFiles("bob", storage)).toEqual([]);
  browser.kept.set(address("other.m4a"), new Response("sound"));
  expect((await shareTargetFiles("bob", storage)).map(({ file }) => file.name)).toEqual(["other.m4a"]);
  expect((await shareTargetFiles("ann", storage)).map(({ file }) => file.name)).toEqual(["memo.m4a"]);
});

test("deletes shared files at sign-out", async () => {
  browser.kept.set(address("memo.m4a"), new Response("sound"));
  await shareTargetFiles("ann", storage);
  await dropAllShareTargetFiles(storage);
  expect([browser.kept.size, storage.keys().filter((key) => key.startsWith("shared:"))]).toEqual([0, []]);
});
