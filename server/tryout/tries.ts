import { createHash } from "node:crypto";
import type { Claims } from "#server/cluster/claims.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Limit, Throttle } from "#server/session/throttle.ts";

/** Most addresses remembered. Beyond that, nobody can begin until some are forgotten. */
const maxAddresses = 10_000;

export interface TryLimits {
  /** Concurrent try-outs of all visitors: what this process's engines can recognize. */
  places: number;
  /** Concurrent try-outs of one address, over all processes. */
  placesPerClient: number;
  /** Try-outs started by one address, over all processes; each new connection counts. */
  begun: Limit;
}

interface Parts {
  /** Epoch milliseconds. */
  now: () => number;
  /** Claims shared by all processes. */
  claims: Claims;
  /** Undefined: attempts are counted in memory only, and forgotten after the window. */
  throttle: Throttle | undefined;
}

/** Decides who may begin. */
export interface Tries {
  /** @returns a function that releases the slot (further calls do nothing), or the reason for a refusal */
  begin(address: string): Promise<(() => void) | "tooManyAtOnce" | "tooManyRequests">;
}

export function createTries({ places, placesPerClient, begun }: TryLimits, { now, claims, throttle }: Parts): Tries {
  const mayBegin = throttle === undefined ? countedHere(begun, now) : countedByAll(begun, throttle);
  let taken = 0;
  return {
    begin: async (address) => {
      if (taken >= places) return "tooManyAtOnce";
      taken += 1;
      await using place = new AsyncDisposableStack();
      place.defer(() => {
        taken -= 1;
      });
      const giveBack = await claims.take(keyOf(address), 1, placesPerClient);
      if (giveBack === undefined) return "tooManyAtOnce";
      place.defer(giveBack);
      if (!(await mayBegin(address))) return "tooManyRequests";
      const own = place.move();
      // Disposing of it twice does nothing. A claim that can't be released ends with its process.
      return () => void own.disposeAsync().catch(() => undefined);
    },
  };
}

const keyOf = (address: string) => createHash("sha256").update(`try-outs\0${address}`).digest("hex");

function countedByAll(limit: Limit, throttle: Throttle): (address: string) => Promise<boolean> {
  return async (address) => {
    try {
      await throttle.count(limit, address);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === "tooManyRequests") return false;
      throw error;
    }
  };
}

function countedHere({ max, windowMs }: Limit, now: () => number): (address: string) => Promise<boolean> {
  const begun = new Map<string, number[]>();
  const dropExpired = () => {
    const since = now() - windowMs;
    for (const [address, times] of begun) {
      const recent = times.filter((at) => at > since);
      if (recent.length === 0) begun.delete(address);
      else begun.set(address, recent);
    }
  };
  return async (address) => {
    dropExpired();
    const times = begun.get(address) ?? [];
    if (times.length >= max || (times.length === 0 && begun.size >= maxAddresses)) return false;
    begun.set(address, [...times, now()]);
    return true;
  };
}
