import { beforeEach, expect, test } from "vitest";
import type { WrittenNote } from "#machines/notes/rules.ts";
import { createStorage, type PageStorage } from "#src/browser/storage.ts";
import { noteDraftOf } from "#src/features/notes/drafts.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

let storage: PageStorage;
let origin: FakeOrigin;
beforeEach(() => {
  origin = new FakeOrigin();
  storage = createStorage(origin.openTab());
});

const draft: WrittenNote = { id: crypto.randomUUID(), revision: 0, start: 1, end: 2, colour: null, text: "half a" };

test("restores a note draft after a reload for its author only, until it is saved", () => {
  noteDraftOf("anna", "t1", storage).keep(draft);
  storage = createStorage(origin.openTab());
  expect(noteDraftOf("anna", "t1", storage).read()).toEqual(draft);
  expect([noteDraftOf("bert", "t1", storage).read(), noteDraftOf("anna", "t2", storage).read()]).toEqual([null, null]);
  noteDraftOf("anna", "t1", storage).keep(null);
  expect(noteDraftOf("anna", "t1", storage).read()).toBeNull();
  expect(origin.items.size).toBe(0);
});

test.each(["", "{}", "half", JSON.stringify({ ...draft, id: "../other" }), JSON.stringify({ ...draft, start: "1" })])(
  "rejects an invalid note draft: %j",
  (stored) => {
    noteDraftOf("anna", "t1", storage).keep(draft);
    const [key = ""] = storage.keys();
    storage.write(key, stored);
    expect(noteDraftOf("anna", "t1", storage).read()).toBeNull();
  },
);
