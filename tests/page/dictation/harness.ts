import "#tests/page/indexed-db.ts";
import { onTestFinished } from "vitest";
import { frameSamples, type Segment } from "#contract/index.ts";
import { createRecordingDb, type RecordingDb } from "#src/audio/recording-db.ts";
import type { RecordingLocks } from "#src/audio/recordings.ts";

/** A frame whose bytes all have this value. */
export const frame = (value: number, bytes = frameSamples * 2): Uint8Array<ArrayBuffer> => new Uint8Array(bytes).fill(value);

export const firstBytes = (frames: Iterable<Uint8Array<ArrayBuffer>>): (number | undefined)[] => [...frames].map((pcm) => pcm[0]);

/** A new database for one test, or one with this name. */
export function freshDb(name = `recordings-${crypto.randomUUID()}`): RecordingDb {
  const db = createRecordingDb(name);
  onTestFinished(() => db.close());
  return db;
}

/** A database whose writes fail while `isFull` is true, as if the browser's storage were full. */
export function fillable(db: RecordingDb): RecordingDb & { isFull: boolean } {
  const full = () => Promise.reject(new DOMException("no room", "QuotaExceededError"));
  const disk = {
    ...db,
    isFull: false,
    put: (row: Parameters<RecordingDb["put"]>[0]) => (disk.isFull ? full() : db.put(row)),
    putFrame: (...frame: Parameters<RecordingDb["putFrame"]>) => (disk.isFull ? full() : db.putFrame(...frame)),
  };
  return disk;
}

/** The tabs of one browser: each has its own view and loses its locks when it closes. */
export function createTabs(): { open(): RecordingLocks & { close(): void } } {
  const taken = new Map<string, object>();
  return {
    open: () => {
      const tab = {};
      return {
        take: async (id) => {
          if (taken.has(id)) return undefined;
          taken.set(id, tab);
          return async () => void taken.delete(id);
        },
        taken: async () => new Set(taken.keys()),
        close: () => {
          for (const [id, owner] of taken) if (owner === tab) taken.delete(id);
        },
      };
    },
  };
}

export const segment = (start: number, text: string): Segment => ({
  start,
  end: start + 1,
  text,
  words: [{ text, start, end: start + 1 }],
});

/** Waits until the condition holds; the test's own time limit ends the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
}
