import { stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Db } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { askProbe, openingOptions, startTool, whenEnded } from "#server/speech/index.ts";
import { heardTrack, soundKind } from "#server/speech/tracks.ts";
import type { SoundKind, Storage } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { clearAudioSize } from "#server/subscription/storage-queries.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import { Slots } from "#server/threads/slots.ts";
import { hasSound, type TranscriptionRow } from "./queries.ts";

// Browsers play the first of several sound tracks, or the default one. Where the text is of another one, they get an MP4 with that alone.

export const soundType = "audio/mp4";

interface SoundParts {
  db: Db;
  storage: Pick<Storage, "localAudio" | "scratchFolder" | "freeBytes" | "videos">;
  quota: Pick<StorageQuota, "reserve">;
  log: Pick<Log, "warn">;
}

type HeardRow = Pick<TranscriptionRow, "id" | "user_id" | "tracks" | "track">;

/** CPU time, in seconds: an hour of sound takes about one minute of it. */
const cpuSeconds = 60 * 60;
/** Disk space that a copy leaves free, in bytes. */
const diskReserve = 256 * 1024 * 1024;
const fileName = "sound.mp4";

/** Makes the copy. @throws Problem; AudioError; the signal's reason; Error when it can't be made */
export async function makeSound(parts: SoundParts, row: HeardRow, kind: SoundKind, signal: AbortSignal): Promise<void> {
  const { db, storage, quota } = parts;
  const { id } = row;
  await using source = await storage.localAudio(id);
  await using folder = await storage.scratchFolder();
  await copyTrack(source.path, heardTrack(row), {
    folder: folder.path,
    maxBytes: (await storage.freeBytes()) - diskReserve,
    signal,
  });
  const path = join(folder.path, fileName);
  const { size } = await stat(path);
  using room = new DisposableStack();
  room.defer(await quota.reserve(row.user_id, size));
  await storage.videos.keep(id, kind, path);
  // Whoever deletes a sound changes the row before the files: what was written until then goes with them, what came later goes here.
  const isThere = await db.transaction().execute(async (t) => {
    await clearAudioSize(t, id);
    return hasSound(t, id);
  });
  if (!isThere) await storage.videos.remove(id, kind);
}

interface Limits {
  folder: string;
  maxBytes: number;
  signal: AbortSignal;
}

async function copyTrack(source: string, track: number, { folder, maxBytes, signal }: Limits): Promise<void> {
  if (maxBytes <= 0) throw new Error("The disk of this server is full.");
  const sound = (await isAac(source, track, signal))
    ? ["-c:a", "copy"]
    : ["-af", "aresample=async=1:first_pts=0", "-c:a", "aac", "-b:a", "128k", "-ac", "2"];
  const options = [
    ...["-nostdin", "-hide_banner", "-loglevel", "warning", "-filter_threads", "1", ...openingOptions, "-i", `file:${source}`],
    ...["-map", `0:a:${track - 1}`, "-vn", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", ...sound],
    ...["-max_muxing_queue_size", "1024", "-movflags", "+faststart", "-f", "mp4", "-n", `file:${fileName}`],
  ];
  const child = startTool("ffmpeg", options, { cpuSeconds, fileBytes: maxBytes, cwd: folder, signal });
  child.stdout.resume();
  child.stderr.resume();
  const { isMissing } = await whenEnded(child);
  signal.throwIfAborted();
  if (isMissing || child.exitCode !== 0) throw new Error("The sound track can't be copied.");
}

const Codecs = v.object({
  streams: v.array(v.object({ codec_type: v.optional(v.string()), codec_name: v.optional(v.string()) })),
});

/** Whether a track is in the format that every browser plays. */
async function isAac(source: string, track: number, signal: AbortSignal): Promise<boolean> {
  const { output } = await askProbe(`file:${source}`, "stream=codec_type,codec_name", signal);
  const probed = v.safeParse(v.pipe(v.string(), v.parseJson(), Codecs), output);
  const sounds = probed.success ? probed.output.streams.filter(({ codec_type }) => codec_type === "audio") : [];
  return sounds[track - 1]?.codec_name === "aac";
}

/** Gives the sound that belongs to a text, for browsers. */
export interface HeardSound {
  /** The copy, which is made when it is not there; undefined: the recording itself is to be played. */
  file(row: HeardRow): Promise<{ file: StoredFile; kind: SoundKind } | undefined>;
  /** Stops what is under way. */
  close(): Promise<void>;
}

/** Copies at once; failures that are remembered. */
const atOnce = 2;
const maxFailures = 1_000;

/** The job that makes the text makes the copy, too; what a backup has not brought back is made here. */
export function createHeardSound(parts: SoundParts): HeardSound {
  const { storage, log } = parts;
  const closing = new AbortController();
  const slots = new Slots(atOnce);
  const underWay = new Map<string, Promise<void>>();
  const failed = new Set<string>();
  const make = async (row: HeardRow, kind: SoundKind) => {
    const key = `${row.id}/${kind}`;
    if (closing.signal.aborted || failed.has(key)) return;
    const making =
      underWay.get(key) ??
      slots
        .run(closing.signal, () => makeSound(parts, row, kind, closing.signal))
        .catch((error: unknown) => {
          if (closing.signal.aborted) return;
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
