import { assign, fromCallback, fromPromise, setup } from "xstate";
import { codeOf } from "./failure.ts";

/** What the feed hears. */
export type FeedEvent =
  /** The stream's first bytes are there (the actor `stream` sends it). */
  | { type: "stream.opened" }
  /** The device woke, or is connected again (the actor `wakeUps` sends it). */
  | { type: "woke" };

/** Milliseconds before the n-th try: 1, 2, 4 … 30 s. */
export const feedBackOff = (attempt: number): number => Math.min(30_000, 1000 * 2 ** Math.max(0, attempt - 1));

/**
 * A stream of news from the server that is opened again whenever it ends: the server ends it with the access token, networks end it
 * when they like. The news themselves flow beside the machine.
 */
export const feedMachine = setup({
  types: { context: {} as { attempt: number }, events: {} as FeedEvent },
  actors: {
    /** Resolves when the stream has ended, rejects when it could not be had. */
    stream: fromPromise<void>(() => Promise.reject(new Error("stream was not provided"))),
    wakeUps: fromCallback<FeedEvent>(() => {
      throw new Error("wakeUps was not provided");
    }),
  },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    forgetAttempts: assign({ attempt: 0 }),
  },
  guards: {
    /** What it told of was deleted: there will be no news. */
    isGone: (_, { error }: { error: unknown }) => codeOf(error) === "notFound",
  },
  delays: { backOff: ({ context }) => feedBackOff(context.attempt) },
}).createMachine({
  id: "feed",
  context: { attempt: 0 },
  initial: "streaming",
  invoke: { src: "wakeUps" },
  states: {
    streaming: {
      invoke: {
        src: "stream",
        id: "stream",
        onDone: "waiting",
        onError: [{ guard: { type: "isGone", params: ({ event }) => event }, target: "over" }, { target: "waiting" }],
      },
      on: { "stream.opened": { actions: "forgetAttempts" } },
    },
    waiting: {
      entry: "countAttempt",
      after: { backOff: "streaming" },
      on: { woke: "streaming" },
    },
    over: { type: "final" },
  },
});
