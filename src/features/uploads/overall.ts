import type { Actor } from "xstate";
import type { UploadState } from "#machines/uploads/events.ts";
import type { UploadRef, uploadsMachine } from "#machines/uploads/machine.ts";
import { selectFile, selectState } from "#machines/uploads/selectors.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { followUploads } from "./follow-uploads.ts";

export interface Overall {
  /** The number of counted files, without those that failed, were cancelled or are missing. */
  files: number;
  /** The number of these that are completely uploaded. */
  arrived: number;
  /** The number of these that are paused. */
  paused: number;
  /** The number of files from before a reload that the user must choose again. */
  missing: number;
  /** Total bytes, and bytes sent. */
  size: number;
  sent: number;
}

const out: ReadonlySet<UploadState> = new Set(["failed", "cancelled", "missing"]);
const there: ReadonlySet<UploadState> = new Set(["processing", "completed"]);

/** The overall progress of all uploads. @param sentOf returns the bytes sent of an upload */
export function createOverall(
  uploads: Actor<typeof uploadsMachine>,
  sentOf: (id: string) => ReadableStore<number>,
): ReadableStore<Overall> {
  const store = createStore(sum([], sentOf));
  followUploads(
    uploads,
    (list) => store.set(sum(list, sentOf)),
    (id, onChange) => sentOf(id).subscribe(onChange),
  );
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
