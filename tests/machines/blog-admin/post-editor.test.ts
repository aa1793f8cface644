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

/** Until what was asked is answered. */
const settled = () => until(() => Promise.resolve());
const values = (harness: ReturnType<typeof open>) => selectValues(harness.actor.getSnapshot());

test("a new post is kept by itself after a pause, and once it has a title", async () => {
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

test("what is published is not saved by itself", async () => {
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

test("publishing without a title says what is missing, and publishes nothing by the next letter", () => {
  const harness = open({ id: null });
  harness.actor.send({ type: "save.requested", status: "published" });
  expect(selectNeedsTitle(harness.actor.getSnapshot())).toBe(true);
  harness.actor.send({ type: "values.changed", values: { title: "N" } });
  expect(harness.save).not.toHaveBeenCalled();
  expect(selectPostStatus(harness.actor.getSnapshot())).toBe("draft");
});

test("what could not be saved is tried again, with one message; what is refused waits for a change", async () => {
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

describe("two write at once", () => {
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

  test("mine goes over theirs, and does not take it back from the readers", async () => {
    const harness = await inConflict();
    harness.actor.send({ type: "mine.chosen" });
    await until(() => expect(harness.state()).toBe("saved"));
    expect(harness.save).toHaveBeenLastCalledWith(expect.objectContaining({ revision: 7, status: "published", asked: true }));
    expect(values(harness).content).toBe("Mine.");
  });

  test("theirs is taken, and mine is offered", async () => {
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

  test("mine becomes a new draft", async () => {
    const harness = await inConflict();
    harness.actor.send({ type: "copy.chosen" });
    await until(() => expect(harness.emitted).toEqual(["post.created"]));
    expect(harness.save).toHaveBeenLastCalledWith(expect.objectContaining({ id: null, revision: 0, status: "draft" }));
  });

  test.each([
    ["is deleted", () => Promise.resolve()],
    ["was deleted already", () => Promise.reject(refusal(404, "notFound"))],
  ])("a copy stays when the original, whose deletion was in flight, %s", async (_, answer) => {
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

  test("a copy that is saved before its original is deleted stays as well, and can be deleted itself", async () => {
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

  test("what somebody has deleted can be saved as a new draft only", async () => {
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

test("what was kept is offered unless it is what the server has; what is shown is kept in its stead", async () => {
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

test("a place of a picture is nothing that is not saved", async () => {
  const harness = open();
  await until(() => expect(harness.state()).toBe("saved"));
  harness.actor.send({ type: "values.changed", values: { content: "Ships.![Uploading cat.png …](upload:1-2)" } });
  expect(harness.state()).toBe("saved");
});

test("a text whose pictures were on their way is offered, though its words are saved", async () => {
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

test("it is deleted once it was asked; already gone is as good", async () => {
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
