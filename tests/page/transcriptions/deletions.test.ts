import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Transcription, type TranscriptionUpdate, undoMs } from "#contract/index.ts";
import { selectCanUndo, selectDeleted } from "#machines/transcriptions/deletion.ts";
import type { BatchResult } from "#src/api/trash.ts";
import { createStorage, type PageStorage } from "#src/browser/storage.ts";
import { createDeletions, type Deletions } from "#src/features/transcriptions/deletions.ts";
import { failure, row, transcription } from "#tests/machines/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

type Asked = { id: string; signal: AbortSignal | undefined; resolve(answer?: unknown): void; reject(error: unknown): void };

const world = {
  userId: null as string | null,
  added: [] as (Omit<Asked, "id"> & { ids: readonly string[] })[],
  restored: [] as (Omit<Asked, "id"> & { ids: readonly string[] })[],
  removed: [] as Asked[],
  updated: [] as (Asked & { change: TranscriptionUpdate })[],
  toasts: [] as unknown[],
};
let storage: PageStorage;

/** A call that the test answers. */
function asked<Answer>(id: string, signal: AbortSignal | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { promise, call: { id, signal, resolve, reject } };
}

/** As a page that was loaded just now has it. */
const loadPage = () =>
  createDeletions({
    api: {
      remove: (id, signal) => {
        const { promise, call } = asked<{ purgeAt: string | undefined }>(id, signal);
        world.removed.push(call);
        return promise;
      },
      add: (ids, signal) => {
        const { promise, call } = asked<BatchResult>("", signal);
        world.added.push({ ...call, ids });
        return promise;
      },
      restore: (ids, signal) => {
        const { promise, call } = asked<BatchResult>("", signal);
        world.restored.push({ ...call, ids });
        return promise;
      },
      update: (id, change, signal) => {
        const { promise, call } = asked<Transcription>(id, signal);
        world.updated.push({ ...call, change });
        return promise;
      },
    },
    owner: { get: () => world.userId, subscribe: () => () => {} },
    storage,
    toast: (toast) => world.toasts.push(toast),
  });

let origin: FakeOrigin;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12) });
  origin = new FakeOrigin();
  storage = createStorage(origin.openTab());
  Object.assign(world, { userId: "anna", added: [], restored: [], removed: [], updated: [], toasts: [] });
});
afterEach(() => {
  vi.useRealTimers();
});

const titles = (deletions: Deletions) => deletions.list().map((actor) => selectDeleted(actor.getSnapshot())[0]?.title);
const settled = () => vi.advanceTimersByTimeAsync(0);
const kept = () => origin.items.get("deletions");

/** Deleted, and the server has answered. */
async function remove(deletions: Deletions, minute: number) {
  deletions.begin([row(minute)]);
  world.removed.at(-1)?.resolve({ purgeAt: "2026-11-20T10:10:00Z" });
  await settled();
}

describe("deleting", () => {
  test("calls the server at once, once, and emits it", async () => {
    const deletions = loadPage();
    const emitted: unknown[] = [];
    deletions.follow((event) => emitted.push(event.type));
    deletions.begin([row(1)]);
    deletions.begin([row(1)]);
    expect([world.removed.map(({ id }) => id), emitted, titles(deletions)]).toEqual([["t1"], ["deletion.begun"], ["title 1"]]);
    world.removed[0]?.resolve({ purgeAt: "2026-11-20T10:10:00Z" });
    await settled();
    expect(emitted).toEqual(["deletion.begun", "transcriptions.deleted"]);
    expect(deletions.find("t1")).toBe(deletions.list()[0]);
    expect(deletions.find("t2")).toBeUndefined();
  });

  test("that fails is announced, and nothing is left of it", async () => {
    const deletions = loadPage();
    const emitted: unknown[] = [];
    deletions.follow((event) => emitted.push(event));
    deletions.begin([row(1)]);
    world.removed[0]?.reject(failure("network"));
    await settled();
    expect(emitted.at(-1)).toEqual({ type: "deletion.failed", transcriptions: [row(1)], code: "network" });
    expect([deletions.list(), kept(), world.toasts]).toEqual([[], undefined, [{ kind: "error", key: "toast.deleteFailed" }]]);
    deletions.begin([row(1)]);
    expect(world.removed).toHaveLength(2);
  });
});

describe("undo", () => {
  test("asks the server to bring it back, and the list is empty then", async () => {
    const deletions = loadPage();
    const emitted: unknown[] = [];
    deletions.follow((event) => emitted.push(event));
    await remove(deletions, 1);
    deletions.find("t1")?.send({ type: "undo.requested" });
    expect(world.updated.map(({ id, change }) => [id, change])).toEqual([["t1", { deletedAt: null }]]);
    const back = transcription({ id: "t1" });
    world.updated[0]?.resolve(back);
    await settled();
    expect(emitted.at(-1)).toEqual({ type: "transcriptions.restored", transcriptions: [back] });
    expect([deletions.list(), kept(), world.toasts]).toEqual([[], undefined, [{ kind: "success", key: "toast.restored" }]]);
  });

  test("that fails is announced with its reason and can be asked for again", async () => {
    const deletions = loadPage();
    await remove(deletions, 1);
    deletions.find("t1")?.send({ type: "undo.requested" });
    world.updated[0]?.reject(failure("network"));
    await settled();
    expect(world.toasts).toEqual([{ kind: "error", key: "errors.network" }]);
    expect(deletions.list().map((actor) => selectCanUndo(actor.getSnapshot()))).toEqual([true]);
  });

  test("is over after ten minutes on this device's clock", async () => {
    const deletions = loadPage();
    await remove(deletions, 1);
    vi.advanceTimersByTime(undoMs - 1);
    expect(titles(deletions)).toEqual(["title 1"]);
    vi.advanceTimersByTime(1);
    expect([titles(deletions), kept()]).toEqual([[], undefined]);
  });
});

describe("many at once", () => {
  const three = [row(3), row(2), row(1)];
  const ids = ["t3", "t2", "t1"];

  test("are one call and one undo; those that are being deleted already are left out", async () => {
    const deletions = loadPage();
    deletions.begin([row(2)]);
    deletions.begin(three);
    expect(world.added.map((call) => call.ids)).toEqual([["t3", "t1"]]);
    world.added[0]?.resolve({ done: ["t3", "t1"], failed: [] });
    await settled();
    expect(titles(deletions)).toEqual(["title 3", "title 2"]);
    expect(deletions.find("t1")).toBe(deletions.find("t3"));
    deletions.find("t1")?.send({ type: "undo.requested" });
    expect(world.restored.map((call) => call.ids)).toEqual([["t3", "t1"]]);
    world.restored[0]?.resolve({ done: ["t3", "t1"], failed: [] });
    await settled();
    expect(world.toasts).toEqual([{ kind: "success", key: "toast.restored" }]);
  });

  test("of which some could not be deleted: they are told, and the others are undone without them", async () => {
    const deletions = loadPage();
    const steps: unknown[] = [];
    deletions.follow((step) => steps.push(step));
    deletions.begin(three);
    // What another tab has erased is as deleted as it was to be.
    const failed = [
      { id: "t3", code: "internal" },
      { id: "t2", code: "notFound" },
    ];
    world.added[0]?.resolve({ done: ["t1"], failed });
    await settled();
    expect(steps).toContainEqual({ type: "deletion.failed", transcriptions: [row(3)], code: "internal" });
    expect(world.toasts).toEqual([{ kind: "error", key: "toast.deleteFailed" }]);
    expect([deletions.find("t3"), deletions.find("t1")]).toEqual([undefined, deletions.list()[0]]);
    deletions.list()[0]?.send({ type: "undo.requested" });
    world.restored[0]?.resolve({ done: ["t1"], failed: [{ id: "t2", code: "notFound" }] });
    await settled();
    expect(steps).toContainEqual({ type: "transcriptions.restored", transcriptions: [row(1)] });
    expect(world.toasts.slice(1)).toEqual([
      { kind: "success", key: "toast.restored" },
      { kind: "error", key: "errors.notFound" },
    ]);
    expect(deletions.list()).toEqual([]);
  });

  test("that all fail are told by their number", async () => {
    const deletions = loadPage();
    deletions.begin(three);
    world.added[0]?.reject(failure("network"));
    await settled();
    expect(world.toasts).toEqual([{ kind: "error", key: "app:history.deleteSomeFailed", values: { number: "3" } }]);
  });

  test("can be undone after a reload, which knows their ids only", async () => {
    const before = loadPage();
    before.begin(three);
    world.added[0]?.resolve({ done: ids, failed: [] });
    await settled();
    const after = loadPage();
    expect([titles(after), after.find("t1")]).toEqual([["title 3"], after.list()[0]]);
    after.list()[0]?.send({ type: "undo.requested" });
    expect(world.restored.map((call) => call.ids)).toEqual([ids]);
  });
});

describe("after a reload", () => {
  test("what was deleted can still be undone, the newest first, for what is left of the ten minutes", async () => {
    const before = loadPage();
    for (const minute of [1, 2, 3]) {
      await remove(before, minute);
      vi.advanceTimersByTime(60_000);
    }
    expect(titles(before)).toEqual(["title 3", "title 2", "title 1"]);
    let after = loadPage();
    expect(titles(after)).toEqual(["title 3", "title 2", "title 1"]);
    after = loadPage();
    expect(titles(after)).toEqual(["title 3", "title 2", "title 1"]);
    expect(world.removed).toHaveLength(3);
    vi.advanceTimersByTime(undoMs - 3 * 60_000);
    expect(titles(after)).toEqual(["title 3", "title 2"]);
    expect(titles(loadPage())).toEqual(["title 3", "title 2"]);
  });

  test("what was being deleted is not kept: the server may not have heard of it", async () => {
    const before = loadPage();
    before.begin([row(1)]);
    expect(kept()).toBeUndefined();
    expect(titles(loadPage())).toEqual([]);
  });

  test("what nobody has named is called the same after a reload: by its first words, or by what it is and when", async () => {
    const named = { date: "2026-03-01T10:00:00.000Z", title: "2026-03-01 10:00", sourceLanguage: "en" };
    const deletions = loadPage();
    deletions.begin([transcription({ ...named, id: "a", text: "Um, the harbour is old." })]);
    deletions.begin([transcription({ ...named, id: "b", text: "" })]);
    for (const removed of world.removed) removed.resolve({ purgeAt: "2026-11-20T10:10:00Z" });
    await settled();
    const rows = loadPage()
      .list()
      .map((actor) => selectDeleted(actor.getSnapshot())[0]);
    expect(rows).toMatchObject([
      { id: "b", title: "", date: named.date, origin: "dictation" },
      { id: "a", title: "The harbour is old", date: named.date },
    ]);
  });

  test("texts and segments take no room in the browser", async () => {
    const deletions = loadPage();
    deletions.begin([transcription({ text: "long text", translatedText: "texto largo" })]);
    world.removed[0]?.resolve({ purgeAt: "2026-11-20T10:10:00Z" });
    await settled();
    expect(kept()).toContain('"talk"');
    for (const part of ["long text", "texto largo", "segments", "words"]) expect(kept()).not.toContain(part);
  });

  test.each(["no JSON", "{}", '[{"ownerId":"anna"}]'])("%j in its place is nothing", async (text) => {
    origin.items.set("deletions", text);
    const deletions = loadPage();
    expect(titles(deletions)).toEqual([]);
    await remove(deletions, 1);
    expect(titles(loadPage())).toEqual(["title 1"]);
  });
});

describe("several people in one browser", () => {
  test("each sees only their own, and finds them again", async () => {
    const deletions = loadPage();
    await remove(deletions, 1);
    await remove(deletions, 2);
    world.userId = "ben";
    expect(titles(deletions)).toEqual([]);
    await remove(deletions, 3);
    expect(titles(deletions)).toEqual(["title 3"]);
    world.userId = null;
    expect(titles(deletions)).toEqual([]);
    world.userId = "anna";
    expect(titles(deletions)).toEqual(["title 2", "title 1"]);
    world.userId = "ben";
    expect(titles(deletions)).toEqual(["title 3"]);
  });
});

describe("the list", () => {
  test("is the same array until something changes, and its listeners are called", async () => {
    const deletions = loadPage();
    const empty = deletions.list();
    expect(deletions.list()).toBe(empty);
    let heard = 0;
    const leave = deletions.subscribe(() => heard++);
    await remove(deletions, 1);
    expect(heard).toBeGreaterThan(0);
    const one = deletions.list();
    expect(one).not.toBe(empty);
    expect(deletions.list()).toBe(one);
    leave();
    const before = heard;
    await remove(deletions, 2);
    expect(heard).toBe(before);
  });
});
