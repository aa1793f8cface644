import type { Db } from "#server/db/open.ts";
import { findConfirmedAt } from "./queries.ts";

/** How long a fresh sign-in at the provider counts as a confirmation, in milliseconds. */
export const confirmationMs = 5 * 60_000;

/** Until when a session counts as confirmed at the provider, epoch ms; null when it does not. */
export async function confirmedUntil({ db, now }: { db: Db; now: () => number }, sessionId: string): Promise<number | null> {
  const until = ((await findConfirmedAt(db, sessionId)) ?? Number.NEGATIVE_INFINITY) + confirmationMs;
  return until > now() ? until : null;
}
