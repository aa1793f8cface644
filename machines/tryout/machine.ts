import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { type SpeechLanguage, tryOutSeconds } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** Time limit for the last words (ms), including lost connections. */
const finishTimeoutMs = 60_000;
const longestBackOffMs = 8_000;

/** The spoken language and the target language; null: no translation. */
export interface TryLanguages {
  source: SpeechLanguage;
  target: string | null;
}

/** The recording, which is stored only in this browser. */
export interface PersistedTry {
  seconds: number;
  /** Whether the text is complete. */
  isRecognized: boolean;
  languages: TryLanguages;
}

export type TryOutEvent =
  /** The person starts, stops or discards the recording. */
  | { type: "start.requested"; languages: TryLanguages }
  | { type: "stop.requested" }
  | { type: "discard.requested" }
  /** The person chooses other languages: the whole recording is recognized again. */
  | { type: "languages.chosen"; languages: TryLanguages }
  /** The person, who now has an account, saves the recording as a transcript. */
  | { type: "adoption.requested"; ownerId: string }
  /** Sent by the actor `capture`. */
  | { type: "microphone.unplugged" }
  /** Sent by the actor `connection`; `code` is null when the loss has no known reason. */
  | { type: "connection.opened" }
  | { type: "connection.advanced" }
  | { type: "connection.lost"; code: string | null }
  /** The server accepts no more of the recording. */
  | { type: "limit.reached" }
  /** Every word is final. */
  | { type: "recording.done" }
  | { type: "recording.over" };

/** The recording has become one of the person's unfinished recordings. */
export type TryOutEmitted = { type: "try.adopted"; id: string };

interface TryOutInput {
  /** False when a person is signed in: the visitors' server is not needed, and the recording is only offered. */
  mayRecognize: boolean;
}

interface TryOutContext extends TryOutInput {
  /** Null until the person speaks. */
  languages: TryLanguages | null;
  persisted: PersistedTry | null;
  /** An error code, or one of the microphone's problems. */
  failure: string | null;
  isRecognized: boolean;
  /** Connections lost in a row. */
  losses: number;
}

/** English only if nobody has spoken yet. */
const languagesOf = ({ context: { languages } }: { context: TryOutContext }): TryLanguages =>
  languages ?? { source: "en", target: null };

/** Retrying at once can't help with these. */
const refusals = new Set<string | null>(["languageUnavailable", "badRequest", "tooManyRequests", "tooManyAtOnce", "forbidden"]);

/**
 * Thirty seconds of dictation without an account. The audio is stored in this browser before it is sent, and stays.
 * After a lost connection, or when the languages change, it is sent again from the beginning. A reloaded page continues
 * with it, and it can be saved after signing up.
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
    /** Resolves with the opened recording of an earlier visit; null for none. */
    find: fromPromise<PersistedTry | null>(async () => notProvided("find")),
    /** Opens the microphone, which captures from then on, and a recording. Rejects with a code. */
    openMicrophone: fromPromise<void, TryLanguages>(async () => notProvided("openMicrophone")),
    capture: fromCallback<TryOutEvent>(() => notProvided("capture")),
    connection: fromCallback<TryOutEvent, TryLanguages>(() => notProvided("connection")),
    /** Makes the audio available for playback until the actor is stopped. */
    sound: fromCallback<TryOutEvent>(() => notProvided("sound")),
    /** Stores the recognized text in this browser. Resolves with null if there was almost no audio. */
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
    /** The page was reloaded before the text was complete, or the languages changed. */
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
/** The recording that can be saved; null for none, or while the person is still speaking. */
export const selectPersistedTry = (snapshot: TryOutSnapshot): PersistedTry | null =>
  snapshot.hasTag("kept") ? snapshot.context.persisted : null;
/** The chosen languages; null until the person speaks. */
export const selectLanguages = ({ context }: TryOutSnapshot): TryLanguages | null => context.languages;
export const selectFailure = ({ context }: TryOutSnapshot): string | null => context.failure;
