import { stat } from "node:fs/promises";
import type { StorageUse } from "#contract/index.ts";
import type { Claims } from "#server/common/claims.ts";
import { inTurn, type Locks } from "#server/common/locks.ts";
import { Problem } from "#server/common/problem.ts";
import type { Storage } from "#server/common/storage.ts";
import type { Db } from "#server/db/open.ts";
import { listStored } from "./storage-queries.ts";
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
export interface StorageConfig {
  storageQuotas: { free: number | null; premium: number | null };
}

interface QuotaParts {
  db: Db;
  storage: Pick<Storage, "audioPath" | "livePath">;
  config: StorageConfig;
  locks: Locks;
  claims: Claims;
}

export function createStorageQuota({ db, storage, config, locks, claims }: QuotaParts): StorageQuota {
  const quotaOf = async (userId: string) =>
    (await isUnlimited(db, userId)) ? config.storageQuotas.premium : config.storageQuotas.free;
  const usedBy = async (userId: string) => {
    const { audio, live, bytes } = await listStored(db, userId);
    const paths = [...audio.map(storage.audioPath), ...live.map((id) => `${storage.livePath(id)}.pcm`)];
    return bytes + (await sizeOf(paths));
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

/** Size of a file in bytes; 0 when it is missing. */
async function sizeOf(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < paths.length; from += looksAtOnce) {
    const sizes = await Promise.all(
      paths.slice(from, from + looksAtOnce).map((path) =>
        stat(path).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  return bytes;
}
