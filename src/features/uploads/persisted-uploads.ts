import type { DBSchema } from "idb";
import * as v from "valibot";
import { SpeakerCount, SpeechLanguage, TrackNumber } from "#contract/index.ts";
import type { RecordingLocks } from "#src/audio/recordings.ts";
import { createDatabase } from "#src/browser/indexed-db.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The persisted data of an unfinished upload. */
export const PersistedUpload = v.object({
  /** The upload's client id. */
  id: v.pipe(v.string(), v.uuid()),
  ownerId: v.string(),
  name: v.string(),
  /** In bytes. */
  size: Count,
  /** Modification time, epoch ms. Identifies a file together with name and size. */
  lastModified: v.number(),
  /** The URL of the partial upload on the server; null until there is one. */
  url: v.nullable(v.string()),
  /** The server's limit at that time, in bytes. */
  maxBytes: Count,
  options: v.object({
    sourceLanguage: SpeechLanguage,
    targetLanguage: v.nullable(v.string()),
    title: v.string(),
    vocabulary: v.string(),
    speakers: v.boolean(),
    speakerCount: v.optional(SpeakerCount),
    track: v.optional(TrackNumber),
  }),
  /** Epoch ms. */
  begunAt: v.number(),
});
export type PersistedUpload = v.InferOutput<typeof PersistedUpload>;

interface Tables extends DBSchema {
  uploads: { key: string; value: unknown };
  files: { key: string; value: File };
}

/** The age at which the server deletes unfinished uploads (ms); the browser does the same. */
const lifeMs = 7 * 24 * 60 * 60 * 1000;
/** A larger file (bytes) is not copied into the browser's storage; the user must choose it again. */
export const maxCopied = 512 * 1024 * 1024;

/** Unfinished uploads, persisted over reloads. No function rejects: a failure persists nothing. */
export interface UploadMemory {
  /** @param file also persisted if there is room */
  keep(upload: PersistedUpload, file: File): Promise<void>;
  /** Stores the URL with which the upload resumes. */
  keepUrl(id: string, url: string | null): Promise<void>;
  /**
   * This user's uploads that no other tab continues, oldest first, with their persisted files. This tab claims them.
   */
  take(ownerId: string): Promise<{ upload: PersistedUpload; file: File | null }[]>;
  /** Called when the upload is finished or cancelled. */
  remove(id: string): Promise<void>;
  /** Called when the upload's owner has signed out. Releases the claim, so that other tabs may take it. */
  release(id: string): Promise<void>;
}

interface Parts {
  locks: RecordingLocks;
  /** Free storage of the browser, in bytes. */
  room(): Promise<number>;
  /** Epoch ms. */
  now(): number;
  /** The database's name. */
  name?: string;
  /** Timeout for opening the database (ms). */
  timeoutMs?: number;
}

export function createUploadMemory({ locks, room, now, name = "parlance-uploads", timeoutMs }: Parts): UploadMemory {
  const held = new Map<string, () => Promise<void>>();
  const open = createDatabase<Tables>({
    name,
    create: (db) => {
      db.createObjectStore("uploads", { keyPath: "id" });
      db.createObjectStore("files");
    },
    timeoutMs,
  });
  const hold = async (id: string): Promise<boolean> => {
    if (held.has(id)) return true;
    const release = await locks.take(id);
    if (release !== undefined) held.set(id, release);
    return release !== undefined;
  };
  const release = async (id: string) => {
    await held.get(id)?.();
    held.delete(id);
  };
  const removeRows = async (id: string) => {
    const db = await open();
    await Promise.all([db.delete("uploads", id), db.delete("files", id)]);
  };
  const all = async () => (await (await open()).getAll("uploads")).flatMap((value) => parsed(value));
  return {
    keep: (upload, file) =>
      quietly(async () => {
        await hold(upload.id);
        const db = await open();
        const known = parsed(await db.get("uploads", upload.id))[0];
        await db.put("uploads", { ...upload, url: upload.url ?? known?.url ?? null });
        const copied = file.size > maxCopied || (await db.getKey("files", upload.id)) !== undefined;
        if (!copied && (await room()) > 2 * file.size) await db.put("files", file, upload.id);
        // The upload finished before the copy was complete.
        if (!held.has(upload.id)) await removeRows(upload.id);
      }),
    keepUrl: (id, url) =>
      quietly(async () => {
        const db = await open();
        const known = parsed(await db.get("uploads", id))[0];
        if (known !== undefined) await db.put("uploads", { ...known, url });
      }),
    take: async (ownerId) => {
      const found: { upload: PersistedUpload; file: File | null }[] = [];
      await quietly(async () => {
        for (const upload of (await all()).sort((a, b) => a.begunAt - b.begunAt)) {
          if (upload.begunAt < now() - lifeMs) await removeRows(upload.id);
          else if (upload.ownerId === ownerId && (await hold(upload.id))) {
            found.push({ upload, file: (await (await open()).get("files", upload.id)) ?? null });
          }
        }
      });
      return found;
    },
    remove: (id) =>
      quietly(async () => {
        await release(id);
        await removeRows(id);
      }),
    release: (id) => quietly(() => release(id)),
  };
}

/** Ignores entries of another version that this one can't read, without deleting them. */
function parsed(value: unknown): PersistedUpload[] {
  const upload = v.safeParse(PersistedUpload, value);
  return upload.success ? [upload.output] : [];
}

/** Without storage, an upload continues, but after a reload it starts from the beginning. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch(() => {});
}
