import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { errorCodeOf } from "./problem.ts";

/** A file that is arriving. Nothing is seen of it before `keep`. */
export interface Incoming {
  /** Ends only when every byte is on disk. */
  readonly stream: Writable;
  /** Makes it the audio of its transcription. Call it after the stream has ended. */
  keep(): Promise<void>;
  /** Takes it away, kept or not. */
  discard(): Promise<void>;
}

/**
 * The data folder: `audio/<transcription>/original` what people gave us, `incoming/` what is arriving, `uploads/<transcription>` what
 * arrives in parts, `jobs/<transcription>.pcm` what is being recognised, `live/<recording>.pcm` and `.idx` what is being dictated. Ids are
 * made by the server, never taken from a request.
 */
export interface Storage {
  receive(transcriptionId: string): Incoming;
  /** Where what arrives in parts lies, under the id of the transcription that it will be. */
  readonly uploadsFolder: string;
  /** Makes what has come in parts the audio of its transcription; once that is done, nothing more. @throws when there is neither */
  keepUpload(transcriptionId: string): Promise<void>;
  audioPath(transcriptionId: string): string;
  /** Where a new version of an audio is written in full before it takes the old one's place. */
  replacementPath(name: string): string;
  /** Puts it in that place; false when it is not there (any more). */
  installReplacement(transcriptionId: string, name: string): Promise<boolean>;
  removeAudio(transcriptionId: string): Promise<void>;
  pcmPath(transcriptionId: string): string;
  /** What is left on the disk, in bytes. */
  freeBytes(): Promise<number>;
  /** Without ending: `.pcm` and `.idx` belong together. */
  livePath(recording: string): string;
  removeLive(recording: string): Promise<void>;
  /** The ids under which something is kept, and since when nobody has written to it (epoch ms). */
  list(kind: StoredKind): Promise<{ id: string; touchedAt: number; remove(): Promise<void> }[]>;
}

export const storedKinds = ["audio", "jobs", "live", "incoming", "uploads"] as const;
export type StoredKind = (typeof storedKinds)[number];

/** @param dataDir absolute; folders are made if need be */
export async function openStorage(dataDir: string): Promise<Storage> {
  const folder = (name: string) => join(dataDir, name);
  for (const name of storedKinds) await mkdir(folder(name), { recursive: true, mode: 0o700 });
  const audioFolder = (id: string) => join(folder("audio"), id);

  return {
    receive: (id) => {
      const arriving = join(folder("incoming"), id);
      const stream = createWriteStream(arriving, { flags: "wx", mode: 0o600, flush: true, highWaterMark: 128 * 1024 });
      return {
        stream,
        keep: async () => {
          await mkdir(audioFolder(id), { mode: 0o700 });
          await rename(arriving, join(audioFolder(id), "original"));
          await syncFolder(audioFolder(id));
          await syncFolder(folder("audio"));
        },
        discard: async () => {
          await closed(stream);
          await rm(arriving, { force: true });
          await rm(audioFolder(id), { recursive: true, force: true });
        },
      };
    },
    uploadsFolder: folder("uploads"),
    keepUpload: async (id) => {
      const original = join(audioFolder(id), "original");
      await mkdir(audioFolder(id), { recursive: true, mode: 0o700 });
      try {
        await using arrived = await open(join(folder("uploads"), id), "r");
        await arrived.sync();
        await rename(join(folder("uploads"), id), original);
      } catch (error) {
        // Moved by an earlier attempt, perhaps.
        await stat(original).catch(() => Promise.reject(error));
      }
      await syncFolder(audioFolder(id));
      await syncFolder(folder("audio"));
    },
    audioPath: (id) => join(audioFolder(id), "original"),
    replacementPath: (name) => join(folder("incoming"), name),
    installReplacement: async (id, name) => {
      await mkdir(audioFolder(id), { recursive: true, mode: 0o700 });
      try {
        await rename(join(folder("incoming"), name), join(audioFolder(id), "original"));
      } catch (error) {
        if (errorCodeOf(error) === "ENOENT") return false;
        throw error;
      }
      await syncFolder(audioFolder(id));
      await syncFolder(folder("audio"));
      return true;
    },
    removeAudio: (id) => rm(audioFolder(id), { recursive: true, force: true }),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    pcmPath: (id) => join(folder("jobs"), `${id}.pcm`),
    livePath: (recording) => join(folder("live"), recording),
    removeLive: async (recording) => {
      await rm(join(folder("live"), `${recording}.pcm`), { force: true });
      await rm(join(folder("live"), `${recording}.idx`), { force: true });
    },
    list: async (kind) => {
      const names = await readdir(folder(kind));
      return Promise.all(
        names.map(async (name) => {
          const path = join(folder(kind), name);
          const touchedAt = await stat(path).then(
            (info) => info.mtimeMs,
            () => Number.POSITIVE_INFINITY,
          );
          return { id: name.replace(/\.\w+$/, ""), touchedAt, remove: () => rm(path, { recursive: true, force: true }) };
        }),
      );
    },
  };
}

/** A renamed file is only safe from a power cut when its folder is on disk too. */
async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

function closed(stream: Writable): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("close", () => resolve());
    stream.destroy();
  });
}
