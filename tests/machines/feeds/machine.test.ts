import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { Feed, NewFeed } from "#contract/index.ts";
import type { Changing, Created, Drafted } from "#machines/collection/events.ts";
import { type LoadingEvent, selectFailure, selectHasFailed, selectIsUnavailable } from "#machines/collection/loading.ts";
import {
  selectAsked,
  selectChanging,
  selectIsCreating,
  selectIsWriting,
  selectItems,
  selectRemoving,
  selectReturns,
} from "#machines/collection/selectors.ts";
import type { FeedTypes, KnownFeeds } from "#machines/feeds/events.ts";
import { feedsMachine, selectFolders, selectLimit, selectWantedFolder } from "#machines/feeds/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const at = "2026-03-01T12:00:00.000Z";
const feed = (id: string, more: Partial<Feed> = {}): Feed => ({
  ...{ id, url: `https://${id}.example/feed`, title: id, createdAt: at, sourceLanguage: "en", targetLanguage: null },
  ...{ folderId: null, paused: null, lookedAt: at, nextAt: at, error: null, failures: 0 },
  ...{ taken: 0, waiting: 0, waitingFor: null, newest: null },
  ...more,
});
const known = (...ids: string[]): KnownFeeds => ({
  items: ids.map((id) => feed(id)),
  limit: 3,
  folders: [{ id: "f", name: "Podcasts" }],
});
const draft: NewFeed = { url: "https://new.example/feed", sourceLanguage: "en", takeNewest: true };

function start() {
  const load = answering<KnownFeeds>();
  const create = answering<Created<FeedTypes>, Drafted<FeedTypes>>();
  const change = answering<Feed, Changing<FeedTypes>>();
  const remove = answering<void, { id: string }>();
  const wakeUps = talking<LoadingEvent>();
  const actors = { load: load.logic, create: create.logic, change: change.logic, remove: remove.logic, wakeUps: wakeUps.logic };
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(feedsMachine.provide({ actors }), { clock }));
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  const ids = () => selectItems(actor.getSnapshot()).map(({ id }) => id);
  const now = () => actor.getSnapshot();
  return { actor, clock, load, create, change, remove, wakeUps, emitted, ids, now };
}

async function opened(...ids: string[]) {
  const all = start();
  await all.load.last().resolve(known(...ids));
  return all;
}

describe("feeds machine", () => {
  test("follows a feed by a form, which stays open until the server has read the feed", async () => {
    const { actor, create, emitted, ids, now } = await opened("old");
    expect([selectLimit(now()), selectFolders(now()).map(({ name }) => name)]).toEqual([3, ["Podcasts"]]);
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft: { ...draft, url: " " } });
    expect([selectFailure(now()), create.asked.length]).toEqual(["noUrl", 0]);
    actor.send({ type: "creation.submitted", draft });
    expect([selectIsWriting(now()), selectIsCreating(now()), selectFailure(now())]).toEqual([true, true, null]);
    // It can't be cancelled while the server reads it.
    actor.send({ type: "creation.dismissed" });
    await create.last().reject("notAudio");
    expect([selectIsWriting(now()), selectIsCreating(now()), selectFailure(now())]).toEqual([true, false, "notAudio"]);
    actor.send({ type: "creation.submitted", draft });
    await create.last().resolve({ item: feed("new"), secret: null });
    expect([create.inputs(), ids(), emitted]).toEqual([[{ draft }, { draft }], ["old", "new"], ["item.created"]]);
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.dismissed" });
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([false, null]);
  });

  test("pauses and resumes feeds, and notices a feed that was removed elsewhere", async () => {
    const { actor, change, load, ids, now } = await opened("one");
    actor.send({ type: "change.requested", id: "one", change: { paused: true } });
    expect([selectChanging(now()), change.inputs()]).toEqual(["one", [{ id: "one", change: { paused: true } }]]);
    await change.last().resolve(feed("one", { paused: { at, reason: "owner" } }));
    expect(selectItems(now())[0]?.paused?.reason).toBe("owner");
    actor.send({ type: "change.requested", id: "one", change: { paused: false } });
    expect(change.last().input).toEqual({ id: "one", change: { paused: false } });
    await change.last().reject("tooManyAtOnce");
    expect(selectFailure(now())).toBe("tooManyAtOnce");
    await load.last().resolve(known());
    expect(ids()).toEqual([]);
  });

  test("moves a feed's transcripts into another folder or into none", async () => {
    const { actor, change, now } = await opened("one");
    actor.send({ type: "change.requested", id: "one", change: { folderId: "f" } });
    expect([selectChanging(now()), change.last().input]).toEqual(["one", { id: "one", change: { folderId: "f" } }]);
    expect(selectWantedFolder(now())).toBe("f");
    await change.last().resolve(feed("one", { folderId: "f" }));
    expect(selectWantedFolder(now())).toBeUndefined();
    expect(selectItems(now())[0]?.folderId).toBe("f");
    actor.send({ type: "change.requested", id: "one", change: { folderId: null } });
    expect(change.last().input).toEqual({ id: "one", change: { folderId: null } });
    // After a failed change, the old value is shown.
    await change.last().reject("network");
    expect([selectItems(now())[0]?.folderId, selectFailure(now())]).toEqual(["f", "network"]);
  });

  test("removes a feed after confirmation, and reloads when it was removed elsewhere", async () => {
    const { actor, remove, load, emitted, ids, now } = await opened("one", "two");
    actor.send({ type: "removal.requested", id: "one" });
    expect([selectAsked(now())?.id, remove.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "removal.requested", id: "one" });
    actor.send({ type: "removal.confirmed" });
    expect(selectRemoving(now())).toBe("one");
    await remove.last().resolve();
    expect([ids(), emitted, selectReturns(now())]).toEqual([["two"], ["item.removed"], 1]);
    actor.send({ type: "removal.requested", id: "two" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("network");
    expect([ids(), selectFailure(now())]).toEqual([["two"], "network"]);
    actor.send({ type: "removal.requested", id: "two" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("notFound");
    await load.last().resolve(known());
    expect([ids(), selectFailure(now())]).toEqual([[], "notFound"]);
  });

  test("reloads the feeds every half minute if there are any, and when the page is back", async () => {
    const { clock, load, wakeUps, ids } = await opened("one");
    clock.increment(29_999);
    expect(load.asked).toHaveLength(1);
    clock.increment(1);
    expect([load.asked.length, ids()]).toEqual([2, ["one"]]);
    await load.last().reject("network");
    expect(ids()).toEqual(["one"]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve(known());
    clock.increment(120_000);
    expect(load.asked).toHaveLength(3);
  });

  test("retries feeds that can't be loaded, except when the server has no feeds", async () => {
    const { actor, load, wakeUps, now } = start();
    await load.last().reject("network");
    expect(selectHasFailed(now())).toBe(true);
    actor.send({ type: "reload.requested" });
    await load.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("notOffered");
    expect([selectIsUnavailable(now()), load.asked.length]).toEqual([true, 3]);
  });
});

test("changes and removes only the chosen feed, and clears an old failure with the next form", async () => {
  const { actor, change, remove, create, load, ids, now } = await opened("one", "two", "three");
  expect([selectHasFailed(now()), selectIsWriting(now()), selectReturns(now())]).toEqual([false, false, 0]);
  actor.send({ type: "change.requested", id: "two", change: { paused: true } });
  expect([selectChanging(now()), selectRemoving(now()), selectWantedFolder(now())]).toEqual(["two", null, undefined]);
  await change.last().resolve(feed("two", { paused: { at, reason: "owner" } }));
  expect(selectItems(now()).map(({ paused }) => paused?.reason)).toEqual([undefined, "owner", undefined]);
  actor.send({ type: "removal.requested", id: "two" });
  expect(selectAsked(now())?.id).toBe("two");
  actor.send({ type: "removal.confirmed" });
  expect([selectAsked(now()), selectRemoving(now())]).toEqual([null, "two"]);
  await remove.last().resolve();
  expect([ids(), selectRemoving(now()), selectReturns(now())]).toEqual([["one", "three"], null, 1]);
  actor.send({ type: "removal.requested", id: "one" });
  actor.send({ type: "removal.confirmed" });
  await remove.last().reject("network");
  expect([ids(), selectFailure(now()), load.asked.length]).toEqual([["one", "three"], "network", 2]);
  actor.send({ type: "creation.requested" });
  expect(selectFailure(now())).toBeNull();
  actor.send({ type: "creation.submitted", draft });
  await create.last().reject("urlRefused");
  actor.send({ type: "creation.dismissed" });
  expect([selectIsWriting(now()), selectFailure(now())]).toEqual([false, null]);
});
