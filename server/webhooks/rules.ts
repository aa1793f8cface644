import type { PauseReason } from "#contract/index.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Waits after failed attempts (milliseconds), as proposed by Standard Webhooks, without the last one. This makes nine
 * attempts in two days and three hours.
 */
const retryMs: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour];

/**
 * A webhook is paused after failing for at least this long, and this often: a server that is restarted or repaired has
 * time to recover.
 */
const failingMs = 24 * hour;
const failuresToPause = 10;

/** Most messages that wait for one webhook; further ones are dropped. */
export const maxWaiting = 1000;

/** The outcome of an attempt. */
export interface Outcome {
  /** HTTP status; null without a response. */
  status: number | null;
  /** First characters of the response. */
  answer: string;
  error: "urlRefused" | "urlUnreachable" | "urlTimeout" | null;
}

export const isDelivered = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;

/**
 * The wait before the next attempt (milliseconds); undefined when there is none.
 * @param attempts number of attempts made
 */
export const waitAfter = (attempts: number): number | undefined => retryMs[attempts - 1];

/**
 * The reason to pause the webhook after a failed attempt; undefined to continue.
 * @param failures consecutive failures, including this one
 * @param since time of the first of them, epoch ms
 * @param now epoch ms
 */
export function pauseAfter(
  { status }: Outcome,
  { failures, since, now }: { failures: number; since: number; now: number },
): Exclude<PauseReason, "owner"> | undefined {
  // The standard's answer of a receiver that wants no more messages.
  if (status === 410) return "gone";
  return failures >= failuresToPause && now - since >= failingMs ? "failing" : undefined;
}
