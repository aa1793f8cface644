import type { ErrorCode, StorageUse } from "#contract/index.ts";
import { type TransactionGuard, underGuard } from "#server/db/guard.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { type MeasureParts, measureStored } from "./measure.ts";
import { findUse } from "./storage-queries.ts";
import { isUnlimited } from "./usage.ts";

export const isFull = (error: unknown): error is Problem => error instanceof Problem && error.code === "quotaReached";

/** Storage quota per user, including the vault. */
export interface StorageQuota {
  of(userId: string): Promise<StorageUse>;
  /**
   * Checks the quota before something long begins; it is checked again when the result is stored.
   * @param bytes expected
   * @throws Problem `quotaReached` when there is no room
   */
  refuseWhenFull(userId: string, bytes?: number): Promise<void>;
  /**
   * Rolls back each transaction of this work that increases a user's bytes beyond the quota, until the work has ended.
   * @param person the calling user, read in each transaction; undefined while nobody is signed in
   * @throws Problem `quotaReached`; `ownerQuotaReached` for another user's bytes (`addOwner`)
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
  /** @param codes the users whose bytes the work may increase, with the refusal for each */
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
          // Transactions that the work leaves running after its end count as the server's own.
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
