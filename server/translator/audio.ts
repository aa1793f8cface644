import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { wavHeader } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { writeWhole } from "#server/storage/write-whole.ts";

const headBytes = wavHeader(0).length;
const sampleBytes = 2;

/** Samples in a file, from an offset in bytes. */
export interface Stretch {
  file: StoredFile;
  startByte: number;
  samples: number;
}

/** A stretch of a conversation's own audio. */
export function stretchOf(file: StoredFile, fromSample: number, toSample: number): Stretch {
  return { file, startByte: headBytes + fromSample * sampleBytes, samples: toSample - fromSample };
}

/** The samples of a WAV file as promoteAudio writes it. */
export function wavStretch(file: StoredFile): Stretch {
  return { file, startByte: headBytes, samples: Math.max(0, Math.floor((file.size - headBytes) / sampleBytes)) };
}

/**
 * Writes a WAV file of several stretches; durable when it resolves. @param name of the replacement, which must not
 * exist
 */
export async function writeAudio(storage: Storage, name: string, stretches: readonly Stretch[]): Promise<void> {
  const samples = stretches.reduce((sum, stretch) => sum + stretch.samples, 0);
  const parts = async function* () {
    yield wavHeader(samples);
    for (const stretch of stretches) yield* bytesOf(stretch);
  };
  await storage.writeReplacement(name, parts());
}

/**
 * Appends a stretch after the first `samples` of an audio. `settleAudio` updates the header, and so what players see.
 */
export async function appendAudio(path: string, samples: number, stretch: Stretch): Promise<void> {
  await using file = await open(path, "r+");
  await file.truncate(headBytes + samples * sampleBytes);
  let position = headBytes + samples * sampleBytes;
  for await (const chunk of bytesOf(stretch)) {
    await writeWhole(file, chunk, position);
    position += chunk.length;
  }
  await file.datasync();
}

/**
 * Makes a conversation's file match its row: moves a replacement into place, truncates uncommitted samples, and
 * corrects the sizes in its header. Idempotent. With a bucket, only the replacement is needed.
 */
export async function settleAudio(storage: Storage, id: string, samples: number, replacement: string | null): Promise<void> {
  if (replacement !== null) await storage.installReplacement(id, replacement);
  if (samples === 0) return storage.removeAudio(id);
  const path = storage.inPlace?.(id);
  if (path === undefined || !existsSync(path)) return;
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  const whole = headBytes + samples * sampleBytes;
  if (size > whole) await file.truncate(whole);
  const head = wavHeader(samples);
  const current = Buffer.alloc(headBytes);
  await file.read(current, 0, headBytes, 0);
  if (current.equals(head)) return;
  await writeWhole(file, head, 0);
  await file.datasync();
}

async function* bytesOf({ file, startByte, samples }: Stretch): AsyncGenerator<Uint8Array> {
  if (samples === 0) return;
  const end = startByte + samples * sampleBytes - 1;
  let bytes = 0;
  for await (const chunk of file.read({ start: startByte, end })) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes < samples * sampleBytes) throw new Error("The audio has become shorter.");
}
