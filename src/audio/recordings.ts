import { frameSamples, sampleRate } from "#contract/index.ts";
import { FrameLog, restOf } from "./frame-log.ts";
import type { RecordingDb, RecordingRow } from "./recording-db.ts";

/** Seconds of one frame. */
export const frameSeconds = frameSamples / sampleRate;

/** Locks a recording that is open in this tab against other tabs. */
export interface RecordingLocks {
  /**
   * @returns the release function, which resolves when other tabs can take the lock; undefined when another tab has
   *   it
   */
  take(id: string): Promise<(() => Promise<void>) | undefined>;
  /** The recordings that are open in any tab. */
  taken(): Promise<ReadonlySet<string>>;
}

/** A recording that is open in this tab. */
export interface OwnedRecording {
  readonly frames: FrameLog;
  /** Releases the recording to other tabs. Its row and frames stay. */
  release(): Promise<void>;
}

/** An unfinished recording. */
export interface Leftover {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  durationSeconds: number;
  /** Recorded after the free minutes were used up. */
  overLimit: boolean;
  /** Nothing of it has left this device, and nothing will before the user saves it. */
  staysHere?: boolean;
  /** The languages of a recording made without a network, which is finished automatically when there is one. */
  waits?: Pick<RecordingRow, "sourceLanguage" | "targetLanguage">;
}

type Beginning = Pick<
  RecordingRow,
  "ownerId" | "sourceLanguage" | "targetLanguage" | "heardBy" | "staysHere" | "startedAt" | "conversation"
>;

interface RecordingsParts {
  db: RecordingDb;
  locks: RecordingLocks;
  /** Called when the browser could not store something. */
  onTrouble(): void;
}

export interface Recordings {
  /** Never rejects. Data that the browser can't store stays in memory. */
  begin(beginning: Beginning): Promise<OwnedRecording>;
  /** @throws Error when the recording is open in another tab, or was deleted */
  resume(id: string): Promise<OwnedRecording>;
  /**
   * Unfinished recordings, oldest first, without those open in a tab. Deletes recordings whose text was saved in
   * another way.
   * @param waiting client ids of the texts in the outbox
   */
  leftovers(ownerId: string, waiting: ReadonlySet<string>): Promise<Leftover[]>;
  /** Discarded recordings that the server has not deleted yet. */
  discarded(ownerId: string): Promise<RecordingRow[]>;
  /** Deletes the recording's audio. The row stays until the server has deleted the recording. */
  discard(row: RecordingRow): Promise<void>;
  /**
   * Called when the text was saved. Removes the confirmed part; frames that were not accepted become a new recording.
   */
  finish(frames: FrameLog): Promise<void>;
  /** Removes the recording with its frames. */
  remove(id: string): Promise<void>;
}

export function createRecordings({ db, locks, onTrouble }: RecordingsParts): Recordings {
  const countOf = async (row: RecordingRow) => Math.max(row.confirmed, await db.frameCount(row.id));
  /** Whether nothing is left to do: the recording has no audio, or its text was saved. */
  const isOver = (row: RecordingRow, count: number, waiting: ReadonlySet<string>) =>
    row.fate === "kept" ? !waiting.has(row.clientId) : count <= row.base;
  /** Removes the finished part. @returns the rest */
  const keepRest = async (row: RecordingRow, count: number) => {
    const rest = row.fate === "kept" ? restOf(row, count) : undefined;
    if (rest === undefined) await db.remove(row.id);
    else await db.put(rest);
    return rest;
  };
  return {
    begin: async (beginning) => {
      const [id, recordingId, clientId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
      const row: RecordingRow = {
        ...beginning,
        id,
        recordingId,
        clientId,
        base: 0,
        confirmed: 0,
        frames: null,
        reached: false,
        fate: "open",
      };
      const release = await locks.take(id).catch(() => undefined);
      await db.put(row).catch(onTrouble);
      return { frames: new FrameLog(db, row, 0, onTrouble), release: release ?? (async () => {}) };
    },
    resume: async (id) => {
      const release = await locks.take(id);
      if (release === undefined) throw new Error("This recording is open in another tab.");
      try {
        const row = await db.get(id);
        if (row === undefined) throw new Error("This recording is not there any more.");
        const written = await countOf(row);
        return { frames: new FrameLog(db, { ...row, frames: written }, written, onTrouble), release };
      } catch (error) {
        await release();
        throw error;
      }
    },
    leftovers: async (ownerId, waiting) => {
      const rows = await db.list(ownerId);
      // Must be read after the rows, because a recording gets its lock before its row.
      const taken = await locks.taken();
      const found: Leftover[] = [];
      for (const row of rows) {
        if (taken.has(row.id) || row.fate === "discarded") continue;
        const count = await countOf(row);
        if (isOver(row, count, waiting)) {
          const rest = await keepRest(row, count);
          if (rest !== undefined) found.push(leftoverOf(rest, count));
        } else if (!waiting.has(row.clientId)) found.push(leftoverOf(row, count));
      }
      return found.sort((a, b) => a.startedAt - b.startedAt);
    },
    discarded: async (ownerId) => (await db.list(ownerId)).filter((row) => row.fate === "discarded"),
    discard: async (row) => {
      await db.put({ ...row, fate: "discarded" });
      await db.removeFramesBelow(row.id, Number.POSITIVE_INFINITY);
    },
    finish: async ({ row, written }) => void (await keepRest({ ...row, fate: "kept" }, written)),
    remove: (id) => db.remove(id),
  };
}

function leftoverOf(row: RecordingRow, count: number): Leftover {
  const { id, startedAt, base, overLimit = false, staysHere, waits, sourceLanguage, targetLanguage } = row;
  return {
    id,
    startedAt: startedAt + base * frameSeconds * 1000,
    durationSeconds: (count - base) * frameSeconds,
    overLimit,
    ...(staysHere === true && { staysHere }),
    ...(waits === true && { waits: { sourceLanguage, targetLanguage } }),
  };
}
