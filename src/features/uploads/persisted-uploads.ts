import type { DBSchema } from "idb";
import * as v from "valibot";
import { SpeechLanguage } from "#contract/index.ts";
import type { RecordingLocks } from "#src/audio/recordings.ts";
import { createDatabase } from "#src/browser/indexed-db.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What is kept of an upload until it is finished. */
export const PersistedUpload = v.object({
  /** Its client id. */
  id: v.pipe(v.string(), v.uuid()),
  ownerId: v.string(),
  name: v.string(),
  /** In bytes. */
  size: Count,
  /** Epoch ms: with name and size it tells whether a file is the same. */
  lastModified: v.number(),
  /** Where the server has a part of it; null until then. */
  url: v.nullable(v.string()),
  /** The largest file that the server took, in bytes. */
  maxBytes: Count,
  options: v.object({
    sourceLanguage: SpeechLanguage,
    targetLanguage: v.nullable(v.string()),
    title: v.string(),
    vocabulary: v.string(),
    speakers: v.boolean(),
  }),
  /** Epoch ms. */
  begunAt: v.number(),
});
export type PersistedUpload = v.InferOutput<typeof PersistedUpload>;

interface Tables extends DBSchema {
  uploads: { key: string; value: unknown };
  files: { key: string; value: File };
}

/** The server throws away what is not finished by then (ms); so does the browser. */
const lifeMs = 7 * 24 * 60 * 60 * 1000;
/** A larger file is not copied into the browser's storage: it is asked for again (bytes). */
export const maxCopied = 512 * 1024 * 1024;

/** Unfinished uploads as the browser keeps them over a reload. Nothing here rejects: what can't be kept is not kept. */
export interface UploadMemory {
  /** @param file is kept, too, when there is room */
  keep(upload: PersistedUpload, file: File): Promise<void>;
  /** Where to go on. */
  keepUrl(id: string, url: string | null): Promise<void>;
  /** This person's that go on in no other tab, oldest first; each with its file if that was kept. They are this tab's from now on. */
  take(ownerId: string): Promise<{ upload: PersistedUpload; file: File | null }[]>;
  /** It is finished, or given up. */
  forget(id: string): Promise<void>;
  /** Its owner has left: other tabs may have it. */
  release(id: string): Promise<void>;
}

interface Parts {
  locks: RecordingLocks;
  /** Room in bytes that the browser still has. */
  room(): Promise<number>;
  /** Epoch ms. */
  now(): number;
  /** Of the database. */
  name?: string;
  /** How long the browser has to open it, in milliseconds. */
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
  const remove = async (id: string) => {
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
        // Finished before it was copied.
        if (!held.has(upload.id)) await remove(upload.id);
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
          if (upload.begunAt < now() - lifeMs) await remove(upload.id);
          else if (upload.ownerId === ownerId && (await hold(upload.id))) {
            found.push({ upload, file: (await (await open()).get("files", upload.id)) ?? null });
          }
        }
      });
      return found;
    },
    forget: (id) =>
      quietly(async () => {
        await release(id);
        await remove(id);
      }),
    release: (id) => quietly(() => release(id)),
  };
}

/** What another version wrote and this one can't read stays where it is. */
function parsed(value: unknown): PersistedUpload[] {
  const upload = v.safeParse(PersistedUpload, value);
  return upload.success ? [upload.output] : [];
}

/** An upload goes on although the browser has no room, or no storage at all; after a reload it begins anew then. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch(() => {});
}
