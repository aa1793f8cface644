import type { Bus } from "#server/bus/bus.ts";
import type { Db } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { findLiving } from "./queries.ts";

/** How long it may take to notice that another process has ended a session, should the bus not say it (milliseconds). */
const recheckMs = 3_000;
/** Ids per query: SQLite takes 32,766 parameters, other databases fewer. */
const maxIds = 500;

/** Long-lived connections of a session or a personal access token: event streams, sockets, the account export. */
export interface OpenConnections {
  /**
   * Registers a connection to be closed with its session, or its personal access token.
   * @param sessionId the id of either
   * @param close called once, when the session has ended
   * @returns unregisters it, once it has closed by itself
   */
  add(sessionId: string, close: () => void): () => void;
  /** Closes the connections of ended sessions at once: to be called after anything that may have ended one. */
  recheck(): Promise<void>;
  close(): void;
}

/** Asks the database for ended sessions when the bus says so and at intervals: it does not matter which process ended them. */
export function openConnections({ db, log, bus }: { db: Db; log: Log; bus: Bus }, everyMs = recheckMs): OpenConnections {
  const bySession = new Map<string, Set<() => void>>();
  const closeEnded = async (ids: readonly string[]) => {
    try {
      for (let from = 0; from < ids.length; from += maxIds) {
        const asked = ids.slice(from, from + maxIds);
        const alive = await findLiving(db, asked);
        for (const id of asked) if (!alive.has(id)) closeAll(id);
      }
    } catch (error) {
      // The next poll tries again; the session itself has ended.
      log.error("open connections", describeError(error));
    }
  };
  const closeAll = (sessionId: string) => {
    const closers = bySession.get(sessionId) ?? [];
    bySession.delete(sessionId);
    for (const close of closers) close();
  };
  let checking = Promise.resolve();
  const check = () => {
    checking = closeEnded([...bySession.keys()]);
  };
  const timer = setInterval(check, everyMs);
  const stopListening = bus.subscribe("sessions.ended", check);
  return {
    add: (sessionId, close) => {
      const closers = bySession.get(sessionId) ?? new Set();
      bySession.set(sessionId, closers.add(close));
      // The session may have ended since its token was checked.
      void closeEnded([sessionId]);
      return () => {
        closers.delete(close);
        if (closers.size === 0 && bySession.get(sessionId) === closers) bySession.delete(sessionId);
      };
    },
    recheck: () => {
      // This process's own listener has begun when this returns.
      bus.publish("sessions.ended");
      return checking;
    },
    close: () => {
      stopListening();
      clearInterval(timer);
    },
  };
}
