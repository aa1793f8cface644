import { assign, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** What the machine receives. */
export type EventStreamEvent =
  /** The stream's first bytes have arrived (sent by the actor `stream`). */
  | { type: "stream.opened" }
  /** The device woke, or the network is back (sent by the actor `wakeUps`). */
  | { type: "page.resumed" };

/** Exponential back-off (ms) before the n-th attempt: 1, 2, 4 … 30 s. */
export const exponentialBackOff = (attempt: number): number => Math.min(30_000, 1000 * 2 ** Math.max(0, attempt - 1));

/** The longest Retry-After that is respected (ms): an hour. */
const longestWaitMs = 3_600_000;

/** The delay that the server asks for (Retry-After, RFC 9110 section 10.2.3), in ms; 0 without one. */
function waitOf(error: unknown): number {
  const seconds = typeof error === "object" && error !== null && "retryAfter" in error ? error.retryAfter : undefined;
  return typeof seconds === "number" && seconds > 0 ? Math.min(longestWaitMs, seconds * 1000) : 0;
}

interface EventStreamContext {
  attempt: number;
  /** The delay that the server asked for (ms); 0: none. */
  wanted: number;
}

/**
 * An event stream that is reopened whenever it ends: the server ends it with the access token, networks at any time.
 * The updates themselves bypass the machine.
 */
export const eventStreamMachine = setup({
  types: { context: {} as EventStreamContext, events: {} as EventStreamEvent },
  actors: {
    /** Resolves when the stream has ended, rejects when it could not be opened. */
    stream: fromPromise<void>(async () => notProvided("stream")),
    wakeUps: fromCallback<EventStreamEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    assignWait: assign({ wanted: (_, { error }: Failed) => waitOf(error) }),
    clearWait: assign({ wanted: 0 }),
    resetAttempts: assign({ attempt: 0 }),
  },
  guards: {
    /** The resource was deleted, or the server has no stream: there will be no updates. */
    isGone: (_, { error }: Failed) => codeOf(error) === "notFound" || isNotOffered(error),
  },
  delays: { backOff: ({ context }) => Math.max(exponentialBackOff(context.attempt), context.wanted) },
}).createMachine({
  id: "eventStream",
  context: { attempt: 0, wanted: 0 },
  initial: "streaming",
  invoke: { src: "wakeUps" },
  states: {
    streaming: {
      invoke: {
        src: "stream",
        id: "stream",
        onDone: "waiting",
        onError: [
          { guard: withEvent("isGone"), target: "over" },
          { target: "waiting", actions: withEvent("assignWait") },
        ],
      },
      on: { "stream.opened": { actions: "resetAttempts" } },
    },
    waiting: {
      entry: "countAttempt",
      exit: "clearWait",
      after: { backOff: "streaming" },
      on: { "page.resumed": "streaming" },
    },
    over: { type: "final" },
  },
});
