import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { maxPeaksBytes } from "#contract/index.ts";
import { errorCodeOf } from "#server/errors/problem.ts";
import { syncFolder } from "./files.ts";
import { type Incoming, type MadeKind, type Storage, type Stored, storedKinds } from "./storage.ts";
import { closed, fileAt, smallBytesOf, writeStreamAt } from "./stored-file.ts";

/** Age after which a copy for a program is abandoned (milliseconds): its process was killed. */
const scratchMs = 24 * 60 * 60 * 1000;
/** Files derived from an audio; they are invalid for another version of it. */
const beside = ["peaks", "picture", "captioned"];

/** The folders of the data folder, and the files in them. */
function foldersIn(dataDir: string) {
  const folder = (name: string) => join(dataDir, name);
  const audioFolder = (id: string) => join(folder("audio"), id);
  return {
    folder,
    scratch: folder("scratch"),
    audioFolder,
    original: (id: string) => join(audioFolder(id), "original"),
    peaks: (id: string) => join(audioFolder(id), "peaks"),
    video: (id: string, kind: MadeKind) => join(audioFolder(id), kind),
    pcm: (id: string) => join(folder("jobs"), `${id}.pcm`),
    upload: (id: string) => join(folder("uploads"), id),
    arriving: (name: string) => join(folder("incoming"), name),
    live: (recording: string) => join(folder("live"), recording),
    flushAudio: async (id: string) => {
      await syncFolder(audioFolder(id));
      await syncFolder(folder("audio"));
    },
  };
}
type Folders = ReturnType<typeof foldersIn>;

/** Storage in the data folder. @param dataDir absolute; folders are created if needed */
export async function openFolderStorage(dataDir: string): Promise<Storage> {
  const folders = foldersIn(dataDir);
  for (const name of [...storedKinds, "scratch"]) await mkdir(folders.folder(name), { recursive: true, mode: 0o700 });
  await sweepScratch(folders.scratch);
  return {
    folder: dataDir,
    bucket: undefined,
    receive: (id) => incoming(folders, id, folders.arriving(id), "wx"),
    receiveAgain: (id) => incoming(folders, id, folders.arriving(`fetch-${id}`), "w"),
    ...uploadsIn(folders),
    audio: (id) => fileAt(folders.original(id)),
    localAudio: async (id) => ({ path: folders.original(id), [Symbol.asyncDispose]: async () => {} }),
    audioAddress: async () => undefined,
    inPlace: folders.original,
    ...replacementsIn(folders),
    removeAudio: (id) => rm(folders.audioFolder(id), { recursive: true, force: true }),
    peaks: peaksIn(folders),
    videos: videosIn(folders),
    scratchFolder: async () => {
      const path = join(folders.scratch, randomUUID());
      await mkdir(path, { mode: 0o700 });
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
    },
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    pcmPath: folders.pcm,
    removePcm: (id) => rm(folders.pcm(id), { force: true }),
    livePath: folders.live,
    liveBlocks: () => undefined,
    releaseLive: async () => {},
    liveCopies: async () => [],
    removeLive: async (recording) => {
      await rm(`${folders.live(recording)}.pcm`, { force: true });
      await rm(`${folders.live(recording)}.idx`, { force: true });
    },
    blobs: (kind) => blobsIn(folders.folder(kind)),
    list: (kind) => listOf(folders.folder(kind)),
  };
}

/** A file that becomes the original of a transcription's audio. */
function incoming(folders: Folders, id: string, path: string, flags: "wx" | "w"): Incoming {
  const stream = writeStreamAt(path, flags);
  return {
    stream,
    get bytes() {
      return stream.bytesWritten;
    },
    keep: async () => {
      await mkdir(folders.audioFolder(id), { recursive: flags === "w", mode: 0o700 });
      await rename(path, folders.original(id));
      await folders.flushAudio(id);
    },
    discard: async () => {
      await closed(stream);
      await rm(path, { force: true });
      await rm(folders.audioFolder(id), { recursive: true, force: true });
    },
  };
}

function uploadsIn({ upload, audioFolder, original, flushAudio }: Folders): Pick<Storage, "uploads" | "keepUpload"> {
  return {
    uploads: {
      arrived: async (id) => (await fileAt(upload(id)))?.size,
      remove: async (id) => {
        await rm(upload(id), { force: true });
        await rm(`${upload(id)}.json`, { force: true });
      },
    },
    keepUpload: async (id) => {
      await mkdir(audioFolder(id), { recursive: true, mode: 0o700 });
      try {
        await using arrived = await open(upload(id), "r");
        await arrived.sync();
        await rename(upload(id), original(id));
      } catch (error) {
        // An earlier attempt may have moved the file.
        await stat(original(id)).catch(() => Promise.reject(error));
      }
      await flushAudio(id);
    },
  };
}

/** New versions of an audio, written completely before they replace the old one. */
function replacementsIn({
  arriving,
  audioFolder,
  original,
  flushAudio,
}: Folders): Pick<Storage, "writeReplacement" | "installReplacement" | "removeReplacement"> {
  return {
    writeReplacement: async (name, parts) => {
      try {
        await pipeline(Readable.from(parts), writeStreamAt(arriving(name), "wx"));
      } catch (error) {
        await rm(arriving(name), { force: true });
        throw error;
      }
    },
    installReplacement: async (id, name) => {
      await mkdir(audioFolder(id), { recursive: true, mode: 0o700 });
      try {
        await rename(arriving(name), original(id));
      } catch (error) {
        if (errorCodeOf(error) === "ENOENT") return false;
        throw error;
      }
      for (const name of beside) await rm(join(audioFolder(id), name), { force: true });
      await flushAudio(id);
      return true;
    },
    removeReplacement: (name) => rm(arriving(name), { force: true }),
  };
}

/** Ignores that the audio's folder was deleted while something was written there. */
function ignoreMissing(error: unknown): void {
  if (errorCodeOf(error) !== "ENOENT") throw error;
}

function peaksIn({ audioFolder, peaks }: Folders): Storage["peaks"] {
  return {
    write: async (id, bytes) => {
      const arriving = join(audioFolder(id), `peaks-${randomUUID()}`);
      try {
        await writeFile(arriving, bytes, { mode: 0o600, flag: "wx" });
        await rename(arriving, peaks(id));
      } catch (error) {
        await rm(arriving, { force: true });
        ignoreMissing(error);
      }
    },
    read: async (id) => smallBytesOf(await fileAt(peaks(id)), maxPeaksBytes),
    size: async (id) => (await fileAt(peaks(id)))?.size ?? 0,
    remove: (id) => rm(peaks(id), { force: true }),
  };
}

function videosIn({ video }: Folders): Storage["videos"] {
  return {
    keep: async (id, kind, path) => {
      await using made = await open(path, "r");
      await made.sync();
      await rename(path, video(id, kind)).catch(ignoreMissing);
    },
    file: (id, kind) => fileAt(video(id, kind)),
    address: async () => undefined,
    remove: (id, kind) => rm(video(id, kind), { force: true }),
  };
}

function blobsIn(folder: string): ReturnType<Storage["blobs"]> {
  const path = (id: string) => join(folder, `${id}.webp`);
  return {
    write: async (id, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        await writeFile(path(id), bytes, { mode: 0o600, flush: true });
      } catch (error) {
        // Nothing else would ever delete a partial picture.
        await rm(path(id), { force: true });
        throw error;
      }
    },
    read: (id) => readFile(path(id)).catch(() => undefined),
    remove: (id) => rm(path(id), { force: true }),
  };
}

async function* listOf(folder: string): AsyncGenerator<Stored> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const touchedAt = await stat(path).then(
      (info) => info.mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    yield { id: name.replace(/\.\w+$/, ""), touchedAt, remove: () => rm(path, { recursive: true, force: true }) };
  }
}

async function sweepScratch(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const made = await stat(path).catch(() => undefined);
    if (made !== undefined && made.mtimeMs < Date.now() - scratchMs) await rm(path, { recursive: true, force: true });
  }
}
