import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import * as v from "valibot";

/** The part of `DatabaseSync` that tests use. */
export interface BlockingDatabase {
  prepare(sql: string): {
    all(...parameters: (string | number | null)[]): Record<string, unknown>[];
    get(...parameters: (string | number | null)[]): Record<string, unknown> | undefined;
    run(...parameters: (string | number | null)[]): { changes: number | bigint };
  };
  exec(sql: string): void;
  close(): void;
  [Symbol.dispose](): void;
}

const Answer = v.union([
  v.object({ rows: v.array(v.record(v.string(), v.unknown())), changes: v.number() }),
  v.object({ error: v.string() }),
]);

/** ms; the same time that SQLite waits for a lock in these tests. */
const waitMs = 15_000;

interface Asker {
  port: MessagePort;
  bell: Int32Array<SharedArrayBuffer>;
}
let asker: Asker | undefined;

/** One thread per process that does the waiting. */
function openAsker(): Asker {
  const { port1: port, port2 } = new MessageChannel();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const options = { workerData: { port: port2, bell }, transferList: [port2] };
  new Worker(new URL("./blocking-postgres-thread.ts", import.meta.url), options).unref();
  port.unref();
  return { port, bell };
}

function ask(url: string, sql: string, parameters: readonly (string | number | null)[]) {
  asker ??= openAsker();
  const { port, bell } = asker;
  Atomics.store(bell, 0, 0);
  // SQLite numbers its parameters by their order.
  let count = 0;
  const numbered = sql.replaceAll("?", () => {
    count += 1;
    return `$${count}`;
  });
  port.postMessage({ url, sql: numbered, parameters });
  if (Atomics.wait(bell, 0, 0, waitMs) === "timed-out") throw new Error(`no answer in ${waitMs / 1000} s: ${sql}`);
  const answer = v.parse(Answer, receiveMessageOnPort(port)?.message);
  if ("error" in answer) throw new Error(`${answer.error}: ${sql}`);
  return answer;
}

/** PostgreSQL with the interface of `DatabaseSync`. */
export function openBlockingPostgres(url: string): BlockingDatabase {
  const close = () => {
    if (asker !== undefined) ask(url, "", []);
  };
  return {
    prepare: (sql) => ({
      all: (...parameters) => ask(url, sql, parameters).rows,
      get: (...parameters) => ask(url, sql, parameters).rows[0],
      run: (...parameters) => ({ changes: ask(url, sql, parameters).changes }),
    }),
    exec: (sql) => {
      ask(url, sql, []);
    },
    close,
    [Symbol.dispose]: close,
  };
}
