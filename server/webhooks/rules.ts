import type { PauseReason } from "#contract/index.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Waits after failed attempts (milliseconds): those that Standard Webhooks proposes, without the last. Nine attempts in two days and three
 * hours.
 */
const retryMs: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour];

/** So long nothing may arrive, and so often, before a webhook is paused: a server that is restarted or mended is waited for. */
const failingMs = 24 * hour;
const failuresToPause = 10;

/** Messages that wait for one webhook at most: what comes then is not noted. */
export const maxWaiting = 1000;

/** What became of an attempt. */
export interface Outcome {
  /** HTTP status; null: there was no answer. */
  status: number | null;
  /** Its first characters. */
  answer: string;
  error: "urlRefused" | "urlUnreachable" | "urlTimeout" | null;
}

export const isDelivered = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;

/**
 * The wait before the next attempt (milliseconds); undefined: there is none.
 * @param attempts that were made
 */
export const waitAfter = (attempts: number): number | undefined => retryMs[attempts - 1];

/**
 * Whether a failed attempt is the one after which nothing more is sent, and why.
 * @param failures in a row, this one counted @param since when the first of them was, epoch ms @param now epoch ms
 */
export function pauseAfter(
  { status }: Outcome,
  { failures, since, now }: { failures: number; since: number; now: number },
): Exclude<PauseReason, "owner"> | undefined {
  // What the standard has a receiver answer that wants nothing any more.
  if (status === 410) return "gone";
  return failures >= failuresToPause && now - since >= failingMs ? "failing" : undefined;
}
