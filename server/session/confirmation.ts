import type { DbParts } from "#server/db/open.ts";
import { findConfirmedAt } from "./queries.ts";

/** How long a fresh sign-in at the provider confirms a session, in milliseconds. */
export const confirmationMs = 5 * 60_000;

/** Until when a session is confirmed by its provider, epoch ms; null when it is not. */
export async function confirmedUntil({ db, now }: DbParts, sessionId: string): Promise<number | null> {
  const until = ((await findConfirmedAt(db, sessionId)) ?? Number.NEGATIVE_INFINITY) + confirmationMs;
  return until > now() ? until : null;
}
