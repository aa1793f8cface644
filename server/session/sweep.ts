import { signInDays } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { deleteExpiredPendingLinks } from "./identity-queries.ts";
import { deleteExpiredPendingSignIns } from "./pending-sign-in-queries.ts";
import { deleteExpiredReturnCodes, deleteSessionsEndedBy, revokeSessionsBegunBy } from "./queries.ts";
import { deleteExpiredRefreshTokens } from "./refresh-token-queries.ts";
import { deleteSignInsBy } from "./sign-in-queries.ts";
import { deleteExpiredAttempts } from "./throttle-queries.ts";

const dayMs = 24 * 60 * 60 * 1000;

interface Parts extends DbParts {
  config: { sessionDays: number };
}

/** Also ends sessions that have reached their maximum age, and with them all of their tokens. */
export async function deleteExpiredSessions({ db, now, config }: Parts): Promise<void> {
  await revokeSessionsBegunBy(db, now() - config.sessionDays * dayMs, now());
  await deleteExpiredAttempts(db, now());
  await deleteExpiredPendingLinks(db, now());
  await deleteExpiredPendingSignIns(db, now());
  await deleteExpiredRefreshTokens(db, now());
  await deleteExpiredReturnCodes(db, now());
  await deleteSignInsBy(db, now() - signInDays * dayMs);
  await deleteSessionsEndedBy(db, now() - dayMs);
}
