import { describeError, type Log } from "#server/common/log.ts";
import type { Db } from "#server/db/open.ts";
import { findLivingSessions } from "./queries.ts";

/** The longest time for which it goes unnoticed that another process has ended a session (milliseconds). */
const recheckMs = 3_000;
/** Ids in one query: SQLite takes 32,766 parameters, others fewer. */
const maxIds = 500;

/** What lasts longer than a request and belongs to a session: event streams, sockets, the download of everything. */
export interface OpenConnections {
  /**
   * Closes with the session that it belongs to.
   * @param close called once, when the session has ended
   * @returns takes it out of the list, once it has ended by itself
   */
  add(sessionId: string, close: () => void): () => void;
  /** Closes at once what belongs to sessions that have ended: to be called after whatever may have ended one. */
  recheck(): Promise<void>;
  close(): void;
}

/** The database says which sessions are alive, so an ending counts whichever process it happened in. */
export function openConnections({ db, log }: { db: Db; log: Log }, everyMs = recheckMs): OpenConnections {
  const bySession = new Map<string, Set<() => void>>();
  const closeEnded = async (ids: readonly string[]) => {
    try {
      for (let from = 0; from < ids.length; from += maxIds) {
        const asked = ids.slice(from, from + maxIds);
        const alive = await findLivingSessions(db, asked);
        for (const id of asked) if (!alive.has(id)) closeAll(id);
      }
    } catch (error) {
      // It is asked again in a moment; the ending itself is done.
      log.error("open connections", describeError(error));
    }
  };
  const closeAll = (sessionId: string) => {
    const closers = bySession.get(sessionId) ?? [];
    bySession.delete(sessionId);
    for (const close of closers) close();
  };
  const timer = setInterval(() => void closeEnded([...bySession.keys()]), everyMs);
  return {
    add: (sessionId, close) => {
      const closers = bySession.get(sessionId) ?? new Set();
      bySession.set(sessionId, closers.add(close));
      // The session may have ended between the look at its token and now.
      void closeEnded([sessionId]);
      return () => {
        closers.delete(close);
        if (closers.size === 0 && bySession.get(sessionId) === closers) bySession.delete(sessionId);
      };
    },
    recheck: () => closeEnded([...bySession.keys()]),
    close: () => clearInterval(timer),
  };
}
