import type { Actor } from "xstate";
import type { UploadRef, uploadsMachine } from "#machines/uploads/machine.ts";
import { selectIsUnderWay, selectIsUnreadable } from "#machines/uploads/selectors.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { followUploads } from "./follow-uploads.ts";
import { isUnderWay } from "./is-under-way.ts";

/** The uploads that the history shows. The others have become transcriptions. */
export interface InHistory {
  /** The newest first, as in the history. */
  underWay: readonly UploadRef[];
  /** Unreadable files of which the server has nothing. */
  unreadable: readonly UploadRef[];
}

const isSame = (one: readonly UploadRef[], other: readonly UploadRef[]): boolean =>
  one.length === other.length && one.every((upload, at) => upload === other[at]);

/** The returned object changes only when its uploads do. */
export function createInHistory(uploads: Actor<typeof uploadsMachine>): ReadableStore<InHistory> {
  const store = createStore<InHistory>({ underWay: [], unreadable: [] });
  followUploads(uploads, (list) => {
    const underWay = list.filter((upload) => selectIsUnderWay(upload.getSnapshot())).toReversed();
    const unreadable = list.filter((upload) => selectIsUnreadable(upload.getSnapshot()));
    const before = store.get();
    if (isSame(before.underWay, underWay) && isSame(before.unreadable, unreadable)) return;
    store.set({ underWay, unreadable });
    isUnderWay.set(underWay.length > 0);
  });
  return store;
}

/**
 * The uploads without a row in the history. A row may appear before its upload notices that it is complete.
 * @param idOf returns the id of an upload's transcription; null until it is known
 */
export function withoutListed(
  underWay: readonly UploadRef[],
  listed: readonly { id: string }[],
  idOf: (uploadId: string) => string | null,
): readonly UploadRef[] {
  if (underWay.length === 0) return underWay;
  const ids = new Set(listed.map(({ id }) => id));
  return underWay.filter((upload) => !ids.has(idOf(upload.id) ?? ""));
}
