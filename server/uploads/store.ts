import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { Db } from "#server/db/open.ts";
import type { BucketAppends } from "#server/storage/bucket-appends.ts";
import { type Storage, uploadKey } from "#server/storage/storage.ts";
import { hintGc } from "#server/threads/gc-hint.ts";
import { findUpload, removeUpload } from "./queries.ts";

/** Unfinished uploads expire after this (milliseconds). */
export const uploadLifeMs = 7 * 24 * 60 * 60 * 1000;

/** The store of resumable uploads: bytes are in the file storage, owner and size in the database. */
export function createUploadStore(storage: Storage, db: Db): DataStore {
  const { bucket } = storage;
  return bucket === undefined ? new FolderUploads(storage, db) : new BucketUploads(bucket.appends, storage, db);
}

/**
 * Called with the upload's lock held. Another request may have begun or finished the upload since the first check, and
 * creating it again would empty it.
 */
async function refuseBegun(storage: Storage, db: Db, id: string): Promise<void> {
  const hasBytes = (await storage.uploads.arrived(id)) !== undefined || (await storage.audio(id)) !== undefined;
  if (hasBytes || (await findUpload(db, id)) === undefined) throw ERRORS.ABORTED;
}

/** The supported tus extensions. */
const extensions = ["creation", "creation-with-upload", "termination", "expiration"];

class FolderUploads extends FileStore {
  readonly #storage: Storage;
  readonly #db: Db;

  constructor(storage: Storage, db: Db) {
    const directory = join(storage.folder, "uploads");
    super({ directory, expirationPeriodInMilliseconds: uploadLifeMs, configstore: rowsAsConfiguration(db) });
    this.#storage = storage;
    this.#db = db;
    this.extensions = extensions;
  }

  override async create(upload: Upload): Promise<Upload> {
    await refuseBegun(this.#storage, this.#db, upload.id);
    return super.create(upload);
  }

  /**
   * Appends. Bytes received before an interruption are kept.
   * @returns the file's new length, in bytes
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    let end = offset;
    // Flushed before it is acknowledged, so that a power failure loses no acknowledged bytes.
    const target = createWriteStream(join(this.directory, id), { flags: "r+", start: offset, flush: true });
    await pipeline(
      source,
      async function* counted(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          end += chunk.length;
          hintGc(chunk.length);
          yield chunk;
        }
      },
      target,
    );
    return end;
  }
}

/**
 * Each upload arrives at its final key, as the audio of its future transcription. It becomes visible with its last
 * byte.
 */
class BucketUploads extends DataStore {
  readonly #appends: BucketAppends;
  readonly #storage: Storage;
  readonly #db: Db;

  constructor(appends: BucketAppends, storage: Storage, db: Db) {
    super();
    this.#appends = appends;
    this.#storage = storage;
    this.#db = db;
    this.extensions = extensions;
  }

  override async create(upload: Upload): Promise<Upload> {
    await refuseBegun(this.#storage, this.#db, upload.id);
    await this.#appends.begin(uploadKey(upload.id), upload.size ?? 0);
    return upload;
  }

  /** Bytes received before an interruption are kept. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const { end, failure } = await this.#appends.append(uploadKey(id), offset, source);
    if (failure !== undefined) throw failure;
    return end;
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await findUpload(this.#db, id);
    const offset = row && (await this.#storage.uploads.arrived(id));
    if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
    if (offset === undefined) throw ERRORS.FILE_NO_LONGER_EXISTS;
    return new Upload({ id, size: row.size, offset, creation_date: new Date(row.created_at).toISOString() });
  }

  override async remove(id: string): Promise<void> {
    await this.#storage.uploads.remove(id);
    await removeUpload(this.#db, id);
  }

  override getExpiration(): number {
    return uploadLifeMs;
  }
}

/** Lets tus read an upload's metadata from its row, which is created before the upload. */
function rowsAsConfiguration(db: Db): FileStore["configstore"] {
  return {
    get: async (id) => {
      const row = await findUpload(db, id);
      if (row === undefined) return undefined;
      return new Upload({ id, size: row.size, offset: 0, creation_date: new Date(row.created_at).toISOString() });
    },
    set: async () => {},
    delete: (id) => removeUpload(db, id),
  };
}
