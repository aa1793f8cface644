import { describeError, type Log } from "#server/log/log.ts";

/**
 * The topics of the processes' messages, with their content. Messages only shorten the wait for the next poll: nothing
 * may depend on them.
 */
export const topics = [
  /** There may be a new job. No message. */
  "jobs.added",
  /** Jobs may have been deleted or taken away. No message. */
  "jobs.changed",
  /** A right has ended on which something may be open: a session, a link, a share. No message. */
  "rights.ended",
  /** A mail waits to be sent. No message. */
  "mails.added",
  /** Transcriptions have ended, or messages to webhooks wait. No message. */
  "webhooks.due",
  /** A feed is due, or an episode was found. No message. */
  "feeds.due",
  /** A picture or a video with captions waits to be made, or is no longer needed. No message. */
  "videos.changed",
  /** A person's transcriptions have changed. Message: the person's id. */
  "transcriptions.changed",
  /** Another connection feeds a recording from now on, or it was saved. Message: the recording's id. */
  "recordings.taken",
  /** Another process waits for a lock, or a lock is free again. Message: a hash of its name. */
  "locks.wanted",
  "locks.released",
  /** A place is free again. Message: a hash of whose. */
  "slots.released",
  /** Tokens are signed with another key. No message. */
  "keys.changed",
  /** The schedule of posts was changed, or a run was asked for. No message. */
  "schedule.changed",
] as const;
export type Topic = (typeof topics)[number];

/** @param message undefined: messages may have been lost, so read everything again */
type BusListener = (message: string | undefined) => void;

/** Longest message (characters): ids, never texts or addresses. */
const maxMessage = 200;

/** Messages between the processes of one installation. Each also reaches the listeners of its own process. */
export interface Bus {
  /** Never waits and never fails: listeners that it can't reach learn later that they may have missed messages. */
  publish(topic: Topic, message?: string): void;
  /** @returns unsubscribes; further calls do nothing */
  subscribe(topic: Topic, listener: BusListener): () => void;
  close(): Promise<void>;
}

/** The listeners of this process. */
export interface Listeners {
  add(topic: Topic, listener: BusListener): () => void;
  /** Calls those of a topic, one after the other: what one throws is logged, and keeps nothing from the others. */
  call(topic: Topic, message: string | undefined): void;
  topics(): Topic[];
}

export function createListeners(log: Log): Listeners {
  const byTopic = new Map<Topic, Set<BusListener>>();
  return {
    add: (topic, listener) => {
      // The same function may subscribe twice.
      const own: BusListener = (message) => listener(message);
      byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(own));
      return () => {
        byTopic.get(topic)?.delete(own);
        if (byTopic.get(topic)?.size === 0) byTopic.delete(topic);
      };
    },
    call: (topic, message) => {
      for (const listener of [...(byTopic.get(topic) ?? [])]) {
        try {
          listener(message);
        } catch (error) {
          log.error("bus listener failed", { topic, ...describeError(error) });
        }
      }
    },
    topics: () => [...byTopic.keys()],
  };
}

/** @throws RangeError for a message that is no id */
export function checkMessage(message: string): string {
  if (message.length > maxMessage) throw new RangeError("A bus message must be an id.");
  return message;
}

/** The bus of an installation that is one process. Listeners are called before `publish` returns. */
export function createLocalBus(log: Log): Bus {
  const listeners = createListeners(log);
  return {
    publish: (topic, message = "") => listeners.call(topic, checkMessage(message)),
    subscribe: listeners.add,
    close: async () => {},
  };
}
