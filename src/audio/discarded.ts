import type { RecordingRow } from "./recording-db.ts";
import type { Recordings } from "./recordings.ts";

interface Parts {
  recordings: Recordings;
  /** The server keeps a recording's audio until it knows what happens to it: this deletes it. */
  deleteOnServer(row: RecordingRow, signal: AbortSignal): Promise<void>;
  /** The signed-in user. */
  ownerId(): string | null;
}

/** Recordings that a person has thrown away: marked in this browser first, until the server has deleted them, too. */
export function createDiscarding({ recordings, deleteOnServer, ownerId }: Parts) {
  const finish = async (row: RecordingRow, signal: AbortSignal) => {
    if (row.reached) await deleteOnServer(row, signal);
    await recordings.remove(row.id);
  };
  return {
    discard: async (row: RecordingRow, signal: AbortSignal) => {
      await recordings.discard(row).catch(() => {});
      await finish(row, signal);
    },
    /** Goes on with those of earlier, while this person is signed in. */
    retry: async (owner: string, signal: AbortSignal) => {
      for (const row of await recordings.discarded(owner)) {
        if (ownerId() !== owner) return;
        await finish(row, signal);
      }
    },
  };
}
