import { beforeEach, expect, test } from "vitest";
import type { PersistedDraft } from "#machines/blog-admin/post-editor/rules.ts";
import { createStorage, type PageStorage } from "#src/browser/storage.ts";
import { postDraftsOf as postDraftsOfIn } from "#src/features/blog-admin/post-drafts.ts";
import { written } from "#tests/machines/blog-admin/posts.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

let storage: PageStorage;
const postDraftsOf = (ownerId: string, postId: string | null) => postDraftsOfIn(ownerId, postId, storage);
let origin: FakeOrigin;
beforeEach(() => {
  origin = new FakeOrigin();
  storage = createStorage(origin.openTab());
});

const draftAt = (at: number): PersistedDraft => ({ at, revision: 1, values: written });

test("offers a stored draft to its author until it is discarded", () => {
  postDraftsOf("anna", "p1").keepWriting(draftAt(1));
  expect(postDraftsOf("ben", "p1").recall()).toEqual([]);
  expect(postDraftsOf("anna", null).recall()).toEqual([]);
  const drafts = postDraftsOf("anna", "p1");
  expect(drafts.recall()).toEqual([draftAt(1)]);
  // The next draft is stored beside the leftover one.
  drafts.keepWriting(draftAt(2));
  expect(postDraftsOf("anna", "p1").recall()).toEqual([draftAt(2), draftAt(1)]);
  drafts.keepCopies([]);
  expect(postDraftsOf("anna", "p1").recall()).toEqual([]);
});

test("stores nothing once everything is saved, and ignores unreadable drafts", () => {
  const drafts = postDraftsOf("anna", "p1");
  drafts.keepWriting(draftAt(1));
  drafts.keepWriting(null);
  expect(origin.items.size).toBe(0);
  for (const wrong of ["no JSON", "{}", '[{"at":"x"}]']) {
    origin.items.set("draft:anna:post:p1", wrong);
    expect(postDraftsOf("anna", "p1").recall()).toEqual([]);
  }
});

test("the browser stores at most five drafts of blog posts", () => {
  const drafts = postDraftsOf("anna", "p1");
  drafts.keepCopies([1, 2, 3, 4, 5, 6].map(draftAt));
  expect(postDraftsOf("anna", "p1").recall()).toHaveLength(5);
});
