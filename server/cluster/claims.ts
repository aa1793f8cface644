/** Claims on a shared quota of all processes: a person's slots, bytes of storage. */
export interface Claims {
  /**
   * Claims `amount` of `key`, unless the sum of the claims would exceed `limit`.
   * @returns a function that releases the claim (further calls do nothing); undefined above the limit
   */
  take(key: string, amount: number, limit: number): Promise<(() => Promise<void>) | undefined>;
  /** Gives everything back that this process holds. */
  close(): Promise<void>;
}

/** The claims of an installation that is one process. */
export function createLocalClaims(): Claims {
  const held = new Map<string, number>();
  return {
    take: async (key, amount, limit) => {
      const before = held.get(key) ?? 0;
      if (before + amount > limit) return undefined;
      held.set(key, before + amount);
      let isGiven = false;
      return async () => {
        if (isGiven) return;
        isGiven = true;
        const left = (held.get(key) ?? 0) - amount;
        if (left <= 0) held.delete(key);
        else held.set(key, left);
      };
    },
    close: async () => held.clear(),
  };
}
