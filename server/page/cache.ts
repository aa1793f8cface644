import { createHash } from "node:crypto";

/** What was made last, and how: made once for all who ask meanwhile and later. */
export interface Cache<Value> {
  /** @throws what `make` throws: it is made anew for whoever asks next */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
}

/** A key may be all that a value is made from: it is not kept beside it. */
const digestOf = (key: string) => createHash("sha256").update(key).digest("base64");

/** @param max number of values; the one that was asked for least recently is dropped */
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
