import type { DBSchema } from "idb";
import * as v from "valibot";
import { HeardBy, Segment, SpeechLanguage, TextLanguage } from "#contract/index.ts";
import { createDatabase } from "#src/browser/indexed-db.ts";

/** The owner of recordings without an account (features/tryout). The server keeps nothing of them. */
export const nobody = "";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A recording's row, stored beside its frames. Frames are numbered from 0 in this browser. */
export const RecordingRow = v.object({
  /** The recording's id in this browser. */
  id: v.string(),
  /**
   * The recording's id on the server, and that of its transcription. Both are renewed when the recording starts again
   * there.
   */
  recordingId: v.pipe(v.string(), v.uuid()),
  clientId: v.pipe(v.string(), v.uuid()),
  /** The number of the frame that is number 0 on the server. */
  base: Count,
  ownerId: v.string(),
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.nullable(TextLanguage),
  /** Time of frame 0, epoch ms. */
  startedAt: v.number(),
  /**
   * Frames below this number are confirmed by the server. They are deleted here, unless this device still has to
   * recognize them.
   */
  confirmed: Count,
  /** The total number of frames; null during recording, and forever if the recording was interrupted. */
  frames: v.nullable(Count),
  /**
   * The server did not accept frames from this one on, because the free minutes were used up. They become a separate
   * recording.
   */
  cut: v.optional(Count),
  /** Recorded after the free minutes were used up. Finished when there are minutes again. */
  overLimit: v.optional(v.boolean()),
  /** Recorded without a network. Finished automatically when there is one. */
  waits: v.optional(v.boolean()),
  /** Who transcribes the recording; absent: the server. */
  heardBy: v.optional(HeardBy),
  /** Nothing is sent before the user saves the recording. */
  staysHere: v.optional(v.boolean()),
  /**
   * The recognized segments in order, with times in seconds from frame 0. The server has the first `heardConfirmed` of
   * them.
   */
  heard: v.optional(v.array(Segment)),
  heardConfirmed: v.optional(Count),
  /**
   * `heard` contains all words. Set for recordings that a model on this device recognizes, and for those of `nobody`.
   */
  heardToEnd: v.optional(v.boolean()),
  /** Whether the server knows the recording. */
  reached: v.boolean(),
  /** The conversation to which this turn belongs, and the languages of its two sides. */
  conversation: v.optional(v.object({ id: v.pipe(v.string(), v.uuid()), languages: v.tuple([v.string(), v.string()]) })),
  /** open: to be finished; kept: its text is in the outbox; discarded: to be deleted on the server. */
  fate: v.picklist(["open", "kept", "discarded"]),
});
export type RecordingRow = v.InferOutput<typeof RecordingRow>;

interface Tables extends DBSchema {
  recordings: { key: string; value: unknown };
  /** Keys: recording id and frame number. Values: PCM. */
  frames: { key: [string, number]; value: ArrayBuffer };
}

/** Recordings in IndexedDB. Every method rejects when the browser has no room, or denies access. */
export interface RecordingDb {
  put(row: RecordingRow): Promise<void>;
  get(id: string): Promise<RecordingRow | undefined>;
  list(ownerId: string): Promise<RecordingRow[]>;
  /** Removes the recording with its frames. */
  remove(id: string): Promise<void>;
  putFrame(id: string, number: number, pcm: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The stored frames from `from` to `to` (exclusive), by number. */
  frames(id: string, from: number, to: number): Promise<Map<number, Uint8Array<ArrayBuffer>>>;
  removeFramesBelow(id: string, number: number): Promise<void>;
  /** One more than the highest stored number; 0 when there is none. */
  frameCount(id: string): Promise<number>;
  close(): Promise<void>;
}

const framesOf = (id: string, from = 0, to = Number.POSITIVE_INFINITY) => IDBKeyRange.bound([id, from], [id, to], false, true);

/**
 * @param name of the database
 * @param timeoutMs timeout for opening it
 */
export function createRecordingDb(name = "parlance-recordings", timeoutMs?: number): RecordingDb {
  const open = createDatabase<Tables>({
    name,
    create: (db) => {
      db.createObjectStore("recordings", { keyPath: "id" });
      db.createObjectStore("frames");
    },
    timeoutMs,
  });
  return {
    put: async (row) => void (await (await open()).put("recordings", row)),
    get: async (id) => parseRow(await (await open()).get("recordings", id)),
    list: async (ownerId) => {
      const rows = await (await open()).getAll("recordings");
      return rows.flatMap((value) => {
        const row = parseRow(value);
        return row?.ownerId === ownerId ? [row] : [];
      });
    },
    remove: async (id) => {
      const transaction = (await open()).transaction(["recordings", "frames"], "readwrite");
      await Promise.all([
        transaction.objectStore("frames").delete(framesOf(id)),
        transaction.objectStore("recordings").delete(id),
        transaction.done,
      ]);
    },
    putFrame: async (id, number, pcm) => void (await (await open()).put("frames", bufferOf(pcm), [id, number])),
    frames: async (id, from, to) => {
      const store = (await open()).transaction("frames").store;
      const range = framesOf(id, from, to);
      const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return new Map(keys.map((key, i) => [key[1], new Uint8Array(values[i] ?? new ArrayBuffer(0))]));
    },
    removeFramesBelow: async (id, number) => (await open()).delete("frames", framesOf(id, 0, number)),
    frameCount: async (id) => {
      const last = await (await open()).transaction("frames").store.openKeyCursor(framesOf(id), "prev");
      return last === null ? 0 : last.key[1] + 1;
    },
    close: async () => (await open()).close(),
  };
}

/** Leaves rows of another version untouched if this version can't read them. */
function parseRow(value: unknown): RecordingRow | undefined {
  const row = v.safeParse(RecordingRow, value);
  return row.success ? row.output : undefined;
}

function bufferOf(pcm: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return pcm.byteLength === pcm.buffer.byteLength ? pcm.buffer : pcm.slice().buffer;
}
