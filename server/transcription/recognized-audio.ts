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

// If browsers would play another sound than the transcribed one (isPlayedAsItCame), they get an MP4 of the transcribed
// sound.

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

/** CPU time, in seconds: an hour of speech takes about ten seconds to encode. */
const cpuSeconds = 30 * 60;
/** Disk space that must stay free when a copy is made, in bytes. */
const diskReserve = 256 * 1024 * 1024;
const fileName = "sound.mp4";

/**
 * Makes the copy of the transcribed sound, with the same times: copying the container's stream would lose the decoder's
 * time line.
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
  // A deletion of the audio changes the row before it deletes the files. A copy stored before that is deleted with the
  // audio; a later one is deleted here.
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
  if (child.exitCode !== 0) throw new Error("The audio can't be encoded.");
}

/** The same when no job has decoded the audio. */
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

/** The transcribed sound for browsers. */
export interface RecognizedAudio {
  /** The copy, made if it is missing; undefined when the recording itself can be played. */
  file(row: RecognizedAudioRow): Promise<{ file: StoredFile; kind: SoundKind } | undefined>;
  /** Stops copies in progress. */
  close(): Promise<void>;
}

/** Most failures that are remembered. */
const maxFailures = 1_000;

/** Makes missing copies, for example after a restored backup. Normally, the transcribing job makes the copy. */
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
          log.warn("audio track not copied", { id: row.id, ...describeError(error) });
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
