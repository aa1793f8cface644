import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
import { Upload } from "@tus/server";
import { hintGc } from "#server/common/gc-hint.ts";
import type { Db } from "#server/db/open.ts";
import { findUpload, removeUpload } from "./queries.ts";

/** An upload that nobody has finished by then is thrown away (milliseconds). */
export const uploadLifeMs = 7 * 24 * 60 * 60 * 1000;

/** Files that arrive in parts: the bytes in a folder, who sends them and how much it will be in the database. */
export class UploadStore extends FileStore {
  constructor(directory: string, db: Db) {
    super({ directory, expirationPeriodInMilliseconds: uploadLifeMs, configstore: rowsAsConfiguration(db) });
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  /**
   * Appends. What has come by a break stays and counts.
   * @returns where the file ends now, in bytes
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    let end = offset;
    // On disk before it is acknowledged: nothing that the sender was told of is lost with the power.
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

/** What tus wants to know of an upload is in its row, which is there before the upload is. */
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
