import { createHash } from "node:crypto";

/** Recent values, each made once for all simultaneous and later requests. */
export interface Cache<Value> {
  /** @throws the error of `make`; the next call makes the value again */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
}

/** A key may contain everything that a value is made of, so only its hash is stored. */
const digestOf = (key: string) => createHash("sha256").update(key).digest("base64");

/** @param max number of values; the least recently used one is dropped */
export function createCache<Value>(max: number): Cache<Value> {
  const kept = new Map<string, Promise<Value>>();
  return {
    get: (key, make) => {
      const digest = digestOf(key);
      const known = kept.get(digest) ?? make();
      kept.delete(digest);
      kept.set(digest, known);
      known.catch(() => {
        if (kept.get(digest) === known) kept.delete(digest);
      });
      const [oldest] = kept.keys();
      if (kept.size > max && oldest !== undefined) kept.delete(oldest);
      return known;
    },
  };
}
