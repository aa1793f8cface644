import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { type Bus, checkMessage, createListeners, type Topic, topics } from "#server/bus/bus.ts";
import { openPostgresSession, type PostgresSession } from "#server/db/postgres-session.ts";
import { describeError, type Log } from "#server/log/log.ts";

const channel = "parlance";
/** Messages are collected for this long, so that many of the same are one (milliseconds). */
const collectMs = 5;
/** The ms until a message is retried that could not be sent on an open connection. */
const retryMs = 1_000;
/** Above this number, messages are not sent one by one: listeners are told to read again. */
const maxCollected = 500;

/** The format on the wire. Topics of other releases are ignored. */
const Payload = v.object({
  from: v.string(),
  topic: v.picklist(topics),
  /** Absent: something may have been missed. */
  message: v.optional(v.string()),
});

/** The bus and its own connection, which locks also use (postgres-locks.ts). */
export interface PostgresBus extends Bus {
  readonly session: PostgresSession;
}

/**
 * The bus of an installation of several processes: LISTEN and NOTIFY, with its own connection and its own transactions
 * (a NOTIFY holds a lock of the whole database while it commits, so it must not wait for other writes). Without a
 * connection nothing is published; afterwards all listeners are told to read again.
 * @throws if the database can't be reached
 */
export async function openPostgresBus(url: string, log: Log): Promise<PostgresBus> {
  const listeners = createListeners(log);
  const own = randomUUID();
  const collected = new Map<Topic, Set<string>>();
  /** Topics of messages that were not sent. */
  const unsent = new Set<Topic>();
  let timer: NodeJS.Timeout | undefined;

  const hear = (text: string) => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Payload), text);
    if (parsed.success && parsed.output.from !== own) listeners.call(parsed.output.topic, parsed.output.message);
  };
  const send = async (payloads: readonly object[]) => {
    const texts = payloads.map((payload) => JSON.stringify({ from: own, ...payload }));
    if (texts.length > 0)
      await session.query("select pg_notify($1, payload) from unnest($2::text[]) as payloads(payload)", [channel, texts]);
  };
  const flush = async () => {
    timer = undefined;
    const messages = [...collected].flatMap(([topic, ids]) =>
      ids.size > maxCollected ? [{ topic }] : [...ids].map((message) => ({ topic, message })),
    );
    const flushed = [...collected.keys(), ...unsent];
    const missed = [...unsent].map((topic) => ({ topic }));
    collected.clear();
    unsent.clear();
    try {
      await send([...messages, ...missed]);
    } catch (error) {
      for (const topic of flushed) unsent.add(topic);
      log.info("the bus waits for its connection", describeError(error));
      // Otherwise the next connection sends them.
      if (session.number > 0) timer ??= setTimeout(() => void flush(), retryMs);
    }
  };
  let isFirst = true;
  const session = await openPostgresSession(url, log, {
    onConnected: async (query) => {
      await query(`listen ${channel}`, []);
      if (isFirst) {
        isFirst = false;
        return;
      }
      const missed = [...unsent].map((topic) => JSON.stringify({ from: own, topic }));
      await query("select pg_notify($1, payload) from unnest($2::text[]) as payloads(payload)", [channel, missed]);
      unsent.clear();
      for (const topic of listeners.topics()) listeners.call(topic, undefined);
    },
    onNotification: hear,
    onLost: () => {},
  });
  return {
    session,
    publish: (topic, message = "") => {
      collected.set(topic, (collected.get(topic) ?? new Set()).add(checkMessage(message)));
      timer ??= setTimeout(() => void flush(), collectMs);
      listeners.call(topic, message);
    },
    subscribe: listeners.add,
    close: async () => {
      clearTimeout(timer);
      if (collected.size > 0) await flush();
      await session.close();
    },
  };
}
