import { beforeEach, expect, test } from "vitest";
import { createStorage, type PageStorage } from "#src/browser/storage.ts";
import { draftsOf as draftsOfIn } from "#src/features/transcription/drafts.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

let storage: PageStorage;
const draftsOf = (ownerId: string, transcriptionId: string) => draftsOfIn(ownerId, transcriptionId, storage);
let origin: FakeOrigin;
beforeEach(() => {
  origin = new FakeOrigin();
  storage = createStorage(origin.openTab());
});

test("restores typed text after a reload until it is saved", () => {
  const draft = { title: "A call", edits: { 3: "Please ring me." } };
  draftsOf("anna", "t1").keep(draft);
  storage = createStorage(origin.openTab());
  expect(draftsOf("anna", "t1").read()).toEqual({ title: "A call", edits: { "3": "Please ring me." } });
  expect(draftsOf("anna", "t2").read()).toBeNull();
  draftsOf("anna", "t1").keep(null);
  expect(draftsOf("anna", "t1").read()).toBeNull();
  expect(origin.items.size).toBe(0);
});

test("a stored draft restores named speakers and open fields", () => {
  const draft = { edits: {}, speakers: { 0: "Anna", 2: null }, typing: { 1: "half a", text: "all" } };
  draftsOf("anna", "t1").keep(draft);
  expect(draftsOf("anna", "t1").read()).toEqual(draft);
});

test("hides a draft from another person, who does not delete it", () => {
  draftsOf("anna", "t1").keep({ text: "mine", edits: {} });
  expect(draftsOf("ben", "t1").read()).toBeNull();
  draftsOf("ben", "t1").keep(null);
  expect(draftsOf("anna", "t1").read()).toEqual({ text: "mine", edits: {} });
});

test("ignores an unreadable draft", () => {
  draftsOf("anna", "t1").keep({ edits: {} });
  for (const key of origin.items.keys()) storage.write(key, '{"edits":{"first":1}}');
  expect(draftsOf("anna", "t1").read()).toBeNull();
});
