import "#tests/page/indexed-db.ts";
import { type DBSchema, deleteDB, openDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import { createDatabase } from "#src/browser/indexed-db.ts";
import { until } from "#tests/fixtures/until.ts";

interface Tables extends DBSchema {
  words: { key: string; value: string };
}

function database(timeoutMs?: number) {
  const name = `words-${crypto.randomUUID()}`;
  return { name, open: createDatabase<Tables>({ name, create: (db) => void db.createObjectStore("words"), timeoutMs }) };
}

afterEach(() => void vi.restoreAllMocks());

test("is opened once for all who ask", async () => {
  const opens = vi.spyOn(indexedDB, "open");
  const { open } = database();
  const [first, second] = await Promise.all([open(), open()]);
  expect(second).toBe(first);
  expect(await open()).toBe(first);
  expect(opens).toHaveBeenCalledTimes(1);
});

test("that could not be opened is opened the next time", async () => {
  const { name, open } = database();
  (await openDB(name, 2)).close();
  await expect(open()).rejects.toMatchObject({ name: "VersionError" });
  await deleteDB(name);
  expect([...(await open()).objectStoreNames]).toEqual(["words"]);
});

test("that takes too long is waited for once, and used when it is there after all", async () => {
  const { name, open } = database(20);
  const other = await openDB(name);
  const deletion = deleteDB(name);
  const opens = vi.spyOn(indexedDB, "open");
  await expect(open()).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(open()).rejects.toMatchObject({ name: "TimeoutError" });
  other.close();
  await deletion;
  await until(async () => expect(await (await open()).count("words")).toBe(0));
  expect(opens).toHaveBeenCalledTimes(1);
});

test("gives way to a tab that deletes it, and is opened anew", async () => {
  const { name, open } = database();
  await (await open()).put("words", "said", "key");
  await deleteDB(name, { blocked: () => expect.unreachable() });
  expect(await (await open()).count("words")).toBe(0);
});
