import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ageMagic } from "#contract/index.ts";
import { hintGc } from "#server/common/gc-hint.ts";
import { Problem } from "#server/common/problem.ts";

/** The result of writing to a file. */
export interface Written {
  /** The file's new length, in bytes. */
  end: number;
  /** Why writing stopped. */
  failure: unknown;
}

/** The folder `vault/<item>/` of the data folder: `content` is the recording, `text` its transcript, both in the age format. */
export interface VaultFiles {
  contentPath(id: string): string;
  textPath(id: string): string;
  /** Appends at `offset`; bytes written are on disk, also after an interruption. */
  append(id: string, offset: number, maxBytes: number, source: AsyncIterable<Uint8Array>): Promise<Written>;
  /** Replaces the text as a whole. @throws Problem `tooLarge`, `interrupted`, `badRequest` */
  writeText(id: string, maxBytes: number, source: AsyncIterable<Uint8Array>): Promise<void>;
  remove(id: string): Promise<void>;
  /** The items that have a folder, and the time of the last write to it (epoch ms). */
  list(): Promise<{ id: string; touchedAt: number }[]>;
}

/** @param dataDir absolute; folders are created on demand */
export function createVaultFiles(dataDir: string): VaultFiles {
  const root = join(dataDir, "vault");
  const folder = (id: string) => join(root, id);
  const write = async (path: string, offset: number, maxBytes: number, source: AsyncIterable<Uint8Array>): Promise<Written> => {
    await using file = await open(path, offset === 0 ? "w" : "r+", 0o600);
    let end = offset;
    let failure: unknown;
    try {
      for await (const chunk of source) {
        if (end === 0) checkMagic(chunk);
        if (end + chunk.length > maxBytes) throw new Problem("tooLarge", "More bytes came than were announced.");
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
    contentPath: (id) => join(folder(id), "content"),
    textPath: (id) => join(folder(id), "text"),
    append: async (id, offset, maxBytes, source) => {
      await mkdir(folder(id), { recursive: true, mode: 0o700 });
      const written = await write(join(folder(id), "content"), offset, maxBytes, source);
      if (written.end === maxBytes) await syncFolders(root, folder(id));
      return written;
    },
    writeText: async (id, maxBytes, source) => {
      await mkdir(folder(id), { recursive: true, mode: 0o700 });
      const { failure } = await write(join(folder(id), "text"), 0, maxBytes, source);
      if (failure !== undefined) throw failure instanceof Problem ? failure : new Problem("interrupted");
      await syncFolders(root, folder(id));
    },
    remove: (id) => rm(folder(id), { recursive: true, force: true }),
    list: async () => {
      const names = await readdir(root).catch(() => []);
      return Promise.all(
        names.map(async (id) => {
          const touchedAt = await stat(folder(id)).then(
            ({ mtimeMs }) => mtimeMs,
            () => Number.POSITIVE_INFINITY,
          );
          return { id, touchedAt };
        }),
      );
    },
  };
}

const magic = Buffer.from(ageMagic);

/** @throws Problem for anything but an age file: unencrypted data is not stored */
function checkMagic(chunk: Uint8Array): void {
  const begins = chunk.subarray(0, magic.length);
  if (!magic.subarray(0, begins.length).equals(begins)) throw new Problem("badRequest", "This is not an age file.");
}

async function writeWhole(
  file: { write(bytes: Uint8Array, from: number, length: number, position: number): Promise<{ bytesWritten: number }> },
  chunk: Uint8Array,
  position: number,
): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position + written);
    written += bytesWritten;
  }
}

/** A new file is durable only when its parent folders are flushed too. */
async function syncFolders(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await using handle = await open(path, "r");
    await handle.sync();
  }
}
