import * as v from "valibot";
import { AcceptedTranscription, statusOf, type Transcription } from "#contract/index.ts";
import { personalCache } from "#src/browser/personal-cache.ts";
import { createStore } from "#src/browser/store.ts";
import { parsed } from "#src/browser/stored.ts";
import { currentUserId } from "#src/features/session/actor.ts";

// The transcripts that a user opened last can be read without a network.

export const maxPersisted = 20;
/** A larger transcript is not persisted (bytes). An hour of speech has about 100 kB, because word times are omitted. */
export const maxPersistedBytes = 2 * 1024 * 1024;
/** The limit of all transcripts together (bytes). The newest stay. */
export const maxAllPersistedBytes = 16 * 1024 * 1024;
/** The maximum age (ms). Ensures that transcripts deleted on another device don't stay forever. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

const Stored = v.object({
  /** When the user last saw it, epoch ms. */
  seenAt: v.number(),
  transcription: AcceptedTranscription,
});
export type PersistedTranscription = v.InferOutput<typeof Stored>;

const persisted = createStore<readonly PersistedTranscription[]>([]);
/** The signed-in user's transcripts, the most recent first, as `loadPersisted` has found them. */
export const persistedTranscriptions = { get: persisted.get, subscribe: persisted.subscribe };

const addressOf = (id: string) => `/kept-transcripts/${encodeURIComponent(id)}`;

let queue = Promise.resolve();
/**
 * Runs changes one after another, so that a dropped transcript is not written again. Never rejects: without room,
 * nothing is persisted.
 */
function inTurn(work: (cache: Cache) => Promise<void>): Promise<void> {
  const ownerId = currentUserId();
  queue = queue.then(async () => {
    if (ownerId !== null && ownerId === currentUserId()) await work(await personalCache(ownerId)).catch(() => {});
  });
  queue = queue.catch(() => {});
  return queue;
}

/** Persists a transcription as the most recently opened one. Replaces its earlier version. */
export function persistTranscription(transcription: Transcription): Promise<void> {
  const { id, segments, status } = transcription;
  if (statusOf(status) !== "completed") return Promise.resolve();
  const brief = { ...transcription, segments: segments.map((segment) => ({ ...segment, words: [] })) };
  const file = new Blob([JSON.stringify({ seenAt: Date.now(), transcription: brief })]);
  return inTurn(async (cache) => {
    // Contains the size, so that measuring all transcripts need not read them.
    const headers = { "Content-Length": String(file.size) };
    // Replaces it in one step. Otherwise, leaving the page between two steps would lose the transcript.
    if (file.size <= maxPersistedBytes) await cache.put(addressOf(id), new Response(file, { headers }));
    else await cache.delete(addressOf(id));
    await trim(cache);
  });
}

/** Deletes persisted transcriptions that were deleted, or that the user may not see any more. */
export function dropPersisted(ids: readonly string[]): Promise<void> {
  return inTurn(async (cache) => {
    for (const id of ids) await cache.delete(addressOf(id));
  });
}

/** Loads the user's persisted transcriptions, for a page that is opened without a network. */
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

/** Removes the oldest ones. A Cache lists entries in the order of their last `put`. */
async function trim(cache: Cache): Promise<void> {
  let [count, bytes] = [0, 0];
  for (const request of (await cache.keys()).toReversed()) {
    count += 1;
    bytes += Number((await cache.match(request))?.headers.get("Content-Length"));
    if (count > maxPersisted || bytes > maxAllPersistedBytes) await cache.delete(request);
  }
}
