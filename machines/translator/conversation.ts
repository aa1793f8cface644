import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { codeOf, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";

/** What became of a change that was sent. */
interface SentChange {
  conversationId: string;
  /** As the server has it now; null when nothing of it is left. */
  transcription: Transcription | null;
}

/** What became of the oldest one that waited; nothing, when nothing did. */
export interface SentNext extends SentChange {
  /** There are more to be sent. */
  more: boolean;
}

export type ConversationEvent =
  /** The page: something was said, corrected or deleted and waits in this browser to be sent. */
  | { type: "change.kept" }
  /** The page: the browser had no room to keep it, and it was sent at once. */
  | ({ type: "change.sent" } & SentChange)
  /** The person wants another conversation; its name is new. */
  | { type: "renew.requested"; id: string }
  /** The person wants it tried again now. */
  | { type: "retry.requested" }
  /** The person gives up what the server does not take. */
  | { type: "discard.requested" }
  /** The actor `wakeUps`: the network is back, the device woke, or the person is signed in again. */
  | { type: "woke" };

interface ConversationInput {
  /** A UUID, made by the page. */
  id: string;
  /** Null as long as the server has nothing of it, as far as this browser knows. */
  transcriptionId: string | null;
}

interface ConversationContext extends ConversationInput {
  transcription: Transcription | null;
  /** Tries to send without success, one after another. */
  attempts: number;
  /** Why the last one failed. */
  code: string | null;
}

/** Asking again may help by itself: nobody answered, the server is ill or busy, or the person is to sign in. */
const passing = new Set(["network", "internal", "interrupted", "tooManyRequests", "unauthorized", "storageFull"]);

/**
 * The conversation of the translator's page: its turns as the server has them, and the sending of what was said, corrected and deleted,
 * one after the other in the order in which it happened. What waits lies in the browser until the server has it.
 */
export const conversationMachine = setup({
  types: {
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    input: {} as ConversationInput,
    emitted: {} as { type: "gone" },
  },
  actors: {
    /** Rejects with a code. */
    load: fromPromise<Transcription, { transcriptionId: string }>(async () => notProvided("load")),
    /** Sends the oldest change; it does not wait any more when this resolves. Rejects with a code. */
    sendNext: fromPromise<SentNext>(async () => notProvided("sendNext")),
    wakeUps: fromCallback<ConversationEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    begin: assign((_, { id }: { id: string }) => ({ id, transcriptionId: null, transcription: null })),
    adopt: assign((_, { output }: { output: Transcription }) => ({ transcription: output, transcriptionId: output.id })),
    /** What belongs to an earlier conversation is in the history, and not shown here. */
    adoptSent: assign(({ context }, { conversationId, transcription }: SentChange) => {
      if (conversationId !== context.id) return {};
      return { transcription, transcriptionId: transcription?.id ?? null };
    }),
    trust: assign({ attempts: 0, code: null }),
    countFailure: assign({
      attempts: ({ context }) => context.attempts + 1,
      code: (_, { error }: { error: unknown }) => codeOf(error),
    }),
    sayGone: emit({ type: "gone" }),
    /** Forgets the oldest change that waits. */
    dropOldest: () => notProvided("dropOldest"),
  },
  guards: {
    isNew: ({ context }) => context.transcriptionId === null,
    isGone: (_, { error }: { error: unknown }) => isGone(error),
    isPassing: (_, { error }: { error: unknown }) => passing.has(codeOf(error)),
    hasMore: (_, { output }: { output: SentNext }) => output.more,
  },
  delays: { backOff: ({ context }) => exponentialBackOff(context.attempts) },
}).createMachine({
  id: "conversation",
  context: ({ input }) => ({ ...input, transcription: null, attempts: 0, code: null }),
  type: "parallel",
  invoke: { src: "wakeUps" },
  on: { "change.sent": { actions: { type: "adoptSent", params: ({ event }) => event } } },
  states: {
    reading: {
      initial: "deciding",
      on: { "renew.requested": { target: ".open", actions: { type: "begin", params: ({ event }) => event } } },
      states: {
        deciding: { always: [{ guard: "isNew", target: "open" }, { target: "loading" }] },
        loading: {
          invoke: {
            src: "load",
            input: ({ context }) => ({ transcriptionId: context.transcriptionId ?? "" }),
            onDone: { target: "open", actions: { type: "adopt", params: ({ event }) => event } },
            onError: [
              { guard: { type: "isGone", params: ({ event }) => event }, target: "open", actions: "sayGone" },
              { target: "failed" },
            ],
          },
        },
        open: {},
        /** What was said before can't be shown now; saying more goes on. */
        failed: { on: { "retry.requested": "loading", woke: "loading" } },
      },
    },
    sending: {
      initial: "sending",
      states: {
        // Somebody who signs in again has what waited before.
        resting: { on: { "change.kept": "sending", woke: "sending" } },
        sending: {
          invoke: {
            src: "sendNext",
            onDone: [
              {
                guard: { type: "hasMore", params: ({ event }) => event },
                target: "sending",
                reenter: true,
                actions: ["trust", { type: "adoptSent", params: ({ event }) => event.output }],
              },
              { target: "resting", actions: ["trust", { type: "adoptSent", params: ({ event }) => event.output }] },
            ],
            onError: [
              {
                guard: { type: "isPassing", params: ({ event }) => event },
                target: "waiting",
                actions: { type: "countFailure", params: ({ event }) => event },
              },
              { target: "stuck", actions: { type: "countFailure", params: ({ event }) => event } },
            ],
          },
        },
        waiting: { after: { backOff: "sending" }, on: { woke: "sending", "retry.requested": "sending" } },
        /** The server does not take it: the person decides. */
        stuck: {
          on: { "retry.requested": "sending", "discard.requested": { target: "sending", actions: ["trust", "dropOldest"] } },
        },
      },
    },
  },
});

type Snapshot = ReturnType<typeof conversationMachine.getInitialSnapshot>;

export const selectConversationId = (snapshot: Snapshot): string => snapshot.context.id;
/** As the server has it; null while it has nothing, or it is not known yet. */
export const selectTranscription = (snapshot: Snapshot): Transcription | null => snapshot.context.transcription;
export const selectTranscriptionId = (snapshot: Snapshot): string | null => snapshot.context.transcriptionId;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches({ reading: "loading" });
export const selectHasLoadFailed = (snapshot: Snapshot): boolean => snapshot.matches({ reading: "failed" });
/** Why what waits could not be sent; null when that has not failed. */
export const selectSendFailure = (snapshot: Snapshot): string | null => snapshot.context.code;
/** The server will not take it by itself. */
export const selectIsStuck = (snapshot: Snapshot): boolean => snapshot.matches({ sending: "stuck" });
