import "#tests/page/indexed-db.ts";
import { deleteDB, openDB } from "idb";
import { expect, test, vi } from "vitest";
import { createPictureFiles } from "#src/features/blog-admin/picture-files.ts";

const file = new File(["a picture"], "cat.png", { type: "image/png" });

function pictures(timeoutMs?: number) {
  const name = `pictures-${crypto.randomUUID()}`;
  return { name, files: createPictureFiles(() => 1_000_000_000_000, name, timeoutMs) };
}

test("keeps a picture for its owner until it is used", async () => {
  const { files } = pictures();
  await files.keep("cat", "ann", file);
  expect(await (await files.recall("cat", "ann"))?.text()).toBe("a picture");
  expect(await files.recall("cat", "eve")).toBeUndefined();
  await files.remove("cat");
  expect(await files.recall("cat", "ann")).toBeUndefined();
});

test("tries again after the browser could not store once", async () => {
  const { files, name } = pictures();
  (await openDB(name, 2)).close();
  await files.keep("cat", "ann", file);
  await deleteDB(name);
  await files.keep("cat", "ann", file);
  expect(await (await files.recall("cat", "ann"))?.text()).toBe("a picture");
});

test("does not wait for a browser that never answers", async () => {
  const { files } = pictures(20);
  const opens = vi.spyOn(indexedDB, "open").mockReturnValueOnce(new IDBOpenDBRequest());
  await files.keep("cat", "ann", file);
  expect(await files.recall("cat", "ann")).toBeUndefined();
  opens.mockRestore();
});
