import type { Actor } from "xstate";
import { selectUploads, type UploadRef, type uploadsMachine } from "#machines/uploads/machine.ts";
import { selectFile, selectState, type UploadState } from "#machines/uploads/selectors.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";

export interface Overall {
  /** Counted files: without those that have failed, were cancelled or are missing. */
  files: number;
  /** Of these, the completely uploaded ones. */
  arrived: number;
  /** Of these, the paused ones. */
  paused: number;
  /** Files from before a reload that have to be chosen again. */
  missing: number;
  /** Total bytes, and bytes sent. */
  size: number;
  sent: number;
}

const out: ReadonlySet<UploadState> = new Set(["failed", "cancelled", "missing"]);
const there: ReadonlySet<UploadState> = new Set(["processing", "completed"]);

/** The overall progress of all uploads. @param sentOf bytes sent of an upload */
export function createOverall(
  uploads: Actor<typeof uploadsMachine>,
  sentOf: (id: string) => ReadableStore<number>,
): ReadableStore<Overall> {
  const store = createStore(sum([], sentOf));
  const followed = new Map<string, () => void>();
  const count = () => store.set(sum(selectUploads(uploads.getSnapshot()), sentOf));
  uploads.subscribe((snapshot) => {
    const list = selectUploads(snapshot);
    for (const upload of list) {
      if (followed.has(upload.id)) continue;
      const { unsubscribe } = upload.subscribe(count);
      const leave = sentOf(upload.id).subscribe(count);
      followed.set(upload.id, () => {
        unsubscribe();
        leave();
      });
    }
    for (const [id, leave] of followed) {
      if (list.some((upload) => upload.id === id)) continue;
      leave();
      followed.delete(id);
    }
    count();
  });
  return store;
}

function sum(uploads: readonly UploadRef[], sentOf: (id: string) => ReadableStore<number>): Overall {
  const all: Overall = { files: 0, arrived: 0, paused: 0, missing: 0, size: 0, sent: 0 };
  for (const upload of uploads) {
    const snapshot = upload.getSnapshot();
    const state = selectState(snapshot);
    if (state === "missing") all.missing += 1;
    if (out.has(state)) continue;
    const { size } = selectFile(snapshot);
    all.files += 1;
    all.size += size;
    all.sent += there.has(state) ? size : sentOf(upload.id).get();
    if (there.has(state)) all.arrived += 1;
    if (state === "paused") all.paused += 1;
  }
  return all;
}
