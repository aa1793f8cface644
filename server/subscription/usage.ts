import { freeMinutes, type Usage } from "#contract/index.ts";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { pcmRate } from "#server/speech/index.ts";
import { isSuperuser } from "#server/users/queries.ts";
import { findSubscription, isPremiumStatus } from "./queries.ts";
import { type CountedWork, countUsage, isCounted, sumUsage } from "./usage-queries.ts";

const samplesPerMinute = 60 * pcmRate;
const freeSamples = freeMinutes * samplesPerMinute;

/**
 * The minutes of audio that people use, by the audio's real length, in calendar months (UTC) of the time at which the work was
 * accepted: a file when it came, what is dictated while it comes. The same work counts once, however often it is told of. Who pays, and superusers, are counted too, but have no limit.
 */
export interface UsageMeter {
  /** What this person has used in the month that it is now. */
  of(userId: string): Promise<Usage>;
  /** Call it where new work begins. @throws Problem `limitReached` when the free minutes of this month are used up */
  refuseAtLimit(userId: string): Promise<void>;
  /** Refuses work whose length is known already. @param seconds null: not known @throws Problem `limitReached` */
  refuseOver(userId: string, seconds: number | null): Promise<void>;
  /** Most that this work may be long, in samples (16 kHz): what is left of the free minutes. What is counted already may be finished. */
  allowance(work: Pick<CountedWork, "userId" | "source">): Promise<number>;
  /** Counts work that has begun, and again as it grows; nothing is refused. */
  add(work: CountedWork): Promise<void>;
  /** Counts as `add` does. @returns the samples that are left of this month: 0 or less at the limit, Infinity without one */
  spend(work: CountedWork): Promise<number>;
  /** Counts work that is about to begin. @throws Problem `limitReached` when it is longer than what is left of the free minutes */
  admit(work: CountedWork): Promise<void>;
}

/** @param now epoch milliseconds */
export function createUsage(db: Db, now: () => number): UsageMeter {
  const left = async (t: Db, userId: string) =>
    (await isUnlimited(t, userId)) ? Number.POSITIVE_INFINITY : freeSamples - (await sumUsage(t, userId, now()));
  const refuseOver = async (userId: string, seconds: number | null) => {
    const free = await left(db, userId);
    if (free <= 0 || (seconds !== null && Math.round(seconds * pcmRate) > free)) throw new Problem("limitReached");
  };
  return {
    of: async (userId) => {
      const at = new Date(now());
      return {
        usedTranslationMinutes: (await sumUsage(db, userId, now())) / samplesPerMinute,
        limitMinutes: (await isUnlimited(db, userId)) ? null : freeMinutes,
        resetsAt: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString(),
      };
    },
    refuseAtLimit: (userId) => refuseOver(userId, null),
    refuseOver,
    allowance: async ({ userId, source }) =>
      (await isCounted(db, userId, source)) ? Number.POSITIVE_INFINITY : left(db, userId),
    add: (work) => countUsage(db, work),
    spend: (work) =>
      inTransaction(db, async (t) => {
        await countUsage(t, work);
        return left(t, work.userId);
      }),
    // In a transaction: of two files that would each still fit, one alone does.
    admit: (work) =>
      inTransaction(db, async (t) => {
        const known = await isCounted(t, work.userId, work.source);
        if (!known && work.samples > (await left(t, work.userId))) throw new Problem("limitReached");
        await countUsage(t, work);
      }),
  };
}

/** What a transcription's audio is counted under: dictated audio as its recording, which was counted while it came. */
export function sourceOf({ id, recording_id }: { id: string; recording_id: string | null }): string {
  return recording_id === null ? `transcription:${id}` : recordingSource(recording_id);
}

/** @param recordingId the page's name for a live recording */
export function recordingSource(recordingId: string): string {
  return `recording:${recordingId}`;
}

/** Whether somebody has no limit: who pays, and superusers. */
export async function isUnlimited(db: Db, userId: string): Promise<boolean> {
  if (await isSuperuser(db, userId)) return true;
  const subscription = await findSubscription(db, userId);
  return isPremiumStatus(subscription?.status);
}
