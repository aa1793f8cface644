import { expect, test } from "vitest";
import type { PageStorage } from "#src/browser/storage.ts";
import { createSingleKeys } from "#src/features/shortcuts/single-keys.ts";

function storageWith(stored: Record<string, string>): PageStorage {
  const kept = new Map(Object.entries(stored));
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, value) => kept.set(key, value).size > 0,
    remove: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
    subscribe: () => () => {},
  };
}

test("keeps single keys on by default also after a reload once switched off", () => {
  const storage = storageWith({});
  expect(createSingleKeys(storage).get()).toBe(true);
  createSingleKeys(storage).set(false);
  expect(createSingleKeys(storage).get()).toBe(false);
});

test("the preference for single-key shortcuts takes over the old one for transcripts", () => {
  const storage = storageWith({ transcriptPreferences: '{"view":"both","rewinds":true,"singleKeys":false}' });
  const keys = createSingleKeys(storage);
  expect(keys.get()).toBe(false);
  keys.set(true);
  expect(createSingleKeys(storage).get()).toBe(true);
});
