import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { maxPeaksBytes } from "#contract/index.ts";
import { errorCodeOf } from "#server/errors/problem.ts";
import { syncFolder } from "./files.ts";
import { type Incoming, type Storage, storedKinds, type VideoKind } from "./storage.ts";
import { bytesOf, fileAt, writeStreamAt } from "./stored-file.ts";

/** A copy for a program is older only when its process was killed (milliseconds). */
const scratchMs = 24 * 60 * 60 * 1000;
/** What is made of an audio, and is not true of another version of it. */
const beside = ["peaks", "picture", "captioned"];

/** Everything in the data folder. @param dataDir absolute; folders are created if needed */
export async function openFolderStorage(dataDir: string): Promise<Storage> {
  const folder = (name: string) => join(dataDir, name);
  for (const name of storedKinds) await mkdir(folder(name), { recursive: true, mode: 0o700 });
  const scratch = folder("scratch");
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  await sweepScratch(scratch);
  const audioFolder = (id: string) => join(folder("audio"), id);
  const original = (id: string) => join(audioFolder(id), "original");
  const peaksPath = (id: string) => join(audioFolder(id), "peaks");
  const videoPath = (id: string, kind: VideoKind) => join(audioFolder(id), kind);
  const pcmPath = (id: string) => join(folder("jobs"), `${id}.pcm`);
  const arriving = (name: string) => join(folder("incoming"), name);
  const flushed = async (id: string) => {
    await syncFolder(audioFolder(id));
    await syncFolder(folder("audio"));
  };
  const take = (id: string, path: string, flags: "wx" | "w"): Incoming => {
    const stream = writeStreamAt(path, flags);
    return {
      stream,
      get bytes() {
        return stream.bytesWritten;
      },
      keep: async () => {
        await mkdir(audioFolder(id), { recursive: flags === "w", mode: 0o700 });
        await rename(path, original(id));
        await flushed(id);
      },
      discard: async () => {
        await closed(stream);
        await rm(path, { force: true });
        await rm(audioFolder(id), { recursive: true, force: true });
      },
    };
  };

  return {
    folder: dataDir,
    bucket: undefined,
    receive: (id) => take(id, arriving(id), "wx"),
    receiveAgain: (id) => take(id, arriving(`fetch-${id}`), "w"),
    uploads: {
      arrived: async (id) => (await fileAt(join(folder("uploads"), id)))?.size,
      remove: async (id) => {
        await rm(join(folder("uploads"), id), { force: true });
        await rm(join(folder("uploads"), `${id}.json`), { force: true });
      },
    },
    keepUpload: async (id) => {
      await mkdir(audioFolder(id), { recursive: true, mode: 0o700 });
      try {
        await using arrived = await open(join(folder("uploads"), id), "r");
        await arrived.sync();
        await rename(join(folder("uploads"), id), original(id));
      } catch (error) {
        // An earlier attempt may have moved it.
        await stat(original(id)).catch(() => Promise.reject(error));
      }
      await flushed(id);
    },
    audio: (id) => fileAt(original(id)),
    localAudio: async (id) => ({ path: original(id), [Symbol.asyncDispose]: async () => {} }),
    audioAddress: async () => undefined,
    inPlace: original,
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
      await flushed(id);
      return true;
    },
    removeReplacement: (name) => rm(arriving(name), { force: true }),
    removeAudio: (id) => rm(audioFolder(id), { recursive: true, force: true }),
    peaks: {
      write: async (id, bytes) => {
        const arriving = join(audioFolder(id), `peaks-${randomUUID()}`);
        try {
          await writeFile(arriving, bytes, { mode: 0o600, flag: "wx" });
          await rename(arriving, peaksPath(id));
        } catch (error) {
          await rm(arriving, { force: true });
          // The folder went with its audio.
          if (errorCodeOf(error) !== "ENOENT") throw error;
        }
      },
      read: async (id) => {
        const file = await fileAt(peaksPath(id));
        return file === undefined || file.size > maxPeaksBytes ? undefined : bytesOf(file, { start: 0, end: file.size - 1 });
      },
      size: async (id) => (await fileAt(peaksPath(id)))?.size ?? 0,
      remove: (id) => rm(peaksPath(id), { force: true }),
    },
    videos: {
      keep: async (id, kind, path) => {
        await using made = await open(path, "r");
        await made.sync();
        await rename(path, videoPath(id, kind)).catch((error: unknown) => {
          // The folder went with its audio.
          if (errorCodeOf(error) !== "ENOENT") throw error;
        });
      },
      file: (id, kind) => fileAt(videoPath(id, kind)),
      address: async () => undefined,
      remove: (id, kind) => rm(videoPath(id, kind), { force: true }),
    },
    scratchFolder: async () => {
      const path = join(scratch, randomUUID());
      await mkdir(path, { mode: 0o700 });
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
    },
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    pcmPath,
    removePcm: (id) => rm(pcmPath(id), { force: true }),
    livePath: (recording) => join(folder("live"), recording),
    liveBlocks: () => undefined,
    releaseLive: async () => {},
    liveCopies: async () => [],
    removeLive: async (recording) => {
      await rm(join(folder("live"), `${recording}.pcm`), { force: true });
      await rm(join(folder("live"), `${recording}.idx`), { force: true });
    },
    blobs: (kind) => {
      const path = (id: string) => join(folder(kind), `${id}.webp`);
      return {
        write: async (id, bytes) => {
          await mkdir(folder(kind), { recursive: true, mode: 0o700 });
          try {
            await writeFile(path(id), bytes, { mode: 0o600, flush: true });
          } catch (error) {
            // A part of a picture is none, and nobody would ever look for it.
            await rm(path(id), { force: true });
            throw error;
          }
        },
        read: (id) => readFile(path(id)).catch(() => undefined),
        remove: (id) => rm(path(id), { force: true }),
      };
    },
    list: async function* (kind) {
      for (const name of await readdir(folder(kind))) {
        const path = join(folder(kind), name);
        const touchedAt = await stat(path).then(
          (info) => info.mtimeMs,
          () => Number.POSITIVE_INFINITY,
        );
        yield { id: name.replace(/\.\w+$/, ""), touchedAt, remove: () => rm(path, { recursive: true, force: true }) };
      }
    },
  };
}

function closed(stream: Writable): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("close", () => resolve());
    stream.destroy();
  });
}

async function sweepScratch(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const made = await stat(path).catch(() => undefined);
    if (made !== undefined && made.mtimeMs < Date.now() - scratchMs) await rm(path, { recursive: true, force: true });
  }
}
