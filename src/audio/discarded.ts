import type { RecordingRow } from "./recording-db.ts";
import type { Recordings } from "./recordings.ts";

interface Parts {
  recordings: Recordings;
  /** Deletes a recording's audio on the server, which keeps it until its fate is known. */
  deleteOnServer(row: RecordingRow, signal: AbortSignal): Promise<void>;
  /** The signed-in user. */
  ownerId(): string | null;
}

/** Handles recordings that the user has discarded. This browser marks them until the server has deleted them too. */
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
    /** Retries earlier deletions while this user is signed in. */
    retry: async (owner: string, signal: AbortSignal) => {
      for (const row of await recordings.discarded(owner)) {
        if (ownerId() !== owner) return;
        await finish(row, signal);
      }
    },
  };
}
