import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { type SpeechLanguage, tryOutSeconds } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** How long the last words may take (ms), connections that are lost included. */
const finishTimeoutMs = 60_000;
const longestBackOffMs = 8_000;

/** What is spoken, and what it is translated into; null: nothing. */
export interface TryLanguages {
  source: SpeechLanguage;
  target: string | null;
}

/** What was said, in this browser alone. */
export interface PersistedTry {
  seconds: number;
  /** Its text is there, to the last word. */
  isRecognized: boolean;
  languages: TryLanguages;
}

export type TryOutEvent =
  /** The person presses Start, Stop, or throws away what was said. */
  | { type: "start.requested"; languages: TryLanguages }
  | { type: "stop.requested" }
  | { type: "discard.requested" }
  /** The person chooses other languages: all of it is recognized again. */
  | { type: "languages.chosen"; languages: TryLanguages }
  /** The person has an account now, and makes a transcript of it. */
  | { type: "adoption.requested"; ownerId: string }
  /** Sent by the actor `capture`. */
  | { type: "microphone.unplugged" }
  /** Sent by the actor `connection`; `code` is null when the loss has no known reason. */
  | { type: "connection.opened" }
  | { type: "connection.advanced" }
  | { type: "connection.lost"; code: string | null }
  /** The server takes no more of it. */
  | { type: "limit.reached" }
  /** Every word is final. */
  | { type: "recording.done" }
  | { type: "recording.over" };

/** It is one of the person's unfinished recordings now. */
export type TryOutEmitted = { type: "try.adopted"; id: string };

interface TryOutInput {
  /** Whoever is signed in has no need of the visitors' server: what was said is only offered. */
  mayRecognize: boolean;
}

interface TryOutContext extends TryOutInput {
  /** Null until somebody speaks. */
  languages: TryLanguages | null;
  persisted: PersistedTry | null;
  /** An error code, or one of the microphone's problems. */
  failure: string | null;
  isRecognized: boolean;
  /** Connections lost in a row. */
  losses: number;
}

/** English only where nobody has spoken. */
const languagesOf = ({ context: { languages } }: { context: TryOutContext }): TryLanguages =>
  languages ?? { source: "en", target: null };

/** Trying again at once changes nothing of these. */
const refusals = new Set<string | null>(["languageUnavailable", "badRequest", "tooManyRequests", "tooManyAtOnce", "forbidden"]);

/**
 * Thirty seconds of dictation without an account. The sound is in this browser before anybody hears it, and stays: a lost connection sends
 * it again from its beginning, and so do other languages; a page that is loaded again goes on with it, and whoever
 * signs up takes it along.
 */
export const tryOutMachine = setup({
  types: {
    context: {} as TryOutContext,
    events: {} as TryOutEvent,
    emitted: {} as TryOutEmitted,
    input: {} as TryOutInput,
    tags: {} as "idle" | "recording" | "finishing" | "disconnected" | "kept" | "busy",
  },
  actors: {
    /** Resolves with what an earlier visit has left, opened; null: nothing. */
    find: fromPromise<PersistedTry | null>(async () => notProvided("find")),
    /** Opens the microphone, which captures from then on, and a recording. Rejects with a code. */
    openMicrophone: fromPromise<void, TryLanguages>(async () => notProvided("openMicrophone")),
    capture: fromCallback<TryOutEvent>(() => notProvided("capture")),
    connection: fromCallback<TryOutEvent, TryLanguages>(() => notProvided("connection")),
    /** Offers the sound to be played, until it is stopped. */
    sound: fromCallback<TryOutEvent>(() => notProvided("sound")),
    /** Writes down in this browser what was recognized; null: there was next to no sound. */
    keep: fromPromise<PersistedTry | null, { isRecognized: boolean }>(async () => notProvided("keep")),
    /** Resolves with the recording's id. */
    adopt: fromPromise<string, { ownerId: string }>(async () => notProvided("adopt")),
    discard: fromPromise<void>(async () => notProvided("discard")),
  },
  actions: {
    startOver: assign((_, { languages }: { languages: TryLanguages }) => ({
      languages,
      persisted: null,
      failure: null,
      isRecognized: false,
      losses: 0,
    })),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    rememberRefusal: assign({ failure: (_, { code }: { code: string | null }) => code }),
    rememberPersisted: assign((_, output: PersistedTry | null) => ({
      languages: output?.languages ?? null,
      persisted: output,
      isRecognized: output?.isRecognized === true,
    })),
    rememberLanguages: assign((_, { languages }: { languages: TryLanguages }) => ({
      languages,
      failure: null,
      isRecognized: false,
      losses: 0,
    })),
    rememberRecognized: assign({ isRecognized: true }),
    countLoss: assign({ losses: ({ context }) => context.losses + 1 }),
    trustConnection: assign({ losses: 0 }),
    reset: assign({ languages: null, persisted: null, failure: null, isRecognized: false }),
    emitAdopted: emit((_, output: string): TryOutEmitted => ({ type: "try.adopted", id: output })),
  },
  guards: {
    isNothing: (_, persisted: PersistedTry | null) => persisted === null,
    needsRecognition: ({ context }, output: PersistedTry | null) => context.mayRecognize && output?.isRecognized === false,
    isRefusal: (_, { code }: { code: string | null }) => refusals.has(code),
  },
  delays: {
    limit: tryOutSeconds * 1000,
    finishTimeout: finishTimeoutMs,
    backOff: ({ context }) => Math.min(longestBackOffMs, 500 * 2 ** context.losses),
  },
}).createMachine({
  id: "tryout",
  context: ({ input }) => ({ ...input, languages: null, persisted: null, failure: null, isRecognized: false, losses: 0 }),
  initial: "checking",
  states: {
    checking: {
      tags: "busy",
      invoke: {
        src: "find",
        onDone: [
          { guard: withOutput("isNothing"), target: "idle" },
          { guard: withOutput("needsRecognition"), target: "resumed", actions: withOutput("rememberPersisted") },
          { target: "kept", actions: withOutput("rememberPersisted") },
        ],
        onError: "idle",
      },
    },
    idle: {
      tags: "idle",
      on: {
        "start.requested": { target: "opening", actions: withEvent("startOver") },
      },
    },
    opening: {
      tags: "busy",
      invoke: {
        src: "openMicrophone",
        input: languagesOf,
        onDone: "recognizing",
        onError: { target: "idle", actions: withEvent("rememberFailure") },
      },
      on: { "stop.requested": "idle" },
    },
    /** The page was loaded again before every word was there, or it is to be recognized in other languages. */
    resumed: { always: "recognizing.work.finishing" },
    recognizing: {
      type: "parallel",
      on: {
        "recording.done": { target: "keeping", actions: "rememberRecognized" },
        "recording.over": "keeping",
        "adoption.requested": "adopting",
      },
      states: {
        work: {
          initial: "recording",
          states: {
            recording: {
              tags: "recording",
              invoke: { src: "capture" },
              on: {
                "stop.requested": "finishing",
                "microphone.unplugged": "finishing",
                "limit.reached": "finishing",
              },
              after: { limit: "finishing" },
            },
            finishing: { tags: "finishing", after: { finishTimeout: "#tryout.keeping" } },
          },
        },
        connection: {
          initial: "connected",
          on: {
            "languages.chosen": { target: ".connected", actions: withEvent("rememberLanguages") },
          },
          states: {
            connected: {
              invoke: { src: "connection", input: languagesOf },
              on: {
                "connection.opened": { actions: "trustConnection" },
                "connection.lost": [
                  { guard: withEvent("isRefusal"), target: "#tryout.keeping", actions: withEvent("rememberRefusal") },
                  { target: "waiting", actions: "countLoss" },
                ],
              },
            },
            waiting: { tags: "disconnected", after: { backOff: "connected" } },
          },
        },
      },
    },
    keeping: {
      tags: "busy",
      invoke: {
        src: "keep",
        input: ({ context }) => ({ isRecognized: context.isRecognized }),
        onDone: [
          { guard: withOutput("isNothing"), target: "idle" },
          { target: "kept", actions: withOutput("rememberPersisted") },
        ],
        onError: { target: "kept", actions: withEvent("rememberFailure") },
      },
    },
    kept: {
      tags: "kept",
      invoke: { src: "sound" },
      on: {
        "languages.chosen": { target: "resumed", actions: withEvent("rememberLanguages") },
        "discard.requested": "discarding",
        "adoption.requested": "adopting",
      },
    },
    discarding: {
      tags: "busy",
      invoke: { src: "discard", onDone: { target: "idle", actions: "reset" }, onError: { target: "idle", actions: "reset" } },
    },
    adopting: {
      tags: "busy",
      invoke: {
        src: "adopt",
        input: ({ event }) => ({ ownerId: event.type === "adoption.requested" ? event.ownerId : "" }),
        onDone: { target: "idle", actions: ["reset", withOutput("emitAdopted")] },
        onError: { target: "kept", actions: withEvent("rememberFailure") },
      },
    },
  },
});

type TryOutSnapshot = SnapshotFrom<typeof tryOutMachine>;

export const selectIsIdle = (snapshot: TryOutSnapshot): boolean => snapshot.hasTag("idle");
export const selectIsRecording = (snapshot: TryOutSnapshot): boolean => snapshot.hasTag("recording");
export const selectIsFinishing = (snapshot: TryOutSnapshot): boolean => snapshot.hasTag("finishing");
export const selectIsDisconnected = (snapshot: TryOutSnapshot): boolean => snapshot.hasTag("disconnected");
export const selectIsBusy = (snapshot: TryOutSnapshot): boolean => snapshot.hasTag("busy");
/** What can be taken along; null while there is nothing, or it is still being said. */
export const selectPersistedTry = (snapshot: TryOutSnapshot): PersistedTry | null =>
  snapshot.hasTag("kept") ? snapshot.context.persisted : null;
/** The chosen languages; null until somebody speaks. */
export const selectLanguages = ({ context }: TryOutSnapshot): TryLanguages | null => context.languages;
export const selectFailure = ({ context }: TryOutSnapshot): string | null => context.failure;
