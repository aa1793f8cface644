import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { type decodeToPcm, startTool, whenEnded } from "#server/speech/index.ts";
import { recognizedTrack, soundKind, type TrackColumns } from "#server/speech/tracks.ts";
import type { SoundKind, Storage } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { isFull, type StorageQuota } from "#server/subscription/storage-quota.ts";
import { queues } from "#server/threads/queues.ts";
import { Slots } from "#server/threads/slots.ts";
import { pcmRate } from "#speech/bytes.ts";
import { hasSound, type TranscriptionRow } from "./queries.ts";

// Where browsers would play another sound than the text is of (isPlayedAsItCame), they get an MP4 of what was recognized.

export const soundType = "audio/mp4";

interface SoundParts {
  db: Db;
  storage: Pick<Storage, "localAudio" | "scratchFolder" | "freeBytes" | "videos">;
  quota: Pick<StorageQuota, "within">;
}

interface RecognizedAudioParts extends SoundParts {
  config: { maxAudioSeconds: number };
  decode: typeof decodeToPcm;
  log: Pick<Log, "warn">;
}

type RecognizedAudioRow = Pick<TranscriptionRow, "id" | "user_id"> & TrackColumns;

/** CPU time, in seconds: an hour of speech takes about ten of them to encode. */
const cpuSeconds = 30 * 60;
/** Disk space that a copy leaves free, in bytes. */
const diskReserve = 256 * 1024 * 1024;
const fileName = "sound.mp4";

/**
 * Makes the copy of what was recognized, with the same times: a container's own would need what the decoder knows of them.
 * @param pcm the decoded sound (s16le, mono, 16,000 Hz); absolute path
 * @throws Problem; disk errors; the signal's reason; Error when it can't be encoded
 */
export async function makeSound(
  { db, storage, quota }: SoundParts,
  { id, user_id }: RecognizedAudioRow,
  { kind, pcm, signal }: { kind: SoundKind; pcm: string; signal: AbortSignal },
): Promise<void> {
  await using folder = await storage.scratchFolder();
  await encode(pcm, { folder: folder.path, maxBytes: (await storage.freeBytes()) - diskReserve, signal });
  const path = join(folder.path, fileName);
  const { size } = await stat(path);
  await storage.videos.keep(id, kind, path);
  // Whoever deletes a sound changes the row before the files: what was written until then goes with them, what came later goes here.
  const note = async (t: Db) => {
    await noteAudioChange(t, id, size);
    return hasSound(t, id);
  };
  try {
    const isThere = await quota.within(
      () => user_id,
      () => db.transaction().execute(note),
    );
    if (!isThere) await storage.videos.remove(id, kind);
  } catch (error) {
    if (isFull(error)) await storage.videos.remove(id, kind);
    throw error;
  }
}

interface Encoding {
  folder: string;
  maxBytes: number;
  signal: AbortSignal;
}

async function encode(pcm: string, { folder, maxBytes, signal }: Encoding): Promise<void> {
  if (maxBytes <= 0) throw new Problem("storageFull");
  const reading = ["-nostdin", "-hide_banner", "-loglevel", "error", "-f", "s16le", "-ar", String(pcmRate), "-ac", "1"];
  const writing = ["-c:a", "aac", "-b:a", "64k", "-movflags", "+faststart", "-f", "mp4", "-n", `file:${fileName}`];
  const limits = { cpuSeconds, fileBytes: maxBytes, cwd: folder, signal };
  const child = startTool("ffmpeg", [...reading, "-i", `file:${pcm}`, ...writing], limits);
  child.stdout.resume();
  child.stderr.resume();
  await whenEnded(child);
  signal.throwIfAborted();
  if (child.exitCode !== 0) throw new Error("The sound can't be encoded.");
}

/** The same where no job has decoded it. */
async function decodeAndMake(
  parts: RecognizedAudioParts,
  row: RecognizedAudioRow,
  kind: SoundKind,
  signal: AbortSignal,
): Promise<void> {
  const { storage, config, decode } = parts;
  await using source = await storage.localAudio(row.id);
  await using folder = await storage.scratchFolder();
  const pcm = join(folder.path, "sound.pcm");
  const file = await open(pcm, "wx", 0o600);
  try {
    const free = Math.max(0, (await storage.freeBytes()) - diskReserve) / 2;
    const maxSamples = Math.min(config.maxAudioSeconds * pcmRate, free);
    await decode(source.path, { signal, maxSamples, track: recognizedTrack(row), onPcm: (chunk) => file.writeFile(chunk) });
  } finally {
    await file.close();
  }
  await makeSound(parts, row, { kind, pcm, signal });
}

/** Gives the sound that belongs to a text, for browsers. */
export interface RecognizedAudio {
  /** The copy, which is made when it is not there; undefined: the recording itself is to be played. */
  file(row: RecognizedAudioRow): Promise<{ file: StoredFile; kind: SoundKind } | undefined>;
  /** Stops what is under way. */
  close(): Promise<void>;
}

/** Failures that are remembered. */
const maxFailures = 1_000;

/** The job that makes the text makes the copy, too; what a backup has not brought back is made here. */
export function createRecognizedAudio(parts: RecognizedAudioParts): RecognizedAudio {
  const { storage, log } = parts;
  const closing = new AbortController();
  const slots = new Slots(queues.sounds);
  const underWay = new Map<string, Promise<void>>();
  const failed = new Set<string>();
  const make = async (row: RecognizedAudioRow, kind: SoundKind) => {
    const key = `${row.id}/${kind}`;
    if (closing.signal.aborted || failed.has(key)) return;
    const making =
      underWay.get(key) ??
      slots
        .run(closing.signal, (signal) => decodeAndMake(parts, row, kind, signal), { person: row.user_id })
        .catch((error: unknown) => {
          if (closing.signal.aborted) return;
          if (error instanceof Problem && error.code === "tooManyAtOnce") throw error;
          log.warn("sound track not copied", { id: row.id, ...describeError(error) });
          if (failed.size < maxFailures) failed.add(key);
        })
        .finally(() => underWay.delete(key));
    underWay.set(key, making);
    await making;
  };
  return {
    file: async (row) => {
      const kind = soundKind(row);
      if (kind === undefined) return undefined;
      const there = await storage.videos.file(row.id, kind);
      if (there === undefined) await make(row, kind);
      const file = there ?? (await storage.videos.file(row.id, kind));
      return file && { file, kind };
    },
    close: async () => {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}
