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

test("single keys are on until they are switched off, and stay off after a reload", () => {
  const storage = storageWith({});
  expect(createSingleKeys(storage).get()).toBe(true);
  createSingleKeys(storage).set(false);
  expect(createSingleKeys(storage).get()).toBe(false);
});

test("whoever had switched them off among the preferences for transcripts has them off until they switch them on", () => {
  const storage = storageWith({ transcriptPreferences: '{"view":"both","rewinds":true,"singleKeys":false}' });
  const keys = createSingleKeys(storage);
  expect(keys.get()).toBe(false);
  keys.set(true);
  expect(createSingleKeys(storage).get()).toBe(true);
});
