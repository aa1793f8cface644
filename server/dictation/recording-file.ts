import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pcmRate, SpokenMeter } from "#server/speech/index.ts";

/** Size of an index entry in bytes: a frame's length, unsigned little-endian. */
const entryBytes = 4;
const partSamples = 10 * pcmRate;

/**
 * A recording's audio on disk: `<path>.pcm` has the samples, `<path>.idx` the length of each frame. A frame counts only when both
 * files have it; one that a crash has truncated is dropped and requested again.
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

  /** Appends a frame; it is durable only after `sync`. */
  async append(pcm: Buffer): Promise<void> {
    const entry = Buffer.alloc(entryBytes);
    entry.writeUInt32LE(pcm.length);
    await this.#pcm.write(pcm, 0, pcm.length, this.#bytes);
    await this.#index.write(entry, 0, entryBytes, this.#frames * entryBytes);
    this.#bytes += pcm.length;
    this.#frames++;
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
    await this.#pcm.close();
    await this.#index.close();
  }
}

/** Counts what is spoken in a recording so far. */
export async function measureSpoken(file: Pick<RecordingFile, "parts">): Promise<SpokenMeter> {
  const meter = new SpokenMeter();
  for await (const pcm of file.parts()) meter.push(pcm);
  return meter;
}
