import { assign, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

/** What the feed hears. */
export type EventStreamEvent =
  /** The stream's first bytes are there (the actor `stream` sends it). */
  | { type: "stream.opened" }
  /** The device woke, or is connected again (the actor `wakeUps` sends it). */
  | { type: "woke" };

/** Milliseconds before the n-th try: 1, 2, 4 … 30 s. */
export const exponentialBackOff = (attempt: number): number => Math.min(30_000, 1000 * 2 ** Math.max(0, attempt - 1));

/** The longest wait that a server is believed (ms): an hour. */
const longestWaitMs = 3_600_000;

/** How long the server asks to be let alone (Retry-After, RFC 9110 section 10.2.3), in ms; 0 when it does not say. */
function waitOf(error: unknown): number {
  const seconds = typeof error === "object" && error !== null && "retryAfter" in error ? error.retryAfter : undefined;
  return typeof seconds === "number" && seconds > 0 ? Math.min(longestWaitMs, seconds * 1000) : 0;
}

interface EventStreamContext {
  attempt: number;
  /** How long the server has asked to be let alone (ms); 0: it has not. */
  wanted: number;
}

/**
 * A stream of updates from the server that is opened again whenever it ends: the server ends it with the access token, networks end it
 * when they like. The updates themselves flow beside the machine.
 */
export const eventStreamMachine = setup({
  types: { context: {} as EventStreamContext, events: {} as EventStreamEvent },
  actors: {
    /** Resolves when the stream has ended, rejects when it could not be had. */
    stream: fromPromise<void>(async () => notProvided("stream")),
    wakeUps: fromCallback<EventStreamEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    keepWait: assign({ wanted: (_, { error }: { error: unknown }) => waitOf(error) }),
    forgetWait: assign({ wanted: 0 }),
    forgetAttempts: assign({ attempt: 0 }),
  },
  guards: {
    /** What it reports on was deleted, or the server has no stream: there will be no updates. */
    isGone: (_, { error }: { error: unknown }) => codeOf(error) === "notFound" || isNotOffered(error),
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
          { guard: { type: "isGone", params: ({ event }) => event }, target: "over" },
          { target: "waiting", actions: { type: "keepWait", params: ({ event }) => event } },
        ],
      },
      on: { "stream.opened": { actions: "forgetAttempts" } },
    },
    waiting: {
      entry: "countAttempt",
      exit: "forgetWait",
      after: { backOff: "streaming" },
      on: { woke: "streaming" },
    },
    over: { type: "final" },
  },
});
