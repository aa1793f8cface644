import { stat } from "node:fs/promises";
import type { StorageUse } from "#contract/index.ts";
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

type QuotaParts = { db: Db; storage: Pick<Storage, "audioPath" | "livePath">; config: StorageConfig };

export function createStorageQuota({ db, storage, config }: QuotaParts): StorageQuota {
  /** Reserved bytes by person; in this process. */
  const reserved = new Map<string, number>();
  let givenBack = 0;
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
    let [used, seen] = [0, -1];
    // Data stored during the count is in neither number: count again.
    while (seen !== givenBack) {
      seen = givenBack;
      used = await usedBy(userId);
    }
    const before = reserved.get(userId) ?? 0;
    if (used + before + bytes > quota) throw new Problem("quotaReached");
    reserved.set(userId, before + bytes);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      givenBack += 1;
      const left = (reserved.get(userId) ?? 0) - bytes;
      if (left <= 0) reserved.delete(userId);
      else reserved.set(userId, left);
    };
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
