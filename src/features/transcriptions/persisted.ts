import * as v from "valibot";
import { AcceptedTranscription, statusOf, type Transcription } from "#contract/index.ts";
import { personalCache } from "#src/browser/personal-cache.ts";
import { createStore } from "#src/browser/store.ts";
import { parsed } from "#src/browser/stored.ts";
import { currentUserId } from "#src/features/session/actor.ts";

// The transcripts that a person opened last can be read without a network.

export const maxPersisted = 20;
/** A larger one is not kept (bytes). An hour of speech has some 100 kB, as the times of its words are left out. */
export const maxPersistedBytes = 2 * 1024 * 1024;
/** All of them together (bytes): the newest stay. */
export const maxAllPersistedBytes = 16 * 1024 * 1024;
/** What another device has deleted does not stay for ever (ms). */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

const Stored = v.object({
  /** When it was last seen, epoch ms. */
  seenAt: v.number(),
  transcription: AcceptedTranscription,
});
export type PersistedTranscription = v.InferOutput<typeof Stored>;

const persisted = createStore<readonly PersistedTranscription[]>([]);
/** The signed-in person's, the last one first, as `loadPersisted` has found them. */
export const persistedTranscriptions = { get: persisted.get, subscribe: persisted.subscribe };

const addressOf = (id: string) => `/kept-transcripts/${encodeURIComponent(id)}`;

let queue = Promise.resolve();
/** One after the other, so that what was dropped is not put back. Never rejects: without room, nothing is kept. */
function inTurn(work: (cache: Cache) => Promise<void>): Promise<void> {
  const ownerId = currentUserId();
  queue = queue.then(async () => {
    if (ownerId !== null && ownerId === currentUserId()) await work(await personalCache(ownerId)).catch(() => {});
  });
  queue = queue.catch(() => {});
  return queue;
}

/** Keeps it in place of what was kept of it, as the one that was opened last. */
export function persistTranscription(transcription: Transcription): Promise<void> {
  const { id, segments, status } = transcription;
  if (statusOf(status) !== "completed") return Promise.resolve();
  const brief = { ...transcription, segments: segments.map((segment) => ({ ...segment, words: [] })) };
  const file = new Blob([JSON.stringify({ seenAt: Date.now(), transcription: brief })]);
  return inTurn(async (cache) => {
    // With its size: to measure all of them, none has to be read.
    const headers = { "Content-Length": String(file.size) };
    // In one step: a page that is left between two would have lost what was kept of it.
    if (file.size <= maxPersistedBytes) await cache.put(addressOf(id), new Response(file, { headers }));
    else await cache.delete(addressOf(id));
    await trim(cache);
  });
}

/** They are deleted, or not for this person any more. */
export function dropPersisted(ids: readonly string[]): Promise<void> {
  return inTurn(async (cache) => {
    for (const id of ids) await cache.delete(addressOf(id));
  });
}

/** Finds the person's, for a page that is opened without a network. */
export async function loadPersisted(): Promise<void> {
  persisted.set([]);
  await inTurn(async (cache) => {
    const found: PersistedTranscription[] = [];
    for (const request of await cache.keys()) {
      const stored = parsed(Stored, await (await cache.match(request))?.text());
      if (stored !== null && stored.seenAt > Date.now() - maxAgeMs) found.unshift(stored);
      else await cache.delete(request);
    }
    persisted.set(found);
  });
}

/** A cache lists first what was put first; what is put again counts as new. */
async function trim(cache: Cache): Promise<void> {
  let [count, bytes] = [0, 0];
  for (const request of (await cache.keys()).toReversed()) {
    count += 1;
    bytes += Number((await cache.match(request))?.headers.get("Content-Length"));
    if (count > maxPersisted || bytes > maxAllPersistedBytes) await cache.delete(request);
  }
}
