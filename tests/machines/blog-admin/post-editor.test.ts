import { afterEach, describe, expect, test, vi } from "vitest";
import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { AdminBlogPost } from "#contract/index.ts";
import { postEditorMachine } from "#machines/blog-admin/post-editor/machine.ts";
import type { PersistedDraft, Sending } from "#machines/blog-admin/post-editor/rules.ts";
import {
  selectHasUnsaved,
  selectIsConflict,
  selectNeedsTitle,
  selectOffers,
  selectPostStatus,
  selectSaveError,
  selectSaveState,
  selectValues,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { until } from "#tests/fixtures/until.ts";
import { post, written } from "./posts.ts";

const refusal = (status: number, code: string) => Object.assign(new Error(code), { status, code });
const started: { stop(): void }[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

/** The editor, with a server that stores what it is sent until the test makes it fail. */
function open({
  there = post(),
  persisted = [],
  id = "p1",
}: {
  there?: AdminBlogPost;
  persisted?: readonly PersistedDraft[];
  id?: string | null;
} = {}) {
  const clock = new SimulatedClock();
  let time = 0;
  const load = vi.fn(async (_: string) => there);
  const save = vi.fn(async ({ values, status, revision }: Sending): Promise<AdminBlogPost> => {
    const { topics, ...others } = values;
    return post({ ...others, slug: others.slug || "made", topics: [...topics], status, revision: revision + 1 });
  });
  const remove = vi.fn(async (_: string): Promise<void> => {});
  const machine = postEditorMachine.provide({
    actors: {
      load: fromPromise(({ input }: { input: { id: string } }) => load(input.id)),
      save: fromPromise(({ input }: { input: Sending }) => save(input)),
      remove: fromPromise(({ input }: { input: { id: string } }) => remove(input.id)),
      wakeUps: fromCallback(() => {}),
    },
  });
  const actor = createActor(machine, { clock, input: { id, language: "en", persisted, now: () => time } });
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  started.push(actor);
  actor.start();
  const state = () => selectSaveState(actor.getSnapshot());
  return { actor, clock, setTime: (now: number) => (time = now), load, save, remove, emitted, state };
}

/** Waits for the answers to all requests. */
const settled = () => until(() => Promise.resolve());
const values = (harness: ReturnType<typeof open>) => selectValues(harness.actor.getSnapshot());

test("autosaves a new post after a pause, once it has a title", async () => {
  const harness = open({ id: null });
  harness.actor.send({ type: "values.changed", values: { content: "Lights." } });
  harness.clock.increment(60_000);
  expect(harness.save).not.toHaveBeenCalled();
  expect(harness.state()).toBe("incomplete");
  harness.actor.send({ type: "values.changed", values: { title: "Night" } });
  harness.clock.increment(2_999);
  harness.actor.send({ type: "values.changed", values: { title: "Nights" } });
  harness.clock.increment(2_999);
  expect(harness.save).not.toHaveBeenCalled();
  harness.clock.increment(1);
  expect(harness.state()).toBe("saving");
  harness.actor.send({ type: "values.changed", values: { content: "Lights, many." } });
  await until(() => expect(harness.emitted).toEqual(["post.created"]));
  expect(values(harness)).toMatchObject({ title: "Nights", content: "Lights, many.", slug: "made" });
  expect(selectHasUnsaved(harness.actor.getSnapshot())).toBe(true);
  harness.clock.increment(3_000);
  await until(() => expect(harness.state()).toBe("saved"));
  expect(harness.save).toHaveBeenLastCalledWith(expect.objectContaining({ id: "p1", revision: 1, asked: false }));
});

test("does not autosave a published post", async () => {
  const harness = open({ there: post({ status: "published" }) });
  await until(() => expect(harness.state()).toBe("saved"));
  harness.actor.send({ type: "values.changed", values: { content: "Boats." } });
  harness.clock.increment(60_000);
  expect(harness.save).not.toHaveBeenCalled();
  harness.actor.send({ type: "save.requested", status: "published" });
  await until(() => expect(harness.emitted).toEqual(["post.updated"]));
  harness.actor.send({ type: "save.requested", status: "draft" });
  await until(() => expect(harness.emitted).toEqual(["post.updated", "post.unpublished"]));
  expect(selectPostStatus(harness.actor.getSnapshot())).toBe("draft");
});

test("shows that publishing needs a title, and does not publish when the title is typed", () => {
  const harness = open({ id: null });
  harness.actor.send({ type: "save.requested", status: "published" });
  expect(selectNeedsTitle(harness.actor.getSnapshot())).toBe(true);
  harness.actor.send({ type: "values.changed", values: { title: "N" } });
  expect(harness.save).not.toHaveBeenCalled();
  expect(selectPostStatus(harness.actor.getSnapshot())).toBe("draft");
});

test("retries a failed save with one message, and waits for a change after a refusal", async () => {
  const harness = open();
  await until(() => expect(harness.state()).toBe("saved"));
  harness.save.mockRejectedValueOnce(refusal(0, "network")).mockRejectedValueOnce(refusal(0, "network"));
  harness.actor.send({ type: "values.changed", values: { content: "Boats." } });
  harness.actor.send({ type: "save.requested", status: "published" });
  await until(() => expect(harness.state()).toBe("failed"));
  expect(selectSaveError(harness.actor.getSnapshot())).toBe("network");
  harness.clock.increment(15_000);
  await until(() => expect(harness.save).toHaveBeenCalledTimes(2));
  await settled();
  harness.save.mockRejectedValueOnce(refusal(409, "slugTaken"));
  harness.actor.send({ type: "save.requested", status: "published" });
  await until(() => expect(harness.state()).toBe("refused"));
  expect(harness.emitted).toEqual(["save.failed"]);
  harness.clock.increment(60_000);
  expect(harness.save).toHaveBeenCalledTimes(3);
  harness.actor.send({ type: "values.changed", values: { slug: "other" } });
  harness.clock.increment(3_000);
  await until(() => expect(harness.state()).toBe("saved"));
});

describe("conflict between two editors", () => {
  const theirs = post({ content: "Theirs.", revision: 7, status: "published" });

  async function inConflict() {
    const harness = open();
    await until(() => expect(harness.state()).toBe("saved"));
    harness.save.mockRejectedValueOnce(refusal(409, "conflict"));
    harness.load.mockResolvedValueOnce(theirs);
    harness.actor.send({ type: "values.changed", values: { content: "Mine." } });
    harness.clock.increment(3_000);
    await until(() => expect(selectIsConflict(harness.actor.getSnapshot())).toBe(true));
    return harness;
  }

  test("replaces their version with mine and keeps the post published", async () => {
    const harness = await inConflict();
    harness.actor.send({ type: "mine.chosen" });
    await until(() => expect(harness.state()).toBe("saved"));
    expect(harness.save).toHaveBeenLastCalledWith(expect.objectContaining({ revision: 7, status: "published", asked: true }));
    expect(values(harness).content).toBe("Mine.");
  });

  test("replaces the user's version by the server's in a conflict, and offers it for restoring", async () => {
    const harness = await inConflict();
    harness.setTime(99);
    harness.actor.send({ type: "theirs.chosen" });
    expect(values(harness).content).toBe("Theirs.");
    expect(harness.state()).toBe("saved");
    expect(selectOffers(harness.actor.getSnapshot())).toMatchObject([{ at: 99, revision: 7, values: { content: "Mine." } }]);
    harness.setTime(100);
    harness.actor.send({ type: "offer.taken", at: 99 });
    expect(values(harness).content).toBe("Mine.");
    expect(selectOffers(harness.actor.getSnapshot())).toEqual([]);
  });

  test("a conflict can turn the user's version into a new draft", async () => {
    const harness = await inConflict();
    harness.actor.send({ type: "copy.chosen" });
    await until(() => expect(harness.emitted).toEqual(["post.created"]));
    expect(harness.save).toHaveBeenLastCalledWith(expect.objectContaining({ id: null, revision: 0, status: "draft" }));
  });

  test.each([
    ["is deleted", () => Promise.resolve()],
    ["was deleted already", () => Promise.reject(refusal(404, "notFound"))],
  ])("keeps the copy when the original, whose deletion was in flight, %s", async (_, answer) => {
    const harness = await inConflict();
    const [removal, copying] = [Promise.withResolvers<void>(), Promise.withResolvers<AdminBlogPost>()];
    harness.remove.mockReturnValueOnce(removal.promise.then(answer));
    harness.actor.send({ type: "delete.requested" });
    harness.actor.send({ type: "delete.confirmed" });
    harness.save.mockReturnValueOnce(copying.promise);
    harness.actor.send({ type: "copy.chosen" });
    removal.resolve();
    await until(() => expect(harness.actor.getSnapshot().matches({ open: { removal: "idle" } })).toBe(true));
    expect(harness.state()).toBe("saving");
    copying.resolve(post({ id: "p2", content: "Mine." }));
    await until(() => expect(harness.state()).toBe("saved"));
    expect(harness.remove).toHaveBeenCalledExactlyOnceWith("p1");
    expect(harness.emitted).toEqual(["post.created"]);
    expect(values(harness).content).toBe("Mine.");
  });

  test("keeps a copy that was saved before its original is deleted, and lets it be deleted separately", async () => {
    const harness = await inConflict();
    const removal = Promise.withResolvers<void>();
    harness.remove.mockReturnValueOnce(removal.promise);
    harness.save.mockResolvedValueOnce(post({ id: "p2", content: "Mine." }));
    harness.actor.send({ type: "delete.requested" });
    harness.actor.send({ type: "delete.confirmed" });
    harness.actor.send({ type: "copy.chosen" });
    await until(() => expect(harness.state()).toBe("saved"));
    removal.resolve();
    await until(() => expect(harness.actor.getSnapshot().can({ type: "delete.requested" })).toBe(true));
    harness.actor.send({ type: "delete.requested" });
    harness.actor.send({ type: "delete.confirmed" });
    await until(() => expect(harness.emitted).toEqual(["post.created", "post.removed"]));
    expect(harness.remove.mock.calls).toEqual([["p1"], ["p2"]]);
  });

  test("lets a deleted post be saved only as a new draft", async () => {
    const harness = open();
    await until(() => expect(harness.state()).toBe("saved"));
    harness.save.mockRejectedValueOnce(refusal(404, "notFound"));
    harness.actor.send({ type: "values.changed", values: { content: "Mine." } });
    harness.clock.increment(3_000);
    await until(() => expect(selectIsConflict(harness.actor.getSnapshot())).toBe(true));
    expect(harness.actor.getSnapshot().can({ type: "mine.chosen" })).toBe(false);
    expect(harness.actor.getSnapshot().can({ type: "theirs.chosen" })).toBe(false);
    expect(harness.actor.getSnapshot().can({ type: "copy.chosen" })).toBe(true);
  });
});

test("offers a stored draft unless the server has the same, and stores the shown text instead of it", async () => {
  const same: PersistedDraft = {
    at: 1,
    revision: 1,
    values: { ...written, title: "Harbors", slug: "harbors", content: "Ships.", topics: ["sea"] },
  };
  const other: PersistedDraft = { at: 2, revision: 1, values: { ...written, content: "Kept." } };
  const harness = open({ persisted: [same, other], there: post({ status: "published" }) });
  await until(() => expect(harness.state()).toBe("saved"));
  expect(selectOffers(harness.actor.getSnapshot())).toEqual([other]);
  harness.actor.send({ type: "values.changed", values: { content: "Typed since." } });
  harness.setTime(3);
  harness.actor.send({ type: "offer.taken", at: 2 });
  expect(values(harness).content).toBe("Kept.");
  expect(selectOffers(harness.actor.getSnapshot())).toMatchObject([{ at: 3, values: { content: "Typed since." } }]);
  harness.actor.send({ type: "offer.discarded", at: 3 });
  expect(selectOffers(harness.actor.getSnapshot())).toEqual([]);
});

test("does not count a picture's placeholder as an unsaved change", async () => {
  const harness = open();
  await until(() => expect(harness.state()).toBe("saved"));
  harness.actor.send({ type: "values.changed", values: { content: "Ships.![Uploading cat.png …](upload:1-2)" } });
  expect(harness.state()).toBe("saved");
});

test("offers a text whose pictures were still uploading, although its words are saved", async () => {
  const there = post();
  const { title, slug, summary, topics, language, cover } = there;
  const content = `${there.content}![Uploading cat.png …](upload:1-2)`;
  const harness = open({
    there,
    persisted: [{ at: 1, revision: 1, values: { title, slug, summary, content, topics, language, cover } }],
  });
  await until(() => expect(harness.state()).toBe("saved"));
  expect(selectOffers(harness.actor.getSnapshot())).toHaveLength(1);
});

test("deletes a post after confirmation, and accepts that it is already gone", async () => {
  const harness = open();
  await until(() => expect(harness.state()).toBe("saved"));
  harness.remove.mockRejectedValueOnce(refusal(404, "notFound"));
  harness.actor.send({ type: "delete.requested" });
  harness.actor.send({ type: "delete.dismissed" });
  expect(harness.remove).not.toHaveBeenCalled();
  harness.actor.send({ type: "delete.requested" });
  harness.actor.send({ type: "delete.confirmed" });
  await until(() => expect(harness.emitted).toEqual(["post.removed"]));
});
