import type { StorageUse } from "#contract/index.ts";
import type { Claims } from "#server/cluster/claims.ts";
import { inTurn, type Locks } from "#server/cluster/locks.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { soundKind } from "#server/speech/tracks.ts";
import type { Storage } from "#server/storage/storage.ts";
import { fileAt } from "#server/storage/stored-file.ts";
import { keepAudioSize, listStored, type StoredAudio } from "./storage-queries.ts";
import { isUnlimited } from "./usage.ts";

/** Files that are measured concurrently. */
const looksAtOnce = 32;

/** Storage quota per person, the vault included. */
export interface StorageQuota {
  of(userId: string): Promise<StorageUse>;
  /** @throws Problem `quotaReached` when the quota is exhausted */
  refuseWhenFull(userId: string): Promise<void>;
  /**
   * Reserves storage, so that of two concurrent files that fit only alone, one is accepted.
   * @param bytes to reserve
   * @returns releases the reservation: call it when the data is stored, or the upload has failed
   * @throws Problem `quotaReached`
   */
  reserve(userId: string, bytes: number): Promise<() => void>;
}

/** The quota in bytes; null: unlimited. */
interface StorageConfig {
  storageQuotas: { free: number | null; premium: number | null };
}

interface QuotaParts {
  db: Db;
  storage: Pick<Storage, "bucket" | "audio" | "peaks" | "videos" | "livePath" | "liveBlocks">;
  config: StorageConfig;
  locks: Locks;
  claims: Claims;
}

export function createStorageQuota({ db, storage, config, locks, claims }: QuotaParts): StorageQuota {
  const quotaOf = async (userId: string) =>
    (await isUnlimited(db, userId)) ? config.storageQuotas.premium : config.storageQuotas.free;
  /** A bucket is asked for the size of an audio, with what is made of it, once: the database remembers it, until the audio changes. */
  const audioOf = async (one: StoredAudio): Promise<Sized> => {
    const kind = soundKind(one);
    const [file, peaks, picture, captioned, sound] = await Promise.all([
      storage.audio(one.id),
      storage.peaks.size(one.id),
      storage.videos.file(one.id, "picture"),
      storage.videos.file(one.id, "captioned"),
      kind && storage.videos.file(one.id, kind),
    ]);
    if (file === undefined) return undefined;
    const size = file.size + peaks + (picture?.size ?? 0) + (captioned?.size ?? 0) + (sound?.size ?? 0);
    if (storage.bucket !== undefined) await keepAudioSize(db, one, size);
    return { size };
  };
  const usedBy = async (userId: string) => {
    const { audio, live, bytes } = await listStored(db, userId);
    const stored = [...audio.map((one) => () => audioOf(one)), ...live.map((id) => () => liveAudio(storage, id))];
    return bytes + (await sizeOf(stored));
  };
  const reserve = async (userId: string, bytes: number) => {
    const quota = await quotaOf(userId);
    if (quota === null) return () => {};
    const key = `storage/${userId}`;
    // While what is stored is counted, no reservation becomes what is stored: it would be in neither number.
    const giveBack = await inTurn(locks, key, async () => claims.take(key, bytes, quota - (await usedBy(userId))));
    if (giveBack === undefined) throw new Problem("quotaReached");
    return () => void inTurn(locks, key, giveBack);
  };
  return {
    of: async (userId) => ({ usedBytes: await usedBy(userId), quotaBytes: await quotaOf(userId) }),
    // One byte: only checks the quota, without a reservation.
    refuseWhenFull: async (userId) => (await reserve(userId, 1))(),
    reserve,
  };
}

type Sized = { size: number } | undefined;

/** What a dictation has so far. */
async function liveAudio(storage: Pick<Storage, "livePath" | "liveBlocks">, id: string): Promise<Sized> {
  const blocks = storage.liveBlocks(id);
  return blocks === undefined ? fileAt(`${storage.livePath(id)}.pcm`) : { size: await blocks.size() };
}

/** Of files together, in bytes; 0 for one that is missing. */
async function sizeOf(files: readonly (() => Promise<Sized>)[]): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < files.length; from += looksAtOnce) {
    const found = await Promise.all(files.slice(from, from + looksAtOnce).map((file) => file()));
    bytes += found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  }
  return bytes;
}
