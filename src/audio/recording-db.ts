import type { DBSchema } from "idb";
import * as v from "valibot";
import { HeardBy, Segment, SpeechLanguage, TextLanguage } from "#contract/index.ts";
import { createDatabase } from "#src/browser/indexed-db.ts";

/** The owner of what is said without an account (features/tryout): the server keeps nothing of it. */
export const nobody = "";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The stored data of a recording beside its frames. Frames are numbered from 0 in this browser. */
export const RecordingRow = v.object({
  /** Its id in this browser. */
  id: v.string(),
  /** Its id on the server, and that of the transcription made of it: both are new when it has to start over there. */
  recordingId: v.pipe(v.string(), v.uuid()),
  clientId: v.pipe(v.string(), v.uuid()),
  /** The frame that is number 0 on the server. */
  base: Count,
  ownerId: v.string(),
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.nullable(TextLanguage),
  /** Epoch ms; of frame 0. */
  startedAt: v.number(),
  /** Frames below are confirmed by the server, and not stored here any more, unless this device is still to recognize them. */
  confirmed: Count,
  /** The total number of frames; null while it is being recorded, and for ever if that was interrupted. */
  frames: v.nullable(Count),
  /** Frames from this one on were not accepted, because the free minutes were used up: they become a recording of their own. */
  cut: v.optional(Count),
  /** Recorded after the free minutes were used up: it is finished when there are minutes again. */
  overLimit: v.optional(v.boolean()),
  /** Spoken without a network: it is finished by itself when there is one. */
  waits: v.optional(v.boolean()),
  /** Who transcribes it in the server's place; absent: the server. */
  heardBy: v.optional(HeardBy),
  /** Nothing of it is sent before the person saves it. */
  staysHere: v.optional(v.boolean()),
  /** What it has recognized, in order; times in seconds from frame 0. The server has the first `heardConfirmed` of them. */
  heard: v.optional(v.array(Segment)),
  heardConfirmed: v.optional(Count),
  /** `heard` has all words: of a recording that a model on the device recognizes, or of nobody's (`nobody`). */
  heardToEnd: v.optional(v.boolean()),
  /** The server knows it. */
  reached: v.boolean(),
  /** The conversation that it is a turn of, and the languages of its two sides. */
  conversation: v.optional(v.object({ id: v.pipe(v.string(), v.uuid()), languages: v.tuple([v.string(), v.string()]) })),
  /** open: to be finished; kept: its text is in the outbox; discarded: to be deleted on the server. */
  fate: v.picklist(["open", "kept", "discarded"]),
});
export type RecordingRow = v.InferOutput<typeof RecordingRow>;

interface Tables extends DBSchema {
  recordings: { key: string; value: unknown };
  /** Keys: the recording and the frame's number; values: PCM. */
  frames: { key: [string, number]; value: ArrayBuffer };
}

/** Recordings in IndexedDB. Every method rejects when the browser has no room, or denies access. */
export interface RecordingDb {
  put(row: RecordingRow): Promise<void>;
  get(id: string): Promise<RecordingRow | undefined>;
  list(ownerId: string): Promise<RecordingRow[]>;
  /** With its frames. */
  remove(id: string): Promise<void>;
  putFrame(id: string, number: number, pcm: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The stored ones from `from` to `to` (exclusive), by number. */
  frames(id: string, from: number, to: number): Promise<Map<number, Uint8Array<ArrayBuffer>>>;
  removeFramesBelow(id: string, number: number): Promise<void>;
  /** One more than the highest stored number; 0 when there is none. */
  frameCount(id: string): Promise<number>;
  close(): Promise<void>;
}

const framesOf = (id: string, from = 0, to = Number.POSITIVE_INFINITY) => IDBKeyRange.bound([id, from], [id, to], false, true);

/**
 * @param name of the database
 * @param timeoutMs time-out for opening it
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

/** Rows of another version that this one can't read stay untouched. */
function parseRow(value: unknown): RecordingRow | undefined {
  const row = v.safeParse(RecordingRow, value);
  return row.success ? row.output : undefined;
}

function bufferOf(pcm: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return pcm.byteLength === pcm.buffer.byteLength ? pcm.buffer : pcm.slice().buffer;
}
