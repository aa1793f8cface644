import { randomBytes } from "node:crypto";
import { constants, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ageMagic } from "#contract/index.ts";
import { isDiskFull, Problem } from "#server/errors/problem.ts";
import type { Bucket } from "#server/storage/bucket.ts";
import type { Appended } from "#server/storage/bucket-appends.ts";
import { syncFolder } from "#server/storage/files.ts";
import type { Storage } from "#server/storage/storage.ts";
import { fileAt, type StoredFile } from "#server/storage/stored-file.ts";
import { writeWhole } from "#server/storage/write-whole.ts";
import { hintGc } from "#server/threads/gc-hint.ts";

/** Files below `vault/<item>/`: `content` is the recording, `text` its transcript, both in the age format. */
export interface VaultFiles {
  /** Undefined when there is none. */
  content(id: string): Promise<StoredFile | undefined>;
  text(id: string): Promise<StoredFile | undefined>;
  /**
   * The actual length of an item's file, which may differ from its row after a crash.
   * @param received length according to the row, in bytes
   */
  arrived(id: string, received: number): Promise<number>;
  /** Appends at `offset`. Written bytes are kept, even after an interruption. */
  append(id: string, offset: number, maxBytes: number, source: AsyncIterable<Uint8Array>): Promise<Appended>;
  /** Replaces the text as a whole. @throws Problem `tooLarge`, `interrupted`, `badRequest` */
  writeText(id: string, maxBytes: number, source: AsyncIterable<Uint8Array>): Promise<void>;
  remove(id: string): Promise<void>;
  /** The items that have a folder, and the last write to it (epoch ms). An item may appear twice. */
  list(): AsyncIterable<{ id: string; touchedAt: number }>;
}

export function createVaultFiles({ folder, bucket }: Pick<Storage, "folder" | "bucket">): VaultFiles {
  return bucket === undefined ? folderFiles(folder) : bucketFiles(bucket);
}

/** In a bucket, an item becomes visible when it is complete. */
function bucketFiles(bucket: Bucket): VaultFiles {
  const key = (id: string, name: "content" | "text") => `vault/${id}/${name}`;
  return {
    content: async (id) => {
      const path = key(id, "content");
      // All bytes may have arrived, but the process was killed before it made the item visible.
      return (await bucket.file(path)) ?? ((await bucket.appends.finish(path)) ? bucket.file(path) : undefined);
    },
    text: (id) => bucket.file(key(id, "text")),
    arrived: async (id) => (await bucket.appends.arrived(key(id, "content"))) ?? 0,
    append: async (id, offset, maxBytes, source) => {
      await bucket.appends.begin(key(id, "content"), maxBytes);
      const written = await bucket.appends.append(key(id, "content"), offset, checked(source, offset, maxBytes));
      if (written.end === maxBytes) await bucket.appends.finish(key(id, "content"));
      return written;
    },
    writeText: async (id, maxBytes, source) => {
      await bucket.put(key(id, "text"), checked(source, 0, maxBytes)).catch((error: unknown) => {
        throw error instanceof Problem || isDiskFull(error) ? error : new Problem("interrupted");
      });
    },
    remove: (id) => bucket.removeAll(`vault/${id}/`),
    list: async function* () {
      for await (const { key: found, touchedAt } of bucket.list("vault/")) yield { id: found.split("/")[1] ?? "", touchedAt };
    },
  };
}

/** @throws Problem for anything but an age file, and for more bytes than announced */
async function* checked(source: AsyncIterable<Uint8Array>, offset: number, maxBytes: number): AsyncGenerator<Uint8Array> {
  let end = offset;
  for await (const chunk of source) {
    if (end === 0) checkMagic(chunk);
    end += chunk.length;
    if (end > maxBytes) throw new Problem("tooLarge", "The upload has more bytes than announced.");
    yield chunk;
  }
}

/** @param dataDir absolute; folders are created on demand */
function folderFiles(dataDir: string): VaultFiles {
  const root = join(dataDir, "vault");
  const folder = (id: string) => join(root, id);
  const write = async (path: string, offset: number, maxBytes: number, source: AsyncIterable<Uint8Array>): Promise<Appended> => {
    // Not truncated: a repeated part may break off after its first attempt was counted.
    await using file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    let end = offset;
    let failure: unknown;
    try {
      for await (const chunk of checked(source, offset, maxBytes)) {
        await writeWhole(file, chunk, end);
        end += chunk.length;
        hintGc(chunk.length);
      }
    } catch (error) {
      failure = error;
    }
    await file.sync();
    return { end, failure };
  };
  return {
    content: (id) => fileAt(join(folder(id), "content")),
    text: (id) => fileAt(join(folder(id), "text")),
    // Bytes that the row does not know of are written again.
    arrived: async (_id, received) => received,
    append: async (id, offset, maxBytes, source) => {
      await mkdir(folder(id), { recursive: true, mode: 0o700 });
      const written = await write(join(folder(id), "content"), offset, maxBytes, source);
      if (written.end === maxBytes) await syncFolders(root, folder(id));
      return written;
    },
    writeText: async (id, maxBytes, source) => {
      await mkdir(folder(id), { recursive: true, mode: 0o700 });
      // Written beside the earlier text, which stays if this one is incomplete.
      const arriving = join(folder(id), `text-${randomBytes(6).toString("hex")}`);
      try {
        const { failure } = await write(arriving, 0, maxBytes, source);
        if (failure !== undefined) throw failure;
        await rename(arriving, join(folder(id), "text"));
      } catch (error) {
        await rm(arriving, { force: true });
        throw error instanceof Problem || isDiskFull(error) ? error : new Problem("interrupted");
      }
      await syncFolders(root, folder(id));
    },
    remove: (id) => rm(folder(id), { recursive: true, force: true }),
    list: async function* () {
      for (const id of await readdir(root).catch(() => [])) {
        const touchedAt = await stat(folder(id)).then(
          ({ mtimeMs }) => mtimeMs,
          () => Number.POSITIVE_INFINITY,
        );
        yield { id, touchedAt };
      }
    },
  };
}

const magic = Buffer.from(ageMagic);

/** @throws Problem for anything but an age file, because unencrypted data must not be stored */
function checkMagic(chunk: Uint8Array): void {
  const begins = chunk.subarray(0, magic.length);
  if (!magic.subarray(0, begins.length).equals(begins)) throw new Problem("badRequest", "This is not an age file.");
}

/** Flushes folders: a new file is durable only when its parent folders are flushed, too. */
async function syncFolders(...paths: string[]): Promise<void> {
  for (const path of paths) await syncFolder(path);
}
