import { freeMinutes, resetAfter, type Usage } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { Problem } from "#server/errors/problem.ts";
import { isSuperuser } from "#server/users/queries.ts";
import { pcmRate } from "#speech/bytes.ts";
import { findSubscription, isPremiumStatus } from "./queries.ts";
import { type CountedWork, countUsage, isCounted, sumUsage } from "./usage-queries.ts";

const samplesPerMinute = 60 * pcmRate;
const freeSamples = freeMinutes * samplesPerMinute;

/**
 * Minutes of speech per user, in calendar months (UTC) of the time at which the work was accepted: a file on arrival,
 * dictation while it streams. Silence is free: a file counts with its full length only until its words are known
 * (processing/run.ts), and a dictation counts only the voice in it (dictation/live-session.ts). Nothing that a page
 * claims is counted, and no correction changes the count. The same work counts once. Paying users and superusers have
 * no limit.
 */
export interface UsageMeter {
  of(userId: string): Promise<Usage>;
  /** Call it when new work starts. @throws Problem `limitReached` when this month's free minutes are used up */
  refuseAtLimit(userId: string): Promise<void>;
  /** Rejects work of known duration. @param seconds null: unknown @throws Problem `limitReached` */
  refuseOver(userId: string, seconds: number | null): Promise<void>;
  /** Maximum length of this work, in samples (16 kHz): the remaining free minutes. Work already counted may finish. */
  allowance(work: Pick<CountedWork, "userId" | "source">): Promise<number>;
  /** Counts running work and its growth; never rejects it. */
  add(work: CountedWork): Promise<void>;
  /** Counts like `add`. @returns the samples left in this month: 0 or less at the limit, Infinity without one */
  spend(work: CountedWork): Promise<number>;
  /** Counts work before it starts. @throws Problem `limitReached` when it exceeds the remaining free minutes */
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
      return {
        usedTranslationMinutes: (await sumUsage(db, userId, now())) / samplesPerMinute,
        limitMinutes: (await isUnlimited(db, userId)) ? null : freeMinutes,
        resetsAt: resetAfter(now()),
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
    // In a transaction: of two concurrent files that would each fit alone, only one is accepted.
    admit: (work) =>
      inTransaction(db, async (t) => {
        const known = await isCounted(t, work.userId, work.source);
        if (!known && work.samples > (await left(t, work.userId))) throw new Problem("limitReached");
        await countUsage(t, work);
      }),
  };
}

/**
 * The key of a transcription's audio. For a dictation, the key of its recording, which was counted while it streamed.
 * The server makes every id in a key, so a client id that is reused after erasing everything counts again.
 */
export function sourceOf({ id, recording_id }: { id: string; recording_id: string | null }): string {
  return recording_id === null ? `transcription:${id}` : recordingSource({ id: recording_id });
}

/**
 * The key of a job's audio. Another sound track than that of the transcription is different speech, and counts each
 * time it is requested.
 */
export function jobSource(
  row: { id: string; recording_id: string | null },
  job: { track: number | null; created_at: number },
): string {
  return job.track === null ? sourceOf(row) : `${sourceOf(row)}:track:${job.track}:${job.created_at}`;
}

/** The key of a live recording. */
export function recordingSource({ id }: { id: string }): string {
  return `recording:${id}`;
}

/** Whether a user has no limit: paying users and superusers. */
export async function isUnlimited(db: Db, userId: string): Promise<boolean> {
  if (await isSuperuser(db, userId)) return true;
  const subscription = await findSubscription(db, userId);
  return isPremiumStatus(subscription?.status);
}
