import * as v from "valibot";
import type { RecorderLeftover } from "#machines/dictation/events.ts";
import { storage } from "#src/browser/storage.ts";
import { parsed } from "#src/browser/stored.ts";
import { currentUserId } from "#src/features/session/actor.ts";

/** The summary of a recording that waits in this browser for a network. The recording itself is in the database. */
const WaitingRecording = v.object({
  id: v.string(),
  /** Epoch ms. */
  startedAt: v.number(),
  durationSeconds: v.number(),
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
});
export type WaitingRecording = v.InferOutput<typeof WaitingRecording>;
const Waiting = v.array(WaitingRecording);

/** Contains the user's id, so that it is deleted with their data (features/settings/clear-data-of-person.ts). */
const keyOf = (ownerId: string) => `waiting:${ownerId}`;

/** Stores which of the signed-in user's recordings wait, for pages without a recorder. */
export function noteWaitingRecordings(leftovers: readonly RecorderLeftover[]): void {
  const ownerId = currentUserId();
  if (ownerId === null) return;
  const waiting = leftovers.flatMap(({ id, startedAt, durationSeconds, waits }): WaitingRecording[] =>
    waits === undefined ? [] : [{ id, startedAt, durationSeconds, ...waits }],
  );
  if (waiting.length === 0) storage.remove(keyOf(ownerId));
  else storage.write(keyOf(ownerId), JSON.stringify(waiting));
}

let read: string | null = null;
let shown: readonly WaitingRecording[] = [];

/** The signed-in user's waiting recordings, the oldest first. The same array as long as nothing changes. */
export function waitingRecordings(): readonly WaitingRecording[] {
  const ownerId = currentUserId();
  const text = ownerId === null ? null : storage.read(keyOf(ownerId));
  if (text === read) return shown;
  read = text;
  shown = parsed(Waiting, text) ?? [];
  return shown;
}

/** @returns the unsubscribe function */
export function watchWaitingRecordings(listener: () => void): () => void {
  const ownerId = currentUserId();
  return ownerId === null ? () => {} : storage.subscribe(keyOf(ownerId), listener);
}
