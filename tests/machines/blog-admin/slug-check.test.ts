import { expect, test, vi } from "vitest";
import { createActor, fromPromise, SimulatedClock } from "xstate";
import { selectIsOwnSlug, selectSlug, selectSlugState, slugCheckMachine } from "#machines/blog-admin/slug-check.ts";
import { until } from "#tests/fixtures/until.ts";

function open(own = false) {
  const clock = new SimulatedClock();
  const ask = vi.fn(async (_: { title: string; slug: string; own: boolean }) => ({ slug: "night", free: true }));
  const machine = slugCheckMachine.provide({ actors: { ask: fromPromise(({ input }) => ask(input)) } });
  const input = { id: null, title: "", slug: own ? "old" : "", own };
  const actor = createActor(machine, { clock, input }).start();
  const made: string[] = [];
  actor.on("slug.made", ({ slug }) => made.push(slug));
  return { actor, clock, ask, made, state: () => selectSlugState(actor.getSnapshot()) };
}

test("makes a slug from the title once the typing pauses", async () => {
  const { actor, clock, ask, made, state } = open();
  actor.send({ type: "title.changed", title: "Nigh" });
  clock.increment(399);
  actor.send({ type: "title.changed", title: "Night" });
  clock.increment(399);
  expect(ask).not.toHaveBeenCalled();
  clock.increment(1);
  await until(() => expect(state()).toBe("free"));
  expect(ask).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: "Night", own: false }));
  expect(made).toEqual(["night"]);
  actor.stop();
});

test("keeps a typed slug when the title changes, until the slug is emptied", async () => {
  const { actor, clock, ask, made, state } = open();
  ask.mockResolvedValueOnce({ slug: "mine", free: false });
  actor.send({ type: "slug.typed", slug: "mine" });
  clock.increment(400);
  await until(() => expect(state()).toBe("taken"));
  actor.send({ type: "title.changed", title: "Night" });
  expect(state()).toBe("taken");
  actor.send({ type: "slug.typed", slug: "Not one" });
  clock.increment(400);
  expect(state()).toBe("wrong");
  expect(ask).toHaveBeenCalledTimes(1);
  actor.send({ type: "slug.typed", slug: "" });
  expect(selectIsOwnSlug(actor.getSnapshot())).toBe(false);
  clock.increment(400);
  await until(() => expect(made).toEqual(["night"]));
  actor.stop();
});

test("leaves the availability unknown until the save when the check fails", async () => {
  const { actor, clock, ask, state } = open(true);
  ask.mockRejectedValueOnce(new Error("no connection"));
  actor.send({ type: "slug.typed", slug: "new" });
  clock.increment(400);
  await until(() => expect(state()).toBe("unknown"));
  actor.send({ type: "slug.shown", slug: "theirs", own: true });
  expect(state()).toBe("settled");
  actor.stop();
});

test("checks no empty title or slug, and counts the saved post's own slug as free", async () => {
  const { actor, clock, ask, state } = open();
  actor.send({ type: "title.changed", title: " " });
  expect(state()).toBe("checking");
  clock.increment(400);
  expect([state(), ask.mock.calls.length]).toEqual(["settled", 0]);
  actor.send({ type: "post.saved", id: "p1" });
  actor.send({ type: "title.changed", title: "Night" });
  clock.increment(400);
  expect(state()).toBe("checking");
  await until(() => expect(state()).toBe("free"));
  expect(ask).toHaveBeenCalledExactlyOnceWith({ id: "p1", title: "Night", slug: "", own: false });
  expect(selectSlug(actor.getSnapshot())).toBe("night");
  actor.send({ type: "slug.shown", slug: "night", own: true });
  expect([state(), selectIsOwnSlug(actor.getSnapshot())]).toEqual(["free", false]);
  actor.stop();
});

test("keeps a slug exactly as typed, whatever the server makes of it", async () => {
  const { actor, clock, made, state } = open(true);
  actor.send({ type: "slug.typed", slug: "my-night" });
  clock.increment(400);
  await until(() => expect(state()).toBe("free"));
  expect([selectSlug(actor.getSnapshot()), made]).toEqual(["my-night", []]);
  actor.stop();
});
