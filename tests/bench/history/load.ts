import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "undici";

/** A request of one of many people. */
interface Request {
  path: string;
  headers: Record<string, string>;
}

/** A server under load, on persistent connections. */
export interface Target {
  url: string;
  /** The next request, of a new person each time. */
  next(): Request;
}

export const connections = 32;

export interface Load {
  perSecond: number;
  /** The ms of each request, from its scheduled time to the whole answer. */
  times: number[];
}

async function ask(pool: Pool, { path, headers }: Request): Promise<void> {
  const { statusCode, body } = await pool.request({ method: "GET", path, headers });
  const bytes = await body.bytes();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${Buffer.from(bytes)}`);
}

/** Loads the server fully: each connection sends its next request as soon as it has an answer. */
export async function loadFully({ url, next }: Target, seconds: number): Promise<Load> {
  await using pool = openPool(url);
  const begun = performance.now();
  const until = begun + seconds * 1000;
  const times: number[] = [];
  const askOn = async () => {
    while (performance.now() < until) {
      const from = performance.now();
      await ask(pool.pool, next());
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, askOn));
  return { perSecond: (times.length / (performance.now() - begun)) * 1000, times };
}

/** Sends requests at a fixed rate, even while answers are late: a request's time counts from its schedule. */
export async function loadAt({ url, next }: Target, perSecond: number, seconds: number): Promise<Load> {
  await using pool = openPool(url);
  const begun = performance.now();
  const times: number[] = [];
  const open: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count++) {
    const due = begun + (count / perSecond) * 1000;
    if (due > performance.now() + 1) await wait(due - performance.now());
    open.push(ask(pool.pool, next()).then(() => void times.push(performance.now() - due)));
  }
  await Promise.all(open);
  return { perSecond: (times.length / (performance.now() - begun)) * 1000, times };
}

function openPool(url: string): AsyncDisposable & { pool: Pool } {
  const pool = new Pool(url, { connections, pipelining: 1 });
  return { pool, [Symbol.asyncDispose]: () => pool.close() };
}
