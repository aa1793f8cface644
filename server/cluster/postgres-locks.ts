import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createLocalLocks, type Locks } from "./locks.ts";
import type { PostgresBus } from "./postgres-bus.ts";

/** The ms between attempts to get a lock of another process, which may have been killed. */
const retryMs = 1_000;
/** The ms between checks that the connection with the locks is still the same. */
const checkMs = 250;

/**
 * Advisory locks of PostgreSQL, on the bus's connection: the locks of a killed process are free at once. They should be
 * few and short: each takes a place in the server's lock table.
 */
export function createPostgresLocks(bus: PostgresBus): Locks {
  const { session } = bus;
  // PostgreSQL lets the same connection take a lock twice: within the process, these decide.
  const local = createLocalLocks();
  const waiting = new Map<string, Set<() => void>>();
  const held = new Map<string, { number: number; lost: () => void }>();
  const wake = (name: string | undefined) => {
    const names = name === undefined ? [...waiting.keys()] : [name];
    for (const one of names) for (const goOn of waiting.get(one) ?? []) goOn();
  };
  const stops = [
    bus.subscribe("locks.released", wake),
    bus.subscribe("locks.wanted", (name) => {
      for (const one of name === undefined ? held.keys() : [name]) local.want(one);
    }),
  ];
  const checks = setInterval(() => {
    for (const [name, { number, lost }] of held) {
      if (session.number === number || session.number === 0) continue;
      held.delete(name);
      lost();
    }
  }, checkMs);

  /** Resolves when the lock may be free. */
  const untilReleased = async (name: string) => {
    const goOn = Promise.withResolvers<void>();
    waiting.set(name, (waiting.get(name) ?? new Set()).add(goOn.resolve));
    await Promise.race([goOn.promise, delay(retryMs, undefined, { ref: false })]);
    waiting.get(name)?.delete(goOn.resolve);
    if (waiting.get(name)?.size === 0) waiting.delete(name);
  };
  const release = async (name: string, number: number) => {
    held.delete(name);
    // A lost connection has released it already; a new one has never had it.
    if (session.number === number) await session.query("select pg_advisory_unlock($1)", [keyOf(name)]).catch(() => undefined);
    bus.publish("locks.released", name);
  };
  return {
    take: async (wantedName, { signal, wanted, lost = () => {} } = {}) => {
      const name = hashOf(wantedName);
      const releaseLocal = await local.take(name, { ...(signal && { signal }), ...(wanted && { wanted }) });
      try {
        for (let tries = 0; ; tries += 1) {
          signal?.throwIfAborted();
          const { number } = session;
          if (number > 0 && (await tryLock(session, name))) {
            held.set(name, { number, lost });
            let isReleased = false;
            return async () => {
              if (isReleased) return;
              isReleased = true;
              await release(name, number);
              await releaseLocal();
            };
          }
          if (tries === 0) bus.publish("locks.wanted", name);
          await untilReleased(name);
        }
      } catch (error) {
        await releaseLocal();
        throw error;
      }
    },
    close: async () => {
      clearInterval(checks);
      for (const stop of stops) stop();
    },
  };
}

async function tryLock(session: PostgresBus["session"], name: string): Promise<boolean> {
  const rows = await session.query("select pg_try_advisory_lock($1) as taken", [keyOf(name)]).catch(() => []);
  return rows[0]?.taken === true;
}

/** Names may hold ids of people: only a hash goes over the bus. */
function hashOf(name: string): string {
  return createHash("sha256").update(`parlance lock\0${name}`).digest("hex").slice(0, 16);
}

/** The key of an advisory lock, a signed 64-bit number, as text. */
function keyOf(hash: string): string {
  return String(BigInt.asIntN(64, BigInt(`0x${hash}`)));
}
