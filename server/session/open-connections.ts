import type { Bus } from "#server/bus/bus.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { problemOf } from "#server/http/problem-of.ts";
import type { OpenOnRights, Right } from "#server/http/while-allowed.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { findLiving } from "./queries.ts";

/** Longest time that a connection outlives its right when the bus sends nothing (milliseconds). */
const recheckMs = 2_000;
/** A right that can't be checked for this long counts as ended (milliseconds): the database may be away briefly. */
const lateMs = 10_000;
/** Ids per query: SQLite takes 32,766 parameters, other databases fewer. */
const maxIds = 500;

/** Everything that is open on a user's rights: requests, responses, event streams, sockets. */
export interface OpenConnections extends OpenOnRights {
  /** Closes what is open on ended rights. Call it after anything that may have ended a right. */
  recheck(): Promise<void>;
  close(): Promise<void>;
}

interface Parts extends DbParts {
  log: Log;
  bus: Bus;
}

interface Open {
  rightOf: () => Right | undefined;
  end: (reason: Problem) => void;
  /** Since when the right can't be checked (ms of `performance.now`). */
  unknownSince?: number | undefined;
}

/**
 * Checks rights when the bus says so, and at intervals: another process may have ended a right, or it may have expired.
 */
export function openConnections({ db, log, bus, now }: Parts, everyMs = recheckMs): OpenConnections {
  const open = new Set<Open>();

  /** @throws Problem for a right that has ended */
  const ask = async ({ sessionId, questions }: Right, living: Promise<Set<string>>) => {
    if (sessionId !== undefined && !(await living).has(sessionId)) throw new Problem("unauthorized");
    for (const question of questions) await question();
  };
  const askAll = async () => {
    const asked = [...open].flatMap((one) => {
      const right = one.rightOf();
      return right === undefined ? [] : [{ one, right }];
    });
    if (asked.length === 0) return;
    const living = livingOf(asked.flatMap(({ right: { sessionId } }) => sessionId ?? []));
    const begun = performance.now();
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const timer = setTimeout(() => late.reject(new Error("Checking an access right took too long.")), lateMs);
    let fault: unknown;
    const endIfEnded = async ({ one, right }: { one: Open; right: Right }) => {
      try {
        await Promise.race([ask(right, living), late.promise]);
        one.unknownSince = undefined;
      } catch (error) {
        if (!(error instanceof Problem)) {
          fault = error;
          one.unknownSince ??= begun;
          if (performance.now() - one.unknownSince < lateMs) return;
        }
        if (open.delete(one)) one.end(problemOf(error));
      }
    };
    await Promise.all(asked.map(endIfEnded));
    clearTimeout(timer);
    if (fault !== undefined) log.error("open connections not checked", describeError(fault));
  };
  const livingOf = async (ids: readonly string[]) => {
    const distinct = [...new Set(ids)];
    const living = new Set<string>();
    for (let from = 0; from < distinct.length; from += maxIds)
      for (const id of await findLiving(db, distinct.slice(from, from + maxIds), now())) living.add(id);
    return living;
  };

  let asking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /** If a check is in progress, another one follows it, because the first may have read the rights too early. */
  const check = (): Promise<void> => {
    if (asking === undefined) {
      asking = askAll()
        .catch((error: unknown) => log.error("open connections not checked", describeError(error)))
        .finally(() => {
          asking = undefined;
        });
      return asking;
    }
    next ??= asking.then(() => {
      next = undefined;
      return check();
    });
    return next;
  };
  const timer = setInterval(() => void check(), everyMs);
  let latest = Promise.resolve();
  const stopListening = bus.subscribe("rights.ended", () => {
    latest = check();
  });
  return {
    add: (rightOf, end) => {
      const one: Open = { rightOf, end };
      open.add(one);
      return () => void open.delete(one);
    },
    recheck: () => {
      // `publish` calls this process's own listener before it returns, so `latest` is the new check.
      bus.publish("rights.ended");
      return latest;
    },
    close: async () => {
      stopListening();
      clearInterval(timer);
      await (next ?? asking);
    },
  };
}
