import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { maxPeaksBytes } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Bucket } from "./bucket.ts";
import { type Incoming, type LiveBlocks, type MadeKind, type Storage, type Stored, uploadKey } from "./storage.ts";
import { closed, fileAt, smallBytesOf, writeStreamAt } from "./stored-file.ts";

/** Lifetime of a presigned URL (seconds). It is used at once; after a longer pause, the listener gets a new one. */
const addressSeconds = 300;
/** Disk space that must stay free when a copy is made, in bytes. */
const diskReserve = 64 * 1024 * 1024;
/** Digits of the first frame's number in a key, so that keys sort by frame. */
const frameDigits = 10;

const audioKey = uploadKey;
const peaksKey = (id: string) => `audio/${id}/peaks`;
const incomingKey = (name: string) => `incoming/${name}`;
const videoKey = (id: string, kind: MadeKind) => `audio/${id}/${kind}`;

/**
 * Storage in a bucket: audio, live dictations and pictures. This machine holds only what it needs itself: decoded
 * audio, copies for programs, and the files that live recognition reads.
 * @param local the data folder
 */
export async function createBucketStorage(local: Storage, bucket: Bucket): Promise<Storage> {
  const scratch = join(local.folder, "scratch");
  const receive = (id: string): Incoming => {
    const taken = bucket.writable(audioKey(id));
    return {
      stream: taken.stream,
      get bytes() {
        return taken.bytes;
      },
      // The object is visible with its last byte; no row refers to it earlier.
      keep: async () => {},
      discard: async () => {
        await closed(taken.stream);
        await bucket.removeAll(`audio/${id}/`);
      },
    };
  };
  const removeLive = async (recording: string) => {
    await local.removeLive(recording);
    await bucket.removeAll(`live/${recording}/`);
  };

  return {
    ...local,
    bucket,
    receive,
    receiveAgain: receive,
    uploads: {
      arrived: (id) => bucket.appends.arrived(audioKey(id)),
      remove: (id) => bucket.removeAll(`audio/${id}/`),
    },
    keepUpload: async (id) => {
      if (!(await bucket.appends.finish(audioKey(id)))) throw new Problem("gone");
    },
    audio: (id) => bucket.file(audioKey(id)),
    localAudio: async (id) => {
      const file = await bucket.file(audioKey(id));
      if (file === undefined) throw new Problem("gone");
      if (file.size + diskReserve > (await local.freeBytes())) throw new Problem("storageFull");
      const path = join(scratch, randomUUID());
      const dispose = () => rm(path, { force: true });
      try {
        await pipeline(file.read(), writeStreamAt(path, "wx"));
      } catch (error) {
        await dispose();
        throw error;
      }
      return { path, [Symbol.asyncDispose]: dispose };
    },
    audioAddress: (id, options) => bucket.sign(audioKey(id), { ...options, seconds: addressSeconds }),
    inPlace: undefined,
    writeReplacement: async (name, parts) => {
      await bucket.put(incomingKey(name), parts);
    },
    installReplacement: async (id, name) => {
      if (!(await bucket.copy(incomingKey(name), audioKey(id)))) return false;
      await bucket.remove(incomingKey(name));
      for (const key of [peaksKey(id), videoKey(id, "picture"), videoKey(id, "captioned")]) await bucket.remove(key);
      return true;
    },
    removeReplacement: (name) => bucket.remove(incomingKey(name)),
    removeAudio: (id) => bucket.removeAll(`audio/${id}/`),
    peaks: {
      write: async (id, bytes) => void (await bucket.put(peaksKey(id), bytes)),
      read: async (id) => smallBytesOf(await bucket.file(peaksKey(id)), maxPeaksBytes),
      size: async (id) => (await bucket.file(peaksKey(id)))?.size ?? 0,
      remove: (id) => bucket.remove(peaksKey(id)),
    },
    videos: {
      keep: async (id, kind, path) => {
        const file = await fileAt(path);
        if (file === undefined) throw new Problem("gone");
        await bucket.put(videoKey(id, kind), file.read());
      },
      file: (id, kind) => bucket.file(videoKey(id, kind)),
      address: (id, kind, options) => bucket.sign(videoKey(id, kind), { ...options, seconds: addressSeconds }),
      remove: (id, kind) => bucket.remove(videoKey(id, kind)),
    },
    liveBlocks: (recording) => liveBlocksOf(bucket, recording),
    releaseLive: local.removeLive,
    liveCopies: async () => {
      const copies: Stored[] = [];
      for await (const copy of local.list("live")) copies.push(copy);
      return copies;
    },
    removeLive,
    blobs: (kind) => ({
      write: async (id, bytes) => void (await bucket.put(`${kind}/${id}.webp`, bytes)),
      read: (id) => bucket.bytes(`${kind}/${id}.webp`),
      remove: (id) => bucket.remove(`${kind}/${id}.webp`),
    }),
    list: async function* (kind) {
      if (kind === "jobs" || kind === "uploads") yield* local.list(kind);
      // An earlier release has left decoded audio of jobs here.
      if (kind !== "uploads") yield* stored(bucket, kind);
    },
  };
}

function liveBlocksOf(bucket: Bucket, recording: string): LiveBlocks {
  const below = `live/${recording}/`;
  return {
    // Never overwrites: a process that has lost the recording without noticing may write fewer frames.
    append: async (firstFrame, block) => {
      await bucket.put(`${below}${String(firstFrame).padStart(frameDigits, "0")}-${randomUUID()}`, block);
    },
    size: async () => {
      let bytes = 0;
      for await (const { size } of bucket.list(below)) bytes += size;
      return bytes;
    },
    read: async function* () {
      for await (const { key } of bucket.list(below)) {
        const block = await bucket.bytes(key);
        if (block !== undefined) yield { firstFrame: Number(key.slice(below.length).split("-", 1)[0]), block };
      }
    },
  };
}

/** The stored ids of one kind. A bucket lists by key, so that all objects of an id are consecutive. */
async function* stored(bucket: Bucket, kind: string): AsyncGenerator<Stored> {
  let [name, touchedAt] = ["", 0];
  const current = (): Stored => {
    const below = `${kind}/${name}`;
    return {
      id: name.replace(/\.\w+$/, ""),
      touchedAt,
      remove: async () => {
        await bucket.remove(below);
        await bucket.removeAll(`${below}/`);
      },
    };
  };
  for await (const listed of bucket.list(`${kind}/`)) {
    const [, next = ""] = listed.key.split("/");
    if (next !== name) {
      if (name !== "") yield current();
      [name, touchedAt] = [next, 0];
    }
    touchedAt = Math.max(touchedAt, listed.touchedAt);
  }
  if (name !== "") yield current();
}
