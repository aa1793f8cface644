import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { SpokenMeter } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import { writeWhole } from "#server/storage/write-whole.ts";
import { pcmRate } from "#speech/bytes.ts";

/** Size of an index entry in bytes: a frame's length, unsigned little-endian. */
const entryBytes = 4;
const partSamples = 10 * pcmRate;

/**
 * A recording's audio on disk: `<path>.pcm` has the samples, `<path>.idx` the length of each frame. A frame counts only
 * when both files have it; one that a crash has truncated is dropped and requested again.
 */
export class RecordingFile {
  readonly #pcm: FileHandle;
  readonly #index: FileHandle;
  #frames: number;
  #bytes: number;

  private constructor(pcm: FileHandle, index: FileHandle, frames: number, bytes: number) {
    this.#pcm = pcm;
    this.#index = index;
    this.#frames = frames;
    this.#bytes = bytes;
  }

  /** @param path without extension; created if new */
  static async open(path: string): Promise<RecordingFile> {
    const flags = constants.O_RDWR | constants.O_CREAT;
    // On any error: a file handle left to the garbage collector ends the process (Node 26).
    await using opened = new AsyncDisposableStack();
    const pcm = opened.use(await open(`${path}.pcm`, flags, 0o600));
    const index = opened.use(await open(`${path}.idx`, flags, 0o600));
    const { size } = await pcm.stat();
    const entries = await index.readFile();
    let [frames, bytes] = [0, 0];
    while ((frames + 1) * entryBytes <= entries.length) {
      const length = entries.readUInt32LE(frames * entryBytes);
      if (bytes + length > size) break;
      bytes += length;
      frames++;
    }
    await pcm.truncate(bytes);
    await index.truncate(frames * entryBytes);
    opened.move();
    return new RecordingFile(pcm, index, frames, bytes);
  }

  /** The number of frames, which is also the number of the next one. */
  get frames(): number {
    return this.#frames;
  }

  get samples(): number {
    return this.#bytes / 2;
  }

  /**
   * Appends a frame; it is durable only after `sync`.
   * @throws disk errors, after which the frame is not stored and can be appended again
   */
  async append(pcm: Buffer): Promise<void> {
    const entry = Buffer.alloc(entryBytes);
    entry.writeUInt32LE(pcm.length);
    await writeWhole(this.#pcm, pcm, this.#bytes);
    await writeWhole(this.#index, entry, this.#frames * entryBytes);
    this.#bytes += pcm.length;
    this.#frames++;
  }

  /** The frames from a number on, each with its length before it: the form for other machines (`restoreRecording`). */
  async blockFrom(first: number): Promise<Buffer> {
    // Their current end: more frames are appended while these are read.
    const [frames, end] = [this.#frames, this.#bytes];
    const entries = Buffer.alloc(Math.max(0, frames - first) * entryBytes);
    await this.#index.read(entries, 0, entries.length, first * entryBytes);
    const lengths = Array.from({ length: entries.length / entryBytes }, (_, i) => entries.readUInt32LE(i * entryBytes));
    const pcm = Buffer.alloc(lengths.reduce((sum, length) => sum + length, 0));
    await this.#pcm.read(pcm, 0, pcm.length, end - pcm.length);
    let at = 0;
    return Buffer.concat(
      lengths.flatMap((length, i) => {
        at += length;
        return [entries.subarray(i * entryBytes, (i + 1) * entryBytes), pcm.subarray(at - length, at)];
      }),
    );
  }

  /** Flushes the samples first: the index must never refer to missing samples. */
  async sync(): Promise<void> {
    await this.#pcm.datasync();
    await this.#index.datasync();
  }

  /** @returns up to `count` samples, starting at `sample` */
  async read(sample: number, count: number): Promise<Buffer> {
    const length = Math.max(0, Math.min(count, this.samples - sample)) * 2;
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await this.#pcm.read(buffer, 0, length, sample * 2);
    return buffer.subarray(0, bytesRead);
  }

  /** Everything, in order, in parts of ten seconds. */
  async *parts(): AsyncGenerator<Buffer> {
    for (let sample = 0; sample < this.samples; sample += partSamples) yield await this.read(sample, partSamples);
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled([this.#pcm.close(), this.#index.close()]);
    for (const one of closed) if (one.status === "rejected") throw one.reason;
  }
}

/**
 * Creates a recording's files on this machine from the frames that any machine has confirmed. Does nothing if this is
 * the only machine.
 * @returns their path, without extension
 */
export async function restoreRecording(storage: Pick<Storage, "livePath" | "liveBlocks">, id: string): Promise<string> {
  const path = storage.livePath(id);
  const blocks = storage.liveBlocks(id);
  if (blocks === undefined) return path;
  for (const extension of [".pcm", ".idx"]) await rm(`${path}${extension}`, { force: true });
  const file = await RecordingFile.open(path);
  try {
    // They may overlap: two processes may have written the same frames.
    for await (const { firstFrame, block } of blocks.read()) {
      let number = firstFrame;
      for (const frame of framesIn(block)) {
        if (number === file.frames) await file.append(frame);
        number += 1;
      }
    }
  } finally {
    await file.close();
  }
  return path;
}

/** The frames of a block (`RecordingFile.blockFrom`). */
function* framesIn(block: Buffer): Generator<Buffer> {
  for (let at = 0; at + entryBytes <= block.length; ) {
    const length = block.readUInt32LE(at);
    at += entryBytes + length;
    // A truncated frame was not confirmed.
    if (at <= block.length) yield block.subarray(at - length, at);
  }
}

/** Counts a recording's speech so far. */
export async function measureSpoken(file: Pick<RecordingFile, "parts">): Promise<SpokenMeter> {
  const meter = new SpokenMeter();
  for await (const pcm of file.parts()) meter.push(pcm);
  return meter;
}
