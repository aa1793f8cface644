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
   * Rolls back each transaction of this work that leaves a person with more bytes than before and more than their
   * quota, until the work has ended.
   * @param person the person who calls, asked in each transaction; undefined while nobody is signed in
   * @throws Problem `quotaReached`; `ownerQuotaReached` for another person's bytes (`addOwner`)
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
  /** @param codes those whose bytes the work may write, and the refusal for each */
  const refuseExcess = async <Result>(t: Db, codes: ReadonlyMap<string, ErrorCode>, work: () => Promise<Result>) => {
    const before: { userId: string; code: ErrorCode; bytes: number }[] = [];
    for (const [userId, code] of codes) before.push({ userId, code, bytes: await findUse(t, userId) });
    const result = await work();
    for (const { userId, code, bytes } of before) {
      const after = await findUse(t, userId);
      if (after <= bytes) continue;
      const quota = await quotaOf(t, userId);
      if (quota !== null && after > quota) throw new Problem(code);
    }
    return result;
  };
  return {
    of: async (userId) => ({ usedBytes: await usedBy(userId), quotaBytes: await quotaOf(db, userId) }),
    refuseWhenFull: async (userId, bytes = 1) => {
      const quota = await quotaOf(db, userId);
      if (quota !== null && (await usedBy(userId)) + bytes > quota) throw new Problem("quotaReached");
    },
    within: async (person, work) => {
      if (!hasQuotas) return work();
      const owners = new Map<string, ErrorCode>();
      let hasEnded = false;
      const guard: TransactionGuard = {
        addOwner: (userId) => void owners.set(userId, "ownerQuotaReached"),
        run: (t, transaction) => {
          // What the work has begun and left behind is the server's.
          if (hasEnded) return transaction();
          const own = person();
          const codes = own === undefined ? owners : new Map(owners).set(own, "quotaReached");
          return refuseExcess(t, codes, transaction);
        },
      };
      try {
        return await underGuard(guard, work);
      } finally {
        hasEnded = true;
      }
    },
  };
}
