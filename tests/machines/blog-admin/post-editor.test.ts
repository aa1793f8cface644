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
const values = (rig: ReturnType<typeof open>) => selectValues(rig.actor.getSnapshot());

test("a new post is kept by itself after a pause, and once it has a title", async () => {
  const rig = open({ id: null });
  rig.actor.send({ type: "values.changed", values: { content: "Lights." } });
  rig.clock.increment(60_000);
  expect(rig.save).not.toHaveBeenCalled();
  expect(rig.state()).toBe("incomplete");
  rig.actor.send({ type: "values.changed", values: { title: "Night" } });
  rig.clock.increment(2_999);
  rig.actor.send({ type: "values.changed", values: { title: "Nights" } });
  rig.clock.increment(2_999);
  expect(rig.save).not.toHaveBeenCalled();
  rig.clock.increment(1);
  expect(rig.state()).toBe("saving");
  rig.actor.send({ type: "values.changed", values: { content: "Lights, many." } });
  await until(() => expect(rig.emitted).toEqual(["post.created"]));
  expect(values(rig)).toMatchObject({ title: "Nights", content: "Lights, many.", slug: "made" });
  expect(selectHasUnsaved(rig.actor.getSnapshot())).toBe(true);
  rig.clock.increment(3_000);
  await until(() => expect(rig.state()).toBe("saved"));
  expect(rig.save).toHaveBeenLastCalledWith(expect.objectContaining({ id: "p1", revision: 1, asked: false }));
});

test("what is published is not saved by itself", async () => {
  const rig = open({ there: post({ status: "published" }) });
  await until(() => expect(rig.state()).toBe("saved"));
  rig.actor.send({ type: "values.changed", values: { content: "Boats." } });
  rig.clock.increment(60_000);
  expect(rig.save).not.toHaveBeenCalled();
  rig.actor.send({ type: "save.requested", status: "published" });
  await until(() => expect(rig.emitted).toEqual(["post.updated"]));
  rig.actor.send({ type: "save.requested", status: "draft" });
  await until(() => expect(rig.emitted).toEqual(["post.updated", "post.unpublished"]));
  expect(selectPostStatus(rig.actor.getSnapshot())).toBe("draft");
});

test("publishing without a title says what is missing, and publishes nothing by the next letter", () => {
  const rig = open({ id: null });
  rig.actor.send({ type: "save.requested", status: "published" });
  expect(selectNeedsTitle(rig.actor.getSnapshot())).toBe(true);
  rig.actor.send({ type: "values.changed", values: { title: "N" } });
  expect(rig.save).not.toHaveBeenCalled();
  expect(selectPostStatus(rig.actor.getSnapshot())).toBe("draft");
});

test("what could not be saved is tried again, with one message; what is refused waits for a change", async () => {
  const rig = open();
  await until(() => expect(rig.state()).toBe("saved"));
  rig.save.mockRejectedValueOnce(refusal(0, "network")).mockRejectedValueOnce(refusal(0, "network"));
  rig.actor.send({ type: "values.changed", values: { content: "Boats." } });
  rig.actor.send({ type: "save.requested", status: "published" });
  await until(() => expect(rig.state()).toBe("failed"));
  expect(selectSaveError(rig.actor.getSnapshot())).toBe("network");
  rig.clock.increment(15_000);
  await until(() => expect(rig.save).toHaveBeenCalledTimes(2));
  await settled();
  rig.save.mockRejectedValueOnce(refusal(409, "slugTaken"));
  rig.actor.send({ type: "save.requested", status: "published" });
  await until(() => expect(rig.state()).toBe("refused"));
  expect(rig.emitted).toEqual(["save.failed"]);
  rig.clock.increment(60_000);
  expect(rig.save).toHaveBeenCalledTimes(3);
  rig.actor.send({ type: "values.changed", values: { slug: "other" } });
  rig.clock.increment(3_000);
  await until(() => expect(rig.state()).toBe("saved"));
});

describe("two write at once", () => {
  const theirs = post({ content: "Theirs.", revision: 7, status: "published" });

  async function inConflict() {
    const rig = open();
    await until(() => expect(rig.state()).toBe("saved"));
    rig.save.mockRejectedValueOnce(refusal(409, "conflict"));
    rig.load.mockResolvedValueOnce(theirs);
    rig.actor.send({ type: "values.changed", values: { content: "Mine." } });
    rig.clock.increment(3_000);
    await until(() => expect(selectIsConflict(rig.actor.getSnapshot())).toBe(true));
    return rig;
  }

  test("mine goes over theirs, and does not take it back from the readers", async () => {
    const rig = await inConflict();
    rig.actor.send({ type: "mine.chosen" });
    await until(() => expect(rig.state()).toBe("saved"));
    expect(rig.save).toHaveBeenLastCalledWith(expect.objectContaining({ revision: 7, status: "published", asked: true }));
    expect(values(rig).content).toBe("Mine.");
  });

  test("theirs is taken, and mine is offered", async () => {
    const rig = await inConflict();
    rig.setTime(99);
    rig.actor.send({ type: "theirs.chosen" });
    expect(values(rig).content).toBe("Theirs.");
    expect(rig.state()).toBe("saved");
    expect(selectOffers(rig.actor.getSnapshot())).toMatchObject([{ at: 99, revision: 7, values: { content: "Mine." } }]);
    rig.setTime(100);
    rig.actor.send({ type: "offer.taken", at: 99 });
    expect(values(rig).content).toBe("Mine.");
    expect(selectOffers(rig.actor.getSnapshot())).toEqual([]);
  });

  test("mine becomes a new draft", async () => {
    const rig = await inConflict();
    rig.actor.send({ type: "copy.chosen" });
    await until(() => expect(rig.emitted).toEqual(["post.created"]));
    expect(rig.save).toHaveBeenLastCalledWith(expect.objectContaining({ id: null, revision: 0, status: "draft" }));
  });

  test.each([
    ["is deleted", () => Promise.resolve()],
    ["was deleted already", () => Promise.reject(refusal(404, "notFound"))],
  ])("a copy stays when the original, whose deletion was in flight, %s", async (_, answer) => {
    const rig = await inConflict();
    const [removal, copying] = [Promise.withResolvers<void>(), Promise.withResolvers<AdminBlogPost>()];
    rig.remove.mockReturnValueOnce(removal.promise.then(answer));
    rig.actor.send({ type: "delete.requested" });
    rig.actor.send({ type: "delete.confirmed" });
    rig.save.mockReturnValueOnce(copying.promise);
    rig.actor.send({ type: "copy.chosen" });
    removal.resolve();
    await until(() => expect(rig.actor.getSnapshot().matches({ open: { removal: "idle" } })).toBe(true));
    expect(rig.state()).toBe("saving");
    copying.resolve(post({ id: "p2", content: "Mine." }));
    await until(() => expect(rig.state()).toBe("saved"));
    expect(rig.remove).toHaveBeenCalledExactlyOnceWith("p1");
    expect(rig.emitted).toEqual(["post.created"]);
    expect(values(rig).content).toBe("Mine.");
  });

  test("a copy that is saved before its original is deleted stays as well, and can be deleted itself", async () => {
    const rig = await inConflict();
    const removal = Promise.withResolvers<void>();
    rig.remove.mockReturnValueOnce(removal.promise);
    rig.save.mockResolvedValueOnce(post({ id: "p2", content: "Mine." }));
    rig.actor.send({ type: "delete.requested" });
    rig.actor.send({ type: "delete.confirmed" });
    rig.actor.send({ type: "copy.chosen" });
    await until(() => expect(rig.state()).toBe("saved"));
    removal.resolve();
    await until(() => expect(rig.actor.getSnapshot().can({ type: "delete.requested" })).toBe(true));
    rig.actor.send({ type: "delete.requested" });
    rig.actor.send({ type: "delete.confirmed" });
    await until(() => expect(rig.emitted).toEqual(["post.created", "post.removed"]));
    expect(rig.remove.mock.calls).toEqual([["p1"], ["p2"]]);
  });

  test("what somebody has deleted can be saved as a new draft only", async () => {
    const rig = open();
    await until(() => expect(rig.state()).toBe("saved"));
    rig.save.mockRejectedValueOnce(refusal(404, "notFound"));
    rig.actor.send({ type: "values.changed", values: { content: "Mine." } });
    rig.clock.increment(3_000);
    await until(() => expect(selectIsConflict(rig.actor.getSnapshot())).toBe(true));
    expect(rig.actor.getSnapshot().can({ type: "mine.chosen" })).toBe(false);
    expect(rig.actor.getSnapshot().can({ type: "theirs.chosen" })).toBe(false);
    expect(rig.actor.getSnapshot().can({ type: "copy.chosen" })).toBe(true);
  });
});

test("what was kept is offered unless it is what the server has; what is shown is kept in its stead", async () => {
  const same: PersistedDraft = {
    at: 1,
    revision: 1,
    values: { ...written, title: "Harbors", slug: "harbors", content: "Ships.", topics: ["sea"] },
  };
  const other: PersistedDraft = { at: 2, revision: 1, values: { ...written, content: "Kept." } };
  const rig = open({ persisted: [same, other], there: post({ status: "published" }) });
  await until(() => expect(rig.state()).toBe("saved"));
  expect(selectOffers(rig.actor.getSnapshot())).toEqual([other]);
  rig.actor.send({ type: "values.changed", values: { content: "Typed since." } });
  rig.setTime(3);
  rig.actor.send({ type: "offer.taken", at: 2 });
  expect(values(rig).content).toBe("Kept.");
  expect(selectOffers(rig.actor.getSnapshot())).toMatchObject([{ at: 3, values: { content: "Typed since." } }]);
  rig.actor.send({ type: "offer.discarded", at: 3 });
  expect(selectOffers(rig.actor.getSnapshot())).toEqual([]);
});

test("a place of a picture is nothing that is not saved", async () => {
  const rig = open();
  await until(() => expect(rig.state()).toBe("saved"));
  rig.actor.send({ type: "values.changed", values: { content: "Ships.![Uploading cat.png …](upload:1-2)" } });
  expect(rig.state()).toBe("saved");
});

test("a text whose pictures were on their way is offered, though its words are saved", async () => {
  const there = post();
  const { title, slug, summary, topics, language, cover } = there;
  const content = `${there.content}![Uploading cat.png …](upload:1-2)`;
  const rig = open({
    there,
    persisted: [{ at: 1, revision: 1, values: { title, slug, summary, content, topics, language, cover } }],
  });
  await until(() => expect(rig.state()).toBe("saved"));
  expect(selectOffers(rig.actor.getSnapshot())).toHaveLength(1);
});

test("it is deleted once it was asked; already gone is as good", async () => {
  const rig = open();
  await until(() => expect(rig.state()).toBe("saved"));
  rig.remove.mockRejectedValueOnce(refusal(404, "notFound"));
  rig.actor.send({ type: "delete.requested" });
  rig.actor.send({ type: "delete.dismissed" });
  expect(rig.remove).not.toHaveBeenCalled();
  rig.actor.send({ type: "delete.requested" });
  rig.actor.send({ type: "delete.confirmed" });
  await until(() => expect(rig.emitted).toEqual(["post.removed"]));
});
