import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { describeError, type Log } from "#server/log/log.ts";

/** Before the connection is tried again (milliseconds): doubled each time, up to the second. */
const [firstPauseMs, longestPauseMs] = [100, 10_000];
/** The ms of silence after which a connection is checked, and the ms until it counts as lost without an answer. */
const [beatMs, answerMs] = [10_000, 5_000];

/**
 * This process's own connection outside the pool, for notifications and locks, which end with their connection in
 * PostgreSQL. It is reopened whenever it is lost. A pooler in between must not share it among clients (PgBouncer:
 * session mode).
 */
export interface PostgresSession {
  /** The number of the current connection, counted from 1; 0 without one. Locks of earlier connections are lost. */
  readonly number: number;
  /** @throws if there is no connection, or it is lost before the answer */
  query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface SessionListeners {
  /** Called with each new connection, before it is used for anything else. @param query on this connection */
  onConnected(query: PostgresSession["query"]): Promise<void>;
  onNotification(payload: string): void;
  onLost(): void;
}

/**
 * @returns when the first connection is open
 * @throws if the first connection fails
 */
export async function openPostgresSession(url: string, log: Log, listeners: SessionListeners): Promise<PostgresSession> {
  const closing = new AbortController();
  let current: Connection | undefined;
  let count = 0;
  let lost = Promise.withResolvers<void>();

  const connect = async () => {
    const client = new Client({
      connectionString: url,
      application_name: "parlance-session",
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    const gone = Promise.withResolvers<void>();
    client.on("error", (error) => {
      log.warn("the connection for notifications was lost", describeError(error));
      gone.resolve();
    });
    client.on("end", () => gone.resolve());
    client.on("notification", ({ payload }) => listeners.onNotification(payload ?? ""));
    try {
      await client.connect();
      await listeners.onConnected(async (text, values) => (await client.query(text, [...values])).rows);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    count += 1;
    current = { client, number: count, query: oneAtATime(client, gone.resolve) };
    lost = gone;
  };
  const keep = async () => {
    while (!closing.signal.aborted) {
      await untilSilent(current, lost.promise, closing.signal);
      const { client } = current ?? {};
      current = undefined;
      if (closing.signal.aborted) return;
      listeners.onLost();
      await client?.end().catch(() => undefined);
      await reconnect();
    }
  };
  const reconnect = async () => {
    for (let pause = firstPauseMs; !closing.signal.aborted; pause = Math.min(longestPauseMs, pause * 2)) {
      try {
        return await connect();
      } catch (error) {
        log.warn("no connection for notifications", describeError(error));
      }
      // Spread, so that not all processes connect at the same moment.
      await delay(pause * (0.5 + Math.random()), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  await connect();
  const keeping = keep();
  return {
    get number() {
      return current?.number ?? 0;
    },
    query: async (text, values) => {
      if (current === undefined) throw new Error("The database is not connected.");
      return current.query(text, values);
    },
    close: async () => {
      const { client } = current ?? {};
      closing.abort();
      await keeping;
      await client?.end().catch(() => undefined);
    },
  };
}

interface Connection {
  client: Client;
  number: number;
  query: PostgresSession["query"];
}

/**
 * Runs queries in sequence: the bus and the locks share the connection, and a client accepts no second query while one
 * runs. An unanswered query leaves the connection in an unknown state: it counts as lost, and the waiting queries fail
 * at once.
 */
function oneAtATime(client: Client, lose: () => void): PostgresSession["query"] {
  let last: Promise<unknown> = Promise.resolve();
  let isLost = false;
  const ask = async (text: string, values: readonly unknown[]) => {
    if (isLost) throw new Error("The connection to the database was lost.");
    try {
      return (await client.query(text, [...values])).rows;
    } catch (error) {
      const isAnswer = error instanceof Error && "severity" in error;
      if (!isAnswer) {
        isLost = true;
        lose();
      }
      throw error;
    }
  };
  return (text, values) => {
    const asked = last.then(() => ask(text, values));
    last = asked.catch(() => undefined);
    return asked;
  };
}

/** Resolves when the connection is lost, does not answer any more, or the signal is aborted. */
async function untilSilent(connection: Connection | undefined, lost: Promise<void>, signal: AbortSignal): Promise<void> {
  if (connection === undefined) return;
  while (!signal.aborted) {
    const quiet = delay(beatMs, "quiet" as const, { signal }).catch(() => "closing" as const);
    const what = await Promise.race([lost.then(() => "lost" as const), quiet]);
    if (what !== "quiet") return;
    const answers = await connection.query("select 1", []).then(
      () => true,
      () => false,
    );
    if (!answers) return;
  }
}
