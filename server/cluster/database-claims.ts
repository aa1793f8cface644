import { createHash, randomUUID } from "node:crypto";
import type { DbParts } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Claims } from "./claims.ts";
import { deleteClaim, deleteProcess, deleteProcessesSeenBy, insertClaim, markProcess } from "./queries.ts";

/** The ms between a process's signs of life, and the silence after which its claims are void. */
const [beatMs, deadMs] = [5_000, 20_000];
/** Its row stays longer, in ms: a process that was only slow keeps its claims. */
const forgottenMs = 10 * 60_000;

interface Parts extends DbParts {
  log: Log;
}

/**
 * The claims of an installation of several processes, in the database. A killed process's claims are void after 20
 * seconds.
 */
export async function openDatabaseClaims({ db, now, log }: Parts): Promise<Claims> {
  const process = randomUUID();
  /** Given back while the database did not answer. */
  const owed = new Set<string>();
  const giveBack = async (id: string) => {
    owed.add(id);
    await deleteClaim(db, id);
    owed.delete(id);
  };
  const beat = async () => {
    try {
      await markProcess(db, process, now());
      for (const id of owed) await giveBack(id);
      await deleteProcessesSeenBy(db, now() - forgottenMs);
    } catch (error) {
      log.warn("claim not renewed", describeError(error));
    }
  };
  await markProcess(db, process, now());
  const timer = setInterval(() => void beat(), beatMs);
  return {
    take: async (key, amount, limit) => {
      const id = randomUUID();
      const claim = { id, key: hashOf(key), process, amount };
      if (!(await insertClaim(db, claim, { limit, seenSince: now() - deadMs }))) return undefined;
      return () => giveBack(id).catch((error: unknown) => log.warn("claim not released", describeError(error)));
    },
    close: async () => {
      clearInterval(timer);
      await deleteProcess(db, process);
    },
  };
}

/** Keys may hold addresses of people: only a hash is stored. */
function hashOf(key: string): string {
  return createHash("sha256").update(`parlance claim\0${key}`).digest("hex");
}
