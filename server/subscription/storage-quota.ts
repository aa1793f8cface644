import type { ErrorCode, StorageUse } from "#contract/index.ts";
import { type TransactionGuard, underGuard } from "#server/db/guard.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { type MeasureParts, measureStored } from "./measure.ts";
import { findUse } from "./storage-queries.ts";
import { isUnlimited } from "./usage.ts";

export const isFull = (error: unknown): error is Problem => error instanceof Problem && error.code === "quotaReached";

/** Storage quota per person, the vault included. */
export interface StorageQuota {
  of(userId: string): Promise<StorageUse>;
  /**
   * Asks before something long is begun; what it stores is asked for again.
   * @param bytes that are to come
   * @throws Problem `quotaReached` when they have no room
   */
  refuseWhenFull(userId: string, bytes?: number): Promise<void>;
  /**
   * Until this work has ended, each of its transactions that leaves more of this person than before, and more than the quota, is rolled
   * back with the Problem `quotaReached`, or `ownerQuotaReached` where it is somebody else's. What leaves less or the same is always allowed.
   * @param person asked in each transaction; undefined while nobody is signed in
   */
  within<Result>(person: () => string | undefined, work: () => Promise<Result>): Promise<Result>;
}

/** The quota in bytes; null: unlimited. */
interface StorageConfig {
  storageQuotas: { free: number | null; premium: number | null };
}

interface QuotaParts extends MeasureParts {
  config: StorageConfig;
}

export function createStorageQuota(parts: QuotaParts): StorageQuota {
  const { db, config } = parts;
  const quotaOf = async (t: Db, userId: string) =>
    (await isUnlimited(t, userId)) ? config.storageQuotas.premium : config.storageQuotas.free;
  const hasQuotas = config.storageQuotas.free !== null || config.storageQuotas.premium !== null;
  const usedBy = async (userId: string) => {
    await measureStored(parts, userId);
    return findUse(db, userId);
  };
  /** @param people those whose bytes the work may write, and what it is refused with */
  const guardOf = (people: () => ReadonlyMap<string, ErrorCode>, alsoOf: (userId: string) => void): TransactionGuard => ({
    alsoOf,
    run: async (t, work) => {
      const before: { userId: string; code: ErrorCode; bytes: number }[] = [];
      for (const [userId, code] of people()) before.push({ userId, code, bytes: await findUse(t, userId) });
      const result = await work();
      for (const { userId, code, bytes } of before) {
        const after = await findUse(t, userId);
        if (after <= bytes) continue;
        const quota = await quotaOf(t, userId);
        if (quota !== null && after > quota) throw new Problem(code);
      }
      return result;
    },
  });
  return {
    of: async (userId) => ({ usedBytes: await usedBy(userId), quotaBytes: await quotaOf(db, userId) }),
    refuseWhenFull: async (userId, bytes = 1) => {
      const quota = await quotaOf(db, userId);
      if (quota !== null && (await usedBy(userId)) + bytes > quota) throw new Problem("quotaReached");
    },
    within: async (person, work) => {
      if (!hasQuotas) return work();
      const others = new Set<string>();
      let isOver = false;
      // What the work has begun, and goes on by itself, is the server's.
      const people = () => {
        const found = new Map<string, ErrorCode>();
        for (const userId of others) found.set(userId, "ownerQuotaReached");
        const own = person();
        if (own !== undefined) found.set(own, "quotaReached");
        return isOver ? new Map<string, ErrorCode>() : found;
      };
      const guard = guardOf(people, (userId) => void others.add(userId));
      try {
        return await underGuard(guard, work);
      } finally {
        isOver = true;
      }
    },
  };
}
