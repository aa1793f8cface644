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

test("opens a database once for all callers", async () => {
  const opens = vi.spyOn(indexedDB, "open");
  const { open } = database();
  const [first, second] = await Promise.all([open(), open()]);
  expect(second).toBe(first);
  expect(await open()).toBe(first);
  expect(opens).toHaveBeenCalledTimes(1);
});

test("opens a database again after a failure", async () => {
  const { name, open } = database();
  (await openDB(name, 2)).close();
  await expect(open()).rejects.toMatchObject({ name: "VersionError" });
  await deleteDB(name);
  expect([...(await open()).objectStoreNames]).toEqual(["words"]);
});

test("waits once for a slow database, and uses it when it opens later", async () => {
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

test("closes for a tab that deletes the database, and opens it again", async () => {
  const { name, open } = database();
  await (await open()).put("words", "said", "key");
  await deleteDB(name, { blocked: () => expect.unreachable() });
  expect(await (await open()).count("words")).toBe(0);
});
