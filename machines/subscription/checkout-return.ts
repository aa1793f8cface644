import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type CheckoutReturnEvent =
  /** The person checks again. */
  | { type: "retry.requested" }
  /** The person starts the transcriptions that exceeded the free minutes. */
  | { type: "transcribing.requested" };

/** A transcription that exceeded the remaining free minutes. The server has its file. */
export interface Blocked {
  id: string;
  title: string;
}

/** Emitted to the rest of the page. */
export type CheckoutReturnEmitted = { type: "transcribing.began"; blocked: readonly Blocked[] };

const outcomes = ["waiting", "confirmed", "unconfirmed", "signedOut"] as const;
type Outcome = (typeof outcomes)[number];

interface CheckoutReturnContext {
  /** The number of polls so far. */
  asked: number;
  /** The transcriptions that can start now; the newest first. */
  blocked: readonly Blocked[];
  /** Why they could not start: an error code of the contract. */
  code: string | null;
}

/**
 * Poll interval in ms, and number of polls: half a minute in all, which is several times what payment providers need.
 */
const pauseMs = 2_000;
const maxQuestions = 15;

/**
 * The page after a checkout. It polls until the server has the subscription, and shows the actual state if it still
 * does not. Then it offers the transcriptions that exceeded the free minutes.
 */
export const checkoutReturnMachine = setup({
  types: {
    context: {} as CheckoutReturnContext,
    events: {} as CheckoutReturnEvent,
    emitted: {} as CheckoutReturnEmitted,
    tags: {} as Outcome,
  },
  actors: {
    /**
     * Whether the server has the subscription as paid. Rejects when the server can't be asked; the error has
     * `signedOut` when signed out.
     */
    ask: fromPromise<boolean>(async () => notProvided("ask")),
    findBlocked: fromPromise<readonly Blocked[]>(async () => notProvided("findBlocked")),
    /** Starts the transcriptions from the server's files. */
    transcribe: fromPromise<void, { blocked: readonly Blocked[] }>(async () => notProvided("transcribe")),
  },
  actions: {
    count: assign({ asked: ({ context }) => context.asked + 1 }),
    startOver: assign({ asked: 0 }),
    assignBlocked: assign({ blocked: (_, blocked: readonly Blocked[]) => blocked }),
    assignCode: assign({ code: (_, { error }: Failed) => codeOf(error) }),
    clearCode: assign({ code: null }),
    emitBegan: emit(({ context }) => ({ type: "transcribing.began", blocked: context.blocked }) as const),
  },
  guards: {
    isEnough: ({ context }) => context.asked >= maxQuestions,
    isSome: (_, blocked: readonly Blocked[]) => blocked.length > 0,
    isSignedOut: (_, { error }: Failed) => error instanceof Error && "status" in error && error.status === 401,
  },
  delays: { pause: pauseMs },
}).createMachine({
  id: "checkoutReturn",
  context: { asked: 0, blocked: [], code: null },
  initial: "asking",
  states: {
    asking: {
      tags: "waiting",
      entry: "count",
      invoke: {
        src: "ask",
        onDone: [{ guard: ({ event }) => event.output, target: "confirmed" }, { target: "waiting" }],
        onError: [{ guard: withEvent("isSignedOut"), target: "signedOut" }, { target: "waiting" }],
      },
    },
    waiting: { tags: "waiting", always: { guard: "isEnough", target: "unconfirmed" }, after: { pause: "asking" } },
    confirmed: {
      tags: "confirmed",
      initial: "checking",
      states: {
        checking: {
          invoke: {
            src: "findBlocked",
            onDone: [
              { guard: withOutput("isSome"), target: "offering", actions: withOutput("assignBlocked") },
              { target: "free" },
            ],
            // They are also in the history.
            onError: "free",
          },
        },
        /** No transcription is waiting. */
        free: {},
        offering: { on: { "transcribing.requested": { target: "beginning", actions: "clearCode" } } },
        beginning: {
          invoke: {
            src: "transcribe",
            input: ({ context }) => ({ blocked: context.blocked }),
            onDone: { target: "free", actions: "emitBegan" },
            onError: { target: "offering", actions: withEvent("assignCode") },
          },
        },
      },
    },
    unconfirmed: { tags: "unconfirmed", on: { "retry.requested": { target: "asking", actions: "startOver" } } },
    signedOut: { tags: "signedOut", on: { "retry.requested": { target: "asking", actions: "startOver" } } },
  },
});

type Snapshot = SnapshotFrom<typeof checkoutReturnMachine>;

/** The outcome that the page shows. */
export const selectOutcome = (snapshot: Snapshot): Outcome => outcomes.find((outcome) => snapshot.hasTag(outcome)) ?? "waiting";
/** Whether the list of transcriptions is still loading. */
export const selectIsChecking = (snapshot: Snapshot): boolean => snapshot.matches({ confirmed: "checking" });
/** The transcriptions that can start now, the newest first. The same array until it changes. */
export const selectBlocked = (snapshot: Snapshot): readonly Blocked[] => snapshot.context.blocked;
export const selectIsBeginning = (snapshot: Snapshot): boolean => snapshot.matches({ confirmed: "beginning" });
/** Why they could not start: an error code of the contract. */
export const selectBeginFailure = (snapshot: Snapshot): string | null => snapshot.context.code;
