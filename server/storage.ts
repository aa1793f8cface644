import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";

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
 * The data folder: `audio/<transcription>/original` what people gave us, `incoming/` what is arriving, `jobs/<transcription>.pcm` what is
 * being recognised, `live/<recording>.pcm` and `.idx` what is being dictated. Ids are made by the server, never taken from a request.
 */
export interface Storage {
  receive(transcriptionId: string): Incoming;
  audioPath(transcriptionId: string): string;
  removeAudio(transcriptionId: string): Promise<void>;
  pcmPath(transcriptionId: string): string;
  /** Without ending: `.pcm` and `.idx` belong together. */
  livePath(recording: string): string;
  removeLive(recording: string): Promise<void>;
  /** The ids under which something is kept, and since when nobody has written to it (epoch ms). */
  list(kind: "audio" | "incoming" | "jobs" | "live"): Promise<{ id: string; touchedAt: number; remove(): Promise<void> }[]>;
}

/** @param dataDir absolute; folders are made if need be */
export async function openStorage(dataDir: string): Promise<Storage> {
  const folder = (name: string) => join(dataDir, name);
  for (const name of ["audio", "incoming", "jobs", "live"]) await mkdir(folder(name), { recursive: true, mode: 0o700 });
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
    audioPath: (id) => join(audioFolder(id), "original"),
    removeAudio: (id) => rm(audioFolder(id), { recursive: true, force: true }),
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
