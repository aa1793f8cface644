import { assign, fromCallback, fromPromise, sendTo, setup } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import type { CaptureCommand, RecorderContext, RecorderEvent, RecorderLanguages, RecorderLeftover } from "./events.ts";

/** DESIGN.md section 9: without it the last words are cut off. */
const keepRecordingMs = 300;
/** Time-out for opening a connection, and interval of the check whether it is alive. */
const connectionTimeoutMs = 15_000;
/** How often an engine may fail in a row, without recognising a word, before the person is asked. */
const maxTroubles = 4;
/** Retrying can't change these. */
const hopeless = new Set<string | null>(["languageUnavailable", "badRequest", "forbidden", "limitReached", "quotaReached"]);

/** What the browser could not store is in the page's memory only. */
const holdIfMemoryOnly = {
  src: "leaving",
  input: ({ context }: { context: RecorderContext }) => ({ isAtRisk: context.storageTrouble }),
} as const;

/**
 * Dictation, from pressing the button to the saved transcription. Frames, captions and levels bypass the machine; the actors
 * share the open recording. Captured audio stays in the browser until the server has saved it.
 */
export const recorderMachine = setup({
  types: { context: {} as RecorderContext, events: {} as RecorderEvent },
  actors: {
    /** Releases what is open; resolves with the unfinished recordings. */
    findLeftovers: fromPromise<readonly RecorderLeftover[]>(async () => notProvided("findLeftovers")),
    /** Opens the microphone, which captures from then on, and a recording. Rejects with a code. */
    openMicrophone: fromPromise<void, RecorderLanguages>(async () => notProvided("openMicrophone")),
    /** Resolves with the recording's languages. */
    openLeftover: fromPromise<RecorderLanguages, { id: string }>(async () => notProvided("openLeftover")),
    discardLeftover: fromPromise<void, { id: string }>(async () => notProvided("discardLeftover")),
    saveUnsaved: fromPromise<void>(async () => notProvided("saveUnsaved")),
    /** Resolves with the transcription's id. */
    save: fromPromise<string>(async () => notProvided("save")),
    discard: fromPromise<void>(async () => notProvided("discard")),
    capture: fromCallback<CaptureCommand>(() => notProvided("capture")),
    connection: fromCallback<RecorderEvent>(() => notProvided("connection")),
    wakeUps: fromCallback<RecorderEvent>(() => notProvided("wakeUps")),
    /** Warns before the page is left, if that would lose something. */
    leaving: fromCallback<RecorderEvent, { isAtRisk: boolean }>(() => notProvided("leaving")),
  },
  actions: {
    rememberLanguages: assign({
      languages: (_, { sourceLanguage, targetLanguage }: RecorderLanguages) => ({ sourceLanguage, targetLanguage }),
    }),
    beginAnew: assign({ storageTrouble: false, unplugged: false, limitReached: false, failure: null, savedId: null }),
    rememberLimit: assign({ limitReached: true }),
    resetLimit: assign({ limitReached: false }),
    trustConnection: assign({ attempts: 0, troubles: 0, lostCode: null }),
    countLoss: assign(({ context, event }) => {
      const code = event.type === "connection.lost" ? event.code : null;
      return { attempts: context.attempts + 1, troubles: context.troubles + (code === null ? 0 : 1), lostCode: code };
    }),
    resetAttempts: assign({ attempts: 0, lostCode: null }),
    rememberFailure: assign({ failure: (_, { error }: { error: unknown }) => codeOf(error) }),
    failByConnection: assign({ failure: ({ context }) => context.lostCode ?? "network" }),
    rememberLeftovers: assign({ leftovers: (_, { output }: { output: readonly RecorderLeftover[] }) => output }),
    dropLeftover: assign({
      leftovers: ({ context }, { id }: { id: string }) => context.leftovers.filter((leftover) => leftover.id !== id),
    }),
  },
  guards: {
    wordsWereHeard: (): boolean => notProvided("wordsWereHeard"),
    isUnresponsive: (): boolean => notProvided("isUnresponsive"),
    isHopeless: ({ context }) => hopeless.has(context.lostCode),
    isGivenUp: ({ context: { lostCode, attempts, troubles } }) =>
      hopeless.has(lostCode) || (lostCode === "unauthorized" && attempts > 1) || troubles >= maxTroubles,
    wasOffline: ({ context }) => context.failure === "network",
  },
  delays: {
    keepRecording: keepRecordingMs,
    connectionTimeout: connectionTimeoutMs,
    backOff: ({ context }) => exponentialBackOff(Math.max(context.attempts, context.troubles)),
  },
}).createMachine({
  id: "recorder",
  context: {
    languages: { sourceLanguage: "auto", targetLanguage: null },
    leftovers: [],
    storageTrouble: false,
    unplugged: false,
    limitReached: false,
    attempts: 0,
    troubles: 0,
    lostCode: null,
    failure: null,
    savedId: null,
  },
  initial: "checking",
  on: { "storage.troubled": { actions: assign({ storageTrouble: true }) } },
  states: {
    checking: {
      invoke: {
        src: "findLeftovers",
        onDone: { target: "resting.idle", actions: { type: "rememberLeftovers", params: ({ event }) => event } },
        onError: "resting.idle",
      },
    },
    /** Nothing is under way. */
    resting: {
      initial: "idle",
      on: {
        "start.requested": {
          target: "requestingMicrophone",
          actions: { type: "rememberLanguages", params: ({ event }) => event },
        },
        "leftover.resumeRequested": {
          target: "openingLeftover",
          actions: { type: "dropLeftover", params: ({ event }) => event },
        },
        "leftover.discardRequested": "discardingLeftover",
        "unsaved.saveRequested": "savingUnsaved",
        "reset.requested": { target: "checking", actions: "resetLimit" },
      },
      states: {
        idle: {},
        saved: {
          id: "saved",
          // Another one may have been set aside before this one began.
          invoke: {
            src: "findLeftovers",
            onDone: { actions: { type: "rememberLeftovers", params: ({ event }) => event } },
            onError: {},
          },
        },
        failed: {
          id: "failed",
          initial: "microphone",
          states: {
            microphone: { on: { "retry.requested": "#recorder.requestingMicrophone" } },
            finishing: { entry: "failByConnection", invoke: holdIfMemoryOnly, on: { "retry.requested": "#finishing" } },
            saving: {
              invoke: [{ src: "wakeUps" }, holdIfMemoryOnly],
              on: { "retry.requested": "#recorder.saving", "page.resumed": { guard: "wasOffline", target: "#recorder.saving" } },
            },
            savingUnsaved: { on: { "retry.requested": "#recorder.savingUnsaved" } },
          },
        },
      },
    },
    requestingMicrophone: {
      entry: "beginAnew",
      invoke: {
        src: "openMicrophone",
        input: ({ context }) => context.languages,
        onDone: "session",
        onError: { target: "#failed.microphone", actions: { type: "rememberFailure", params: ({ event }) => event } },
      },
      on: { "stop.requested": "checking" },
    },
    openingLeftover: {
      entry: "beginAnew",
      invoke: {
        src: "openLeftover",
        input: ({ event }) => ({ id: event.type === "leftover.resumeRequested" ? event.id : "" }),
        onDone: { target: "#finishing", actions: { type: "rememberLanguages", params: ({ event }) => event.output } },
        onError: "checking",
      },
    },
    discardingLeftover: {
      invoke: {
        src: "discardLeftover",
        input: ({ event }) => ({ id: event.type === "leftover.discardRequested" ? event.id : "" }),
        onDone: "checking",
        onError: "checking",
      },
    },
    savingUnsaved: {
      invoke: {
        src: "saveUnsaved",
        onDone: "checking",
        onError: { target: "#failed.savingUnsaved", actions: { type: "rememberFailure", params: ({ event }) => event } },
      },
    },
    session: {
      type: "parallel",
      entry: "trustConnection",
      invoke: [{ src: "wakeUps" }, { src: "leaving", input: { isAtRisk: true } }],
      on: {
        "recording.done": [{ guard: "wordsWereHeard", target: "saving" }, { target: "nothingHeard" }],
        "recording.over": "#saved",
        "limit.reached": { actions: "rememberLimit" },
      },
      states: {
        connection: {
          initial: "connected",
          states: {
            connected: {
              invoke: { src: "connection", id: "connection" },
              initial: "opening",
              on: {
                "connection.lost": { target: "waiting", actions: "countLoss" },
                "connection.advanced": { actions: "trustConnection" },
              },
              states: {
                opening: {
                  on: { "connection.opened": { target: "online", actions: "resetAttempts" } },
                  after: { connectionTimeout: { target: "#waiting", actions: "countLoss" } },
                },
                online: {
                  after: {
                    connectionTimeout: [
                      { guard: "isUnresponsive", target: "#waiting", actions: "countLoss" },
                      { target: "online", reenter: true },
                    ],
                  },
                },
              },
            },
            waiting: { id: "waiting", after: { backOff: "connected" }, on: { "page.resumed": "connected" } },
          },
        },
        work: {
          initial: "capturing",
          states: {
            capturing: {
              invoke: { src: "capture", id: "capture" },
              initial: "recording",
              // The audio is kept, but a person who dictates without a connection must see that.
              always: { guard: "isHopeless", target: "#failed.finishing" },
              on: { "microphone.unplugged": { target: "finishing", actions: assign({ unplugged: true }) } },
              states: {
                recording: {
                  on: {
                    "stop.requested": "stopping",
                    "pause.requested": "paused",
                    // Recording stops when the server accepts no more.
                    "limit.reached": { target: "stopping", actions: "rememberLimit" },
                  },
                },
                paused: {
                  entry: sendTo("capture", { type: "mute.requested" } as const),
                  exit: sendTo("capture", { type: "unmute.requested" } as const),
                  on: {
                    "resume.requested": "recording",
                    "stop.requested": "#finishing",
                    "limit.reached": { target: "#finishing", actions: "rememberLimit" },
                  },
                },
                stopping: { after: { keepRecording: "#finishing" } },
              },
            },
            finishing: { id: "finishing", always: { guard: "isGivenUp", target: "#failed.finishing" } },
          },
        },
      },
    },
    saving: {
      invoke: [
        holdIfMemoryOnly,
        {
          src: "save",
          onDone: { target: "#saved", actions: assign({ savedId: ({ event }) => event.output }) },
          onError: { target: "#failed.saving", actions: { type: "rememberFailure", params: ({ event }) => event } },
        },
      ],
    },
    nothingHeard: {
      invoke: holdIfMemoryOnly,
      on: { "keep.requested": "saving", "discard.requested": "discarding", "reset.requested": "checking" },
    },
    discarding: { invoke: { src: "discard", onDone: "checking", onError: "checking" } },
  },
});
