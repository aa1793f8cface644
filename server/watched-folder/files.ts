import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { append } from "#contract/lists.ts";
import { Problem } from "#server/errors/problem.ts";
import type { ArrivingFile } from "#server/http/multipart.ts";
import { hintGc } from "#server/threads/gc-hint.ts";

/** One version of a recording in the folder. */
export interface FoundFile {
  /** Absolute. */
  path: string;
  /** Bytes. */
  size: number;
  /** Epoch ms, whole. */
  modifiedAt: number;
}

/** Extensions of possible recordings. All other files are ignored: texts, subtitles, downloads in progress. */
const endings = new Set(
  "3gp aac ac3 aif aiff amr au avi caf flac flv m2ts m4a m4b m4v mka mkv mov mp2 mp3 mp4 mpeg mpg mts oga ogg ogv opus ts wav weba webm wma wmv".split(
    " ",
  ),
);
/** Depth of nested folders. */
const depth = 10;
/** Most entries in one scan: the rest of a larger folder is not watched. */
const maxEntries = 20_000;

const isRecording = (name: string): boolean => !name.startsWith(".") && endings.has(extname(name).slice(1).toLowerCase());

/**
 * The recordings in a folder and its subfolders, sorted by path, without hidden files and links.
 * @throws the file system's error when the folder itself can't be read
 */
export async function listRecordings(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  let entries = 0;
  const scan = async (where: string, left: number): Promise<void> => {
    const names = await readdir(where, { withFileTypes: true });
    for (const entry of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      entries += 1;
      if (entries > maxEntries) return;
      const path = join(where, entry.name);
      // An unreadable folder must not hide the others.
      if (entry.isDirectory() && left > 0 && !entry.name.startsWith(".")) await scan(path, left - 1).catch(() => {});
      else if (entry.isFile() && isRecording(entry.name)) append(found, await versionOf(path));
    }
  };
  await scan(folder, depth);
  return found;
}

/** The current version at a path; empty when the file is gone, or not a file. */
export async function versionOf(path: string): Promise<FoundFile[]> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true ? [{ path, size: stats.size, modifiedAt: Math.floor(stats.mtimeMs) }] : [];
}

/** The properties that change when a file is written. */
type Version = Pick<FoundFile, "size" | "modifiedAt">;

export const isSame = (one: Version, other: Version): boolean => one.size === other.size && one.modifiedAt === other.modifiedAt;

/**
 * The client id of a version, a UUID (RFC 9562's version 8). Taking the same version again finds its existing
 * transcription.
 */
export function clientIdOf({ path, size, modifiedAt }: FoundFile): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([path, size, modifiedAt]))
    .digest("hex");
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-");
}

/**
 * A local file in the form of an upload.
 * @param maxBytes limit of the file's size
 * @param signal ends `writeTo`
 */
export function localFile(found: FoundFile, maxBytes: number, signal: AbortSignal): ArrivingFile {
  return {
    name: basename(found.path),
    type: "",
    writeTo: async (target) => {
      if (found.size > maxBytes) throw new Problem("tooLarge");
      // Does not follow a link that has replaced the file.
      await using file = await open(found.path, constants.O_RDONLY | constants.O_NOFOLLOW);
      let size = 0;
      await pipeline(
        file.createReadStream({ autoClose: false }),
        async function* counted(chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            hintGc(chunk.length);
            if (size > maxBytes) throw new Problem("tooLarge");
            yield chunk;
          }
        },
        target,
        { signal },
      );
      const [now] = await versionOf(found.path);
      if (now === undefined || !isSame(now, found) || size !== found.size) throw new Problem("interrupted");
      return size;
    },
    skip: async () => {},
  };
}

/** "talk" of "/in/talk.mp3". */
export const stemOf = (path: string): string => basename(path, extname(path));
