/** More addresses than this are not remembered one by one: then nobody begins, until some are forgotten. */
const mostAddresses = 10_000;

export interface TryLimits {
  /** At once, of everybody. */
  places: number;
  /** At once, of one address: one that is going on, and its successor after a lost connection. */
  placesOfOne: number;
  /** Begun by one address within `windowMs`; each new connection counts. */
  most: number;
  windowMs: number;
}

/** Who may begin: kept in memory alone, and forgotten with the window. */
export interface Tries {
  /** @returns gives the place back (further calls do nothing), or why there is none */
  begin(address: string): (() => void) | "tooManyAtOnce" | "tooManyRequests";
}

/** @param now epoch ms */
export function createTries(limits: TryLimits, now: () => number): Tries {
  const begun = new Map<string, number[]>();
  const open = new Map<string, number>();
  let taken = 0;
  const forget = () => {
    const since = now() - limits.windowMs;
    for (const [address, times] of begun) {
      const recent = times.filter((at) => at > since);
      if (recent.length === 0) begun.delete(address);
      else begun.set(address, recent);
    }
  };
  return {
    begin: (address) => {
      forget();
      const times = begun.get(address) ?? [];
      if (times.length >= limits.most || (times.length === 0 && begun.size >= mostAddresses)) return "tooManyRequests";
      const own = open.get(address) ?? 0;
      if (taken >= limits.places || own >= limits.placesOfOne) return "tooManyAtOnce";
      begun.set(address, [...times, now()]);
      open.set(address, own + 1);
      taken += 1;
      let isGiven = false;
      return () => {
        if (isGiven) return;
        isGiven = true;
        taken -= 1;
        const left = (open.get(address) ?? 1) - 1;
        if (left === 0) open.delete(address);
        else open.set(address, left);
      };
    },
  };
}
