import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
import { Upload } from "@tus/server";
import { hintGc } from "#server/common/gc-hint.ts";
import type { Db } from "#server/db/open.ts";
import { findUpload, removeUpload } from "./queries.ts";

/** Unfinished uploads expire after this (milliseconds). */
export const uploadLifeMs = 7 * 24 * 60 * 60 * 1000;

/** Resumable uploads: the bytes in a folder, owner and size in the database. */
export class UploadStore extends FileStore {
  constructor(directory: string, db: Db) {
    super({ directory, expirationPeriodInMilliseconds: uploadLifeMs, configstore: rowsAsConfiguration(db) });
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  /**
   * Appends. Bytes received before an interruption are kept.
   * @returns the file's new length, in bytes
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    let end = offset;
    // Flushed before it is acknowledged: a power cut loses nothing that was acknowledged.
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

/** tus reads an upload's metadata from its row, which is created before the upload. */
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
