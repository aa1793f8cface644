import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The outcome of a change that was sent. */
interface SentChange {
  conversationId: string;
  /** The server's version; null if it was deleted. */
  transcription: Transcription | null;
}

/** The outcome of the oldest pending change; undefined when there was none. */
export interface SentNext extends SentChange {
  /** More are pending. */
  more: boolean;
}

export type ConversationEvent =
  /** The page: a turn was added, corrected or deleted, and is pending in this browser. */
  | { type: "change.persisted" }
  /** The page: the browser had no room to persist it, and it was sent at once. */
  | ({ type: "change.sent" } & SentChange)
  /** The person starts another conversation, with a new id. */
  | { type: "renew.requested"; id: string }
  /** The person retries now. */
  | { type: "retry.requested" }
  /** The person discards what the server refuses. */
  | { type: "discard.requested" }
  /** The person deletes a turn, and confirms it or not; leaving the page is a no. */
  | { type: "deletion.requested"; turnId: string }
  | { type: "deletion.confirmed" }
  | { type: "deletion.cancelled" }
  /** The actor `wakeUps`: the network is back, the device woke, or the person is signed in again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
type ConversationEmitted = { type: "transcription.gone" } | { type: "turn.deleted"; turnId: string };

interface ConversationInput {
  /** A UUID, made by the page. */
  id: string;
  /** null: the server has nothing of it, as far as this browser knows. */
  transcriptionId: string | null;
}

interface ConversationContext extends ConversationInput {
  transcription: Transcription | null;
  /** Consecutive failed attempts. */
  attempts: number;
  /** Why the last one failed. */
  code: string | null;
  /** The turn whose deletion was requested last. */
  turnId: string;
}

/** Codes after which a later retry may succeed: no answer, a server error or overload, or a sign-in is needed. */
const passing = new Set(["network", "internal", "interrupted", "tooManyRequests", "unauthorized", "storageFull"]);

/**
 * The conversation of the translator's page: the server's turns, and the outbox of added, corrected and deleted turns,
 * sent one at a time in order. Pending changes stay in the browser until the server has them.
 */
export const conversationMachine = setup({
  types: {
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    input: {} as ConversationInput,
    emitted: {} as ConversationEmitted,
  },
  actors: {
    /** Rejects with a code. */
    load: fromPromise<Transcription, { transcriptionId: string }>(async () => notProvided("load")),
    /** Sends the oldest change; when this resolves, it is no longer pending. Rejects with a code. */
    sendNext: fromPromise<SentNext>(async () => notProvided("sendNext")),
    wakeUps: fromCallback<ConversationEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    begin: assign((_, { id }: { id: string }) => ({ id, transcriptionId: null, transcription: null })),
    assignLoaded: assign((_, transcription: Transcription) => ({ transcription, transcriptionId: transcription.id })),
    /** Changes of an earlier conversation appear in the history, not here. */
    assignSent: assign(({ context }, { conversationId, transcription }: SentChange) => {
      if (conversationId !== context.id) return {};
      return { transcription, transcriptionId: transcription?.id ?? null };
    }),
    trust: assign({ attempts: 0, code: null }),
    countFailure: assign({
      attempts: ({ context }) => context.attempts + 1,
      code: (_, { error }: Failed) => codeOf(error),
    }),
    emitGone: emit({ type: "transcription.gone" }),
    chooseTurn: assign({ turnId: (_, { turnId }: { turnId: string }) => turnId }),
    emitDeleted: emit(({ context }): ConversationEmitted => ({ type: "turn.deleted", turnId: context.turnId })),
    /** Removes the oldest pending change. */
    dropOldest: () => notProvided("dropOldest"),
  },
  guards: {
    isNew: ({ context }) => context.transcriptionId === null,
    isGone: (_, { error }: Failed) => isGone(error),
    isPassing: (_, { error }: Failed) => passing.has(codeOf(error)),
    hasMore: (_, output: SentNext) => output.more,
  },
  delays: { backOff: ({ context }) => exponentialBackOff(context.attempts) },
}).createMachine({
  id: "conversation",
  context: ({ input }) => ({ ...input, transcription: null, attempts: 0, code: null, turnId: "" }),
  type: "parallel",
  invoke: { src: "wakeUps" },
  on: { "change.sent": { actions: withEvent("assignSent") } },
  states: {
    reading: {
      initial: "deciding",
      on: { "renew.requested": { target: ".open", actions: withEvent("begin") } },
      states: {
        deciding: { always: [{ guard: "isNew", target: "open" }, { target: "loading" }] },
        loading: {
          invoke: {
            src: "load",
            input: ({ context }) => ({ transcriptionId: context.transcriptionId ?? "" }),
            onDone: { target: "open", actions: withOutput("assignLoaded") },
            onError: [{ guard: withEvent("isGone"), target: "open", actions: "emitGone" }, { target: "failed" }],
          },
        },
        open: {},
        /** Earlier turns can't be shown now, but the conversation can continue. */
        failed: { on: { "retry.requested": "loading", "page.resumed": "loading" } },
      },
    },
    deletion: {
      initial: "none",
      states: {
        none: {
          on: { "deletion.requested": { target: "asking", actions: withEvent("chooseTurn") } },
        },
        asking: {
          on: {
            "deletion.confirmed": { target: "none", actions: "emitDeleted" },
            "deletion.cancelled": "none",
            "renew.requested": "none",
          },
        },
      },
    },
    sending: {
      initial: "sending",
      states: {
        // Pending changes are still there after signing in again.
        resting: { on: { "change.persisted": "sending", "page.resumed": "sending" } },
        sending: {
          invoke: {
            src: "sendNext",
            onDone: [
              { guard: withOutput("hasMore"), target: "sending", reenter: true, actions: ["trust", withOutput("assignSent")] },
              { target: "resting", actions: ["trust", withOutput("assignSent")] },
            ],
            onError: [
              { guard: withEvent("isPassing"), target: "waiting", actions: withEvent("countFailure") },
              { target: "stuck", actions: withEvent("countFailure") },
            ],
          },
        },
        waiting: { after: { backOff: "sending" }, on: { "page.resumed": "sending", "retry.requested": "sending" } },
        /** The server refuses it: the person decides. */
        stuck: {
          on: { "retry.requested": "sending", "discard.requested": { target: "sending", actions: ["trust", "dropOldest"] } },
        },
      },
    },
  },
});

type Snapshot = ReturnType<typeof conversationMachine.getInitialSnapshot>;

export const selectConversationId = (snapshot: Snapshot): string => snapshot.context.id;
/** The server's version; null while it has none, or it is not known yet. */
export const selectTranscription = (snapshot: Snapshot): Transcription | null => snapshot.context.transcription;
export const selectTranscriptionId = (snapshot: Snapshot): string | null => snapshot.context.transcriptionId;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches({ reading: "loading" });
export const selectHasLoadFailed = (snapshot: Snapshot): boolean => snapshot.matches({ reading: "failed" });
/** The turn whose deletion must be confirmed; null if there is none. */
export const selectAskedTurn = (snapshot: Snapshot): string | null =>
  snapshot.matches({ deletion: "asking" }) ? snapshot.context.turnId : null;
/** A change is on its way to the server. */
export const selectIsSending = (snapshot: Snapshot): boolean => snapshot.matches({ sending: "sending" });
/** Why sending failed; null when it has not. */
export const selectSendFailure = (snapshot: Snapshot): string | null => snapshot.context.code;
/** The server refuses it permanently. */
export const selectIsStuck = (snapshot: Snapshot): boolean => snapshot.matches({ sending: "stuck" });
