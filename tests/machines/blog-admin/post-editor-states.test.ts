import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { AdminBlogPost } from "#contract/index.ts";
import type { PostEditorEvent } from "#machines/blog-admin/post-editor/events.ts";
import { postEditorMachine } from "#machines/blog-admin/post-editor/machine.ts";
import { emptyPost, type PersistedDraft, type Sending, valuesOf } from "#machines/blog-admin/post-editor/rules.ts";
import {
  selectHasBadSlug,
  selectHasUnsaved,
  selectIsConfirmingDeletion,
  selectIsConflict,
  selectIsDirty,
  selectIsLoading,
  selectIsMissing,
  selectIsOpen,
  selectIsRemoved,
  selectIsRemoving,
  selectIsSettling,
  selectLoadError,
  selectNeedsTitle,
  selectOffers,
  selectPost,
  selectPostId,
  selectRevision,
  selectSaved,
  selectSaveError,
  selectSaveState,
  selectSendingStatus,
  selectServerVersion,
  selectValues,
  selectWantedStatus,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { post, written } from "./posts.ts";

function setUp(id: string | null = "p1", persisted: readonly PersistedDraft[] = []) {
  const clock = new SimulatedClock();
  const load = answering<AdminBlogPost, { id: string }>();
  const save = answering<AdminBlogPost, Sending>();
  const remove = answering<void, { id: string }>();
  const wakeUps = talking<PostEditorEvent, PostEditorEvent>();
  const machine = postEditorMachine.provide({
    actors: { load: load.logic, save: save.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { id, language: "de", persisted, now: () => 7 } }));
  const emitted: object[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const change = (values: Partial<ReturnType<typeof emptyPost>>) => actor.send({ type: "values.changed", values });
  return {
    clock,
    load,
    save,
    remove,
    wakeUps,
    emitted,
    get,
    change,
    send: actor.send.bind(actor),
    state: () => get(selectSaveState),
  };
}

async function opened(parts: Partial<AdminBlogPost> = {}) {
  const harness = setUp();
  await harness.load.last().resolve(post(parts));
  return harness;
}

/** Saving the input has failed with this code. */
async function failed(code: string, more: object = {}) {
  const harness = await opened();
  harness.change({ content: "Boats." });
  harness.clock.increment(3_000);
  await harness.save.last().reject(code, more);
  return harness;
}

describe("post in the editor", () => {
  test("loads a post and opens the server's version", async () => {
    const { load, get, state } = setUp();
    expect([get(selectIsLoading), get(selectIsOpen), load.inputs(), get(selectPost)]).toEqual([
      true,
      false,
      [{ id: "p1" }],
      null,
    ]);
    await load.last().resolve(post({ revision: 4 }));
    expect([get(selectIsLoading), get(selectIsOpen), state(), get(selectRevision)]).toEqual([false, true, "saved", 4]);
    expect([get(selectPost), get(selectValues), get(selectSaved)]).toEqual([
      post({ revision: 4 }),
      valuesOf(post()),
      valuesOf(post()),
    ]);
  });

  test("reports a missing post, and retries a failed load", async () => {
    const { load, get, send, wakeUps } = setUp();
    await load.last().reject("notFound");
    expect([get(selectIsMissing), get(selectLoadError)]).toEqual([true, null]);
    send({ type: "reload.requested" });
    await load.last().reject("network");
    expect([get(selectIsMissing), get(selectLoadError), wakeUps.running()]).toEqual([false, "network", 1]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    send({ type: "reload.requested" });
    expect([load.asked.length, get(selectLoadError)]).toEqual([4, null]);
  });

  test("opens a new post in its language, and offers the stored draft of another new post", () => {
    const kept = [
      { at: 1, revision: 0, values: written },
      { at: 2, revision: 0, values: emptyPost("de") },
    ];
    const { load, get, state, send } = setUp(null, kept);
    expect([load.asked.length, state(), get(selectPostId), get(selectValues)]).toEqual([0, "new", null, emptyPost("de")]);
    expect(get(selectOffers)).toEqual([kept[0]]);
    expect([get(selectHasUnsaved), get(selectIsDirty)]).toEqual([false, false]);
    send({ type: "delete.requested" });
    expect(get(selectIsConfirmingDeletion)).toBe(false);
  });
});

describe("wanted status of a post", () => {
  test("shows the wanted status until it is reached, and handles a later wish afterwards", async () => {
    const { save, get, send, emitted, state } = await opened();
    expect([get(selectWantedStatus), get(selectSendingStatus)]).toEqual(["draft", null]);
    send({ type: "save.requested", status: "published" });
    expect([get(selectSendingStatus), get(selectIsSettling), state()]).toEqual(["published", true, "saving"]);
    send({ type: "save.requested", status: "draft" });
    expect(get(selectWantedStatus)).toBe("draft");
    await save.last().resolve(post({ status: "published", revision: 2 }));
    expect(save.last().input).toMatchObject({ status: "draft", revision: 2, asked: true });
    await save.last().resolve(post({ status: "draft", revision: 3 }));
    expect(emitted).toMatchObject([{ type: "post.published" }, { type: "post.unpublished" }]);
    expect([get(selectSendingStatus), get(selectIsSettling), state()]).toEqual([null, false, "saved"]);
  });

  test("emits the publication of a new post, and only the creation of a draft", async () => {
    for (const status of ["published", "draft"] as const) {
      const { save, send, change, emitted } = setUp(null);
      change({ title: "Night" });
      send({ type: "save.requested", status });
      await save.last().resolve(post({ id: "p9", status }));
      const created = { type: "post.created", id: "p9" };
      expect(emitted).toEqual(
        status === "draft" ? [created] : [created, { type: "post.published", post: post({ id: "p9", status }) }],
      );
    }
  });

  test("shows why a post can't be saved: the title is missing or the slug is invalid", async () => {
    const { save, get, send, change, state } = await opened();
    change({ title: " " });
    expect([get(selectNeedsTitle), state()]).toEqual([false, "incomplete"]);
    send({ type: "save.requested", status: "published" });
    expect([get(selectNeedsTitle), save.asked.length]).toEqual([true, 0]);
    change({ title: "Night", slug: "Not One" });
    expect([get(selectNeedsTitle), get(selectHasBadSlug), state()]).toEqual([false, true, "changed"]);
    change({ slug: "" });
    expect(get(selectHasBadSlug)).toBe(false);
    send({ type: "save.requested", status: "published" });
    change({ title: "" });
    expect(get(selectNeedsTitle)).toBe(false);
  });

  test("drops the wanted status when the title was removed during the save", async () => {
    const { save, get, send, change } = await opened();
    send({ type: "save.requested", status: "draft" });
    send({ type: "save.requested", status: "published" });
    change({ title: "" });
    await save.last().resolve(post({ revision: 2 }));
    expect([save.asked.length, get(selectNeedsTitle), get(selectWantedStatus)]).toEqual([1, true, "draft"]);
  });

  test("saves at once on request instead of after the pause, and does not autosave unchanged text", async () => {
    const { save, send, change, clock, state } = await opened();
    change({ content: "Boats." });
    send({ type: "save.requested", status: "draft" });
    expect(save.inputs()).toMatchObject([{ asked: true, values: { content: "Boats." } }]);
    await save.last().resolve(post({ content: "Boats.", revision: 2 }));
    change({ content: "Ships." });
    change({ content: "Boats." });
    clock.increment(3_000);
    expect([save.asked.length, state()]).toEqual([1, "saved"]);
  });
});

describe("failing save of a post", () => {
  test("retries a failed save after 15 s, on waking and on request, and shows the reason", async () => {
    const { clock, save, get, send, wakeUps, state, emitted } = await failed("network");
    expect([state(), get(selectSaveError), get(selectHasUnsaved)]).toEqual(["failed", "network", true]);
    clock.increment(14_999);
    expect(save.asked).toHaveLength(1);
    clock.increment(1);
    await save.last().reject("internal");
    expect([get(selectSaveError), emitted]).toEqual(["internal", [{ type: "save.failed", code: "network" }]]);
    wakeUps.say({ type: "page.resumed" });
    await save.last().reject("internal");
    send({ type: "save.requested", status: "published" });
    expect(save.last().input).toMatchObject({ status: "published", asked: true });
    await save.last().resolve(post({ content: "Boats.", status: "published" }));
    expect([state(), get(selectSaveError)]).toEqual(["saved", null]);
  });

  test("pauses the retries without a title, and resumes them with one", async () => {
    const { clock, save, change, state } = await failed("network");
    change({ title: "" });
    clock.increment(60_000);
    expect([save.asked.length, state()]).toEqual([1, "failed"]);
    change({ title: "Night" });
    clock.increment(15_000);
    expect(save.asked).toHaveLength(2);
  });

  test.each<[string, object?]>([["badRequest"], ["slugTaken"], ["adminRequired"], ["internal", { status: 422 }]])(
    "stops retrying after a final refusal (%s) until a change or a request",
    async (code, more = {}) => {
      const harness = await failed(code, more);
      harness.clock.increment(60_000);
      expect([harness.state(), harness.get(selectSaveError), harness.save.asked.length]).toEqual(["refused", code, 1]);
      harness.send({ type: "save.requested", status: "published" });
      expect(harness.save.last().input).toMatchObject({ status: "published", asked: true });
      await harness.save.last().reject(code, more);
      expect(harness.get(selectWantedStatus)).toBe("draft");
      harness.change({ content: "More boats." });
      expect(harness.get(selectSaveError)).toBeNull();
      harness.clock.increment(3_000);
      expect(harness.save.last().input).toMatchObject({ status: "draft", asked: false });
    },
  );
});

describe("conflicting save of a post", () => {
  const theirs = post({ content: "Theirs.", revision: 5 });

  test("fetches the other version before the decision, and keeps the wanted status", async () => {
    const harness = await opened();
    harness.change({ content: "Mine." });
    harness.send({ type: "save.requested", status: "published" });
    await harness.save.last().reject("conflict");
    expect([harness.state(), harness.get(selectIsConflict), harness.load.asked.length, harness.get(selectWantedStatus)]).toEqual([
      "conflict",
      false,
      2,
      "published",
    ]);
    await harness.load.last().resolve(theirs);
    expect([harness.get(selectIsConflict), harness.get(selectServerVersion)]).toEqual([true, theirs]);
    harness.send({ type: "mine.chosen" });
    expect(harness.save.last().input).toMatchObject({ revision: 5, status: "published" });
  });

  test.each(["gone", "notFound"])("a conflict keeps the user's version when the fetched version is %s", async (code) => {
    const harness = await failed("conflict");
    await harness.load.last().reject(code);
    expect([harness.get(selectIsConflict), harness.get(selectServerVersion)]).toEqual([true, null]);
  });

  test("treats a failed fetch of the other version as a failed save, and retries", async () => {
    const harness = await failed("conflict");
    await harness.load.last().reject("network");
    expect([harness.state(), harness.get(selectSaveError)]).toEqual(["failed", "network"]);
    harness.clock.increment(15_000);
    expect(harness.save.asked).toHaveLength(2);
  });

  test.each(["conflict", "notFound"])("treats a conflict of a new post (%s) as an ordinary failure", async (code) => {
    const harness = setUp(null);
    harness.change({ title: "Night" });
    harness.clock.increment(3_000);
    await harness.save.last().reject(code);
    expect([harness.state(), harness.load.asked.length]).toEqual(["failed", 0]);
  });
});

test("asks for confirmation of a deletion, and shows why it failed", async () => {
  const { remove, get, send, emitted } = await opened();
  send({ type: "delete.requested" });
  expect([get(selectIsConfirmingDeletion), get(selectIsRemoving)]).toEqual([true, false]);
  send({ type: "delete.confirmed" });
  expect([get(selectIsConfirmingDeletion), get(selectIsRemoving), remove.inputs()]).toEqual([false, true, [{ id: "p1" }]]);
  await remove.last().reject("network");
  expect([get(selectIsRemoving), emitted]).toEqual([false, [{ type: "removal.failed", code: "network" }]]);
  send({ type: "delete.requested" });
  send({ type: "delete.confirmed" });
  await remove.last().resolve();
  expect([get(selectIsRemoved), get(selectIsOpen), get(selectHasUnsaved)]).toEqual([true, false, false]);
});
