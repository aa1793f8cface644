import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db, DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { exportTasks } from "#server/exports/thread-tasks.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { AudioError } from "#server/speech/index.ts";
import { isPlayedAsItCame, recognizedTrack } from "#server/speech/tracks.ts";
import type { Storage } from "#server/storage/storage.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { isFull, type StorageQuota } from "#server/subscription/storage-quota.ts";
import type { Threads } from "#server/threads/threads.ts";
import { findTranscription, findTranscriptionOfAnybody, hasSound } from "#server/transcription/queries.ts";
import { factsOf } from "#server/transcription/view.ts";
import { type Conversion, captionsName, convert, VideoError, videoName } from "./convert.ts";
import { probeVideo } from "./probe.ts";
import { changeMaking, type VideoRow } from "./queries.ts";

export interface MakingParts extends DbParts {
  log: Log;
  storage: Storage;
  quota: Pick<StorageQuota, "within">;
  threads: Threads;
  /** Longest recording (seconds), and largest file (bytes). */
  maxAudioSeconds: number;
  maxVideoBytes: number;
}

/** Disk space that must stay free when a video is made, in bytes. */
const diskReserve = 256 * 1024 * 1024;

/**
 * Makes what a row requests, and stores it: the picture, or the video with captions.
 * @param onProgress called with 0 to 1
 * @throws VideoError; the signal's reason; other errors, after which it may be tried again
 */
export async function makeVideo(
  parts: MakingParts,
  row: VideoRow,
  { signal, onProgress }: { signal: AbortSignal; onProgress(fraction: number): void },
): Promise<void> {
  const { db, now, storage } = parts;
  await using source = await storage.localAudio(row.transcription_id).catch(refusal);
  const heard = await findTranscriptionOfAnybody(db, row.transcription_id);
  if (heard === undefined) throw new VideoError("unreadable", "The transcription no longer exists.");
  const probe = await probeVideo(source.path, signal, recognizedTrack(heard)).catch(missing);
  if (probe.kind === "tooLarge") throw new VideoError("tooLarge", "The picture has more pixels than this server decodes.");
  const isAsked = row.kind === "picture";
  const isPlayed = probe.kind === "original" && isPlayedAsItCame(heard);
  if (isAsked && (isPlayed || probe.kind === "none")) {
    await storage.videos.remove(row.transcription_id, "picture");
    await changeMaking(db, row, { state: probe.kind, fraction: 1, finished_at: now() });
    return;
  }
  if (probe.kind === "none") throw new VideoError("unreadable", "The recording has no picture.");
  await using folder = await storage.scratchFolder();
  const captions = await writeCaptions(parts, row, { folder: folder.path, aspect: probe.aspect });
  const free = (await storage.freeBytes()) - diskReserve;
  if (free <= 0) throw new VideoError("storageFull", "The disk of this server is full.");
  const undrawn = await convert({
    source: source.path,
    folder: folder.path,
    isPlain: probe.isPlain,
    track: probe.track,
    shiftSeconds: probe.shiftSeconds,
    seconds: probe.seconds,
    captions,
    maxSeconds: parts.maxAudioSeconds,
    maxBytes: Math.min(parts.maxVideoBytes, free),
    signal,
    onProgress,
  });
  await keep(parts, row, { path: join(folder.path, videoName), undrawn });
}

/**
 * Writes the captions that a row requests into a folder, in their current form.
 * @param aspect width of the picture divided by its height
 * @returns the file's fixed name; undefined when no captions are requested
 */
async function writeCaptions(
  { db, threads }: { db: Db; threads: Threads },
  { transcription_id, user_id, content, language }: VideoRow,
  { folder, aspect }: { folder: string; aspect: number },
): Promise<Conversion["captions"]> {
  if (content === null) return undefined;
  const row = await findTranscription(db, user_id, transcription_id);
  if (row === undefined) throw new VideoError("unreadable", "The transcription no longer exists.");
  const { segments } = row;
  const input = { transcription: factsOf(row), segments, content, language: language ?? "en", aspect };
  const script = await threads.run(exportTasks.captions, input, { person: user_id, isPatient: true, size: segments.length });
  await writeFile(join(folder, captionsName), script, { mode: 0o600, flag: "wx" });
  return captionsName;
}

function refusal(error: unknown): never {
  if (error instanceof Problem && error.code === "storageFull") throw new VideoError("storageFull", error.message);
  throw error;
}

function missing(error: unknown): never {
  if (error instanceof AudioError) throw new VideoError("unavailable", error.message);
  throw error;
}

/** Stores the file beside the audio, unless the audio was deleted, or the request canceled, in the meantime. */
async function keep(
  { db, now, storage, quota, log }: MakingParts,
  row: VideoRow,
  { path, undrawn }: { path: string; undrawn: number },
): Promise<void> {
  const { transcription_id: id, kind, user_id } = row;
  const { size } = await stat(path);
  const before = (await storage.videos.file(id, kind))?.size ?? 0;
  // A deletion of the audio changes the row before it deletes the files. A file stored after that is removed here.
  const note = async (t: Db) => {
    if (!(await hasSound(t, id))) return false;
    await noteAudioChange(t, id, size - before);
    return changeMaking(t, row, { state: "ready", fraction: 1, undrawn, problem: null, finished_at: now() });
  };
  try {
    await storage.videos.keep(id, kind, path);
    const isWanted = await quota.within(
      () => user_id,
      () => db.transaction().execute(note),
    );
    if (!isWanted) await storage.videos.remove(id, kind);
  } catch (error) {
    await storage.videos
      .remove(id, kind)
      .catch((failure: unknown) => log.warn("video not removed", { id, ...describeError(failure) }));
    throw isFull(error) ? new VideoError("quotaReached", error.message) : error;
  }
}
