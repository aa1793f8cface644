import { beforeEach, describe, expect, test } from "vitest";
import type { Transcription, TranscriptionUpdate } from "#contract/index.ts";
import type { BatchResult } from "#src/api/transcriptions.ts";
import { createStore } from "#src/browser/store.ts";
import type { Toast } from "#src/browser/toasts.ts";
import { createDeletions, type Deletions } from "#src/features/transcriptions/deletions.ts";
import { failure, row, transcription } from "#tests/machines/harness.ts";

type Asked = { id: string; signal: AbortSignal | undefined; resolve(answer?: unknown): void; reject(error: unknown): void };

const environment = {
  added: [] as (Omit<Asked, "id"> & { ids: readonly string[] })[],
  restored: [] as (Omit<Asked, "id"> & { ids: readonly string[] })[],
  removed: [] as Asked[],
  updated: [] as (Asked & { change: TranscriptionUpdate })[],
  toasts: [] as Toast[],
};
const owner = createStore<string | null>(null);

/** A call whose answer the test gives. */
function asked<Answer>(id: string, signal: AbortSignal | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { promise, call: { id, signal, resolve, reject } };
}

const loadPage = () =>
  createDeletions({
    api: {
      remove: (id, signal) => {
        const { promise, call } = asked<{ purgeAt: string | undefined }>(id, signal);
        environment.removed.push(call);
        return promise;
      },
      add: (ids, signal) => {
        const { promise, call } = asked<BatchResult>("", signal);
        environment.added.push({ ...call, ids });
        return promise;
      },
      restore: (ids, signal) => {
        const { promise, call } = asked<BatchResult>("", signal);
        environment.restored.push({ ...call, ids });
        return promise;
      },
      update: (id, change, signal) => {
        const { promise, call } = asked<Transcription>(id, signal);
        environment.updated.push({ ...call, change });
        return promise;
      },
    },
    owner,
    toast: (toast) => environment.toasts.push(toast),
  });

beforeEach(() => {
  owner.set("anna");
  Object.assign(environment, { added: [], restored: [], removed: [], updated: [], toasts: [] });
});

/** Waits until the answers have been handled. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const keys = () => environment.toasts.map(({ kind, key }) => [kind, key]);
const undo = () => environment.toasts.findLast(({ kind }) => kind === "undo");

/** Deletes a row; the server has answered. */
async function remove(deletions: Deletions, minute: number) {
  deletions.begin([row(minute)]);
  environment.removed.at(-1)?.resolve({ purgeAt: "2026-11-20T10:10:00Z" });
  await settled();
}

describe("deletion of transcripts on the page", () => {
  test("deleting calls the server once and offers Undo in a toast", async () => {
    const deletions = loadPage();
    const emitted: unknown[] = [];
    deletions.follow((event) => emitted.push(event.type));
    deletions.begin([row(1)]);
    deletions.begin([row(1)]);
    expect([environment.removed.map(({ id }) => id), emitted, environment.toasts]).toEqual([["t1"], ["deletion.begun"], []]);
    environment.removed[0]?.resolve({ purgeAt: "2026-11-20T10:10:00Z" });
    await settled();
    expect(emitted).toEqual(["deletion.begun", "transcriptions.deleted"]);
    expect(environment.toasts).toMatchObject([
      { kind: "undo", key: "app:history.deleted", values: { title: "title 1" }, action: { key: "app:history.undo" } },
    ]);
    expect([deletions.find("t1") === undefined, deletions.find("t2")]).toEqual([false, undefined]);
  });

  test("does not offer Undo if the server has no trash", async () => {
    const deletions = loadPage();
    deletions.begin([row(1)]);
    environment.removed[0]?.resolve({ purgeAt: undefined });
    await settled();
    expect(environment.toasts).toEqual([{ kind: "plain", key: "app:history.deleted", values: { title: "title 1" } }]);
    expect(deletions.find("t1")).toBeUndefined();
  });

  test("a failed undo is announced and removes the deletion", async () => {
    const deletions = loadPage();
    const emitted: unknown[] = [];
    deletions.follow((event) => emitted.push(event));
    deletions.begin([row(1)]);
    environment.removed[0]?.reject(failure("network"));
    await settled();
    expect(emitted.at(-1)).toEqual({ type: "deletion.failed", transcriptions: [row(1)], code: "network" });
    expect([deletions.find("t1"), keys()]).toEqual([undefined, [["error", "toast.deleteFailed"]]]);
    deletions.begin([row(1)]);
    expect(environment.removed).toHaveLength(2);
  });
});

describe("undo of a deletion on the page", () => {
  test("Undo restores rows on the server and removes the deletion", async () => {
    const deletions = loadPage();
    const emitted: unknown[] = [];
    deletions.follow((event) => emitted.push(event));
    await remove(deletions, 1);
    undo()?.action?.run();
    // The toast closes when its button is clicked.
    undo()?.onClose?.();
    expect(environment.updated.map(({ id, change }) => [id, change])).toEqual([["t1", { deletedAt: null }]]);
    const back = transcription({ id: "t1" });
    environment.updated[0]?.resolve(back);
    await settled();
    expect(emitted.at(-1)).toEqual({ type: "transcriptions.restored", transcriptions: [back] });
    expect([deletions.find("t1"), keys().at(-1)]).toEqual([undefined, ["success", "toast.restored"]]);
  });

  test("a failed deletion announces its reason and offers Undo again", async () => {
    const deletions = loadPage();
    await remove(deletions, 1);
    undo()?.action?.run();
    environment.updated[0]?.reject(failure("network"));
    await settled();
    expect(keys().slice(1)).toEqual([
      ["error", "errors.network"],
      ["undo", "app:history.deleted"],
    ]);
    undo()?.action?.run();
    expect(environment.updated).toHaveLength(2);
  });

  test("a deletion's offer of Undo ends when its toast is closed", async () => {
    const deletions = loadPage();
    let heard = 0;
    deletions.subscribe(() => heard++);
    await remove(deletions, 1);
    heard = 0;
    undo()?.onClose?.();
    expect([deletions.find("t1"), undo()?.signal?.aborted, heard > 0]).toEqual([undefined, true, true]);
    undo()?.action?.run();
    expect(environment.updated).toEqual([]);
  });

  test("the undo of a deletion on the page is not offered after a sign-out or to the next person", async () => {
    const deletions = loadPage();
    await remove(deletions, 1);
    owner.set("ben");
    expect([deletions.find("t1"), undo()?.signal?.aborted]).toEqual([undefined, true]);
    owner.set("anna");
    expect(deletions.find("t1")).toBeUndefined();
  });
});

describe("deletion of many transcripts", () => {
  const three = [row(3), row(2), row(1)];

  test("the deletion of many transcripts is one call and one undo, without those already being deleted", async () => {
    const deletions = loadPage();
    deletions.begin([row(2)]);
    deletions.begin(three);
    expect(environment.added.map((call) => call.ids)).toEqual([["t3", "t1"]]);
    environment.added[0]?.resolve({ done: ["t3", "t1"], failed: [] });
    await settled();
    expect(undo()).toMatchObject({ key: "app:history.deletedMany", values: { count: 2 } });
    expect(deletions.find("t1")).toBe(deletions.find("t3"));
    undo()?.action?.run();
    expect(environment.restored.map((call) => call.ids)).toEqual([["t3", "t1"]]);
    environment.restored[0]?.resolve({ done: ["t3", "t1"], failed: [] });
    await settled();
    expect(keys().at(-1)).toEqual(["success", "toast.restored"]);
  });

  test("reports those that could not be deleted, and undoes the others", async () => {
    const deletions = loadPage();
    const steps: unknown[] = [];
    deletions.follow((step) => steps.push(step));
    deletions.begin(three);
    // A row that another tab has erased counts as deleted.
    const failed = [
      { id: "t3", code: "internal" },
      { id: "t2", code: "notFound" },
    ];
    environment.added[0]?.resolve({ done: ["t1"], failed });
    await settled();
    expect(steps).toContainEqual({ type: "deletion.failed", transcriptions: [row(3)], code: "internal" });
    expect(keys()[0]).toEqual(["error", "toast.deleteFailed"]);
    expect([deletions.find("t3"), deletions.find("t1") === undefined]).toEqual([undefined, false]);
    undo()?.action?.run();
    environment.restored[0]?.resolve({ done: ["t1"], failed: [{ id: "t2", code: "notFound" }] });
    await settled();
    expect(steps).toContainEqual({ type: "transcriptions.restored", transcriptions: [row(1)] });
    expect(keys().slice(2)).toEqual([
      ["success", "toast.restored"],
      ["error", "errors.notFound"],
    ]);
    expect(deletions.find("t1")).toBeUndefined();
  });

  test("a failed deletion of several rows reports their number", async () => {
    const deletions = loadPage();
    deletions.begin(three);
    environment.added[0]?.reject(failure("network"));
    await settled();
    expect(environment.toasts).toEqual([{ kind: "error", key: "app:history.deleteSomeFailed", values: { number: "3" } }]);
  });
});
