import { assign, emit, fromCallback, fromPromise, or, sendTo, setup, stateIn } from "xstate";
import type { HeardBy } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import type {
  CaptureCommand,
  CaptureRequest,
  ConnectionCommand,
  RecognitionCommand,
  RecorderContext,
  RecorderEmitted,
  RecorderEvent,
  RecorderLanguages,
  RecorderLeftover,
  RecorderSource,
  RecorderTag,
} from "./events.ts";
import type { RecognitionProblem } from "./recognition/rules.ts";

/** DESIGN.md section 9: without it the last words are cut off. */
const keepRecordingMs = 300;
/** Time-out for opening a connection, and interval of the check whether it is alive. */
const connectionTimeoutMs = 15_000;
/** How often an engine may fail in a row, without recognizing a word, before the person is asked. */
const maxTroubles = 4;
/** Retrying can't change these. */
const hopeless = new Set<string | null>(["languageUnavailable", "badRequest", "forbidden", "limitReached", "quotaReached"]);

/** The next recording that is finished automatically. */
const waitingOf = ({ leftovers, tried }: RecorderContext) =>
  leftovers.find(({ id, waits }) => waits !== undefined && !tried.includes(id));

/** The recorder's setup (machine.ts): its actors, actions, guards and delays. */
export const recorderSetup = setup({
  types: {
    context: {} as RecorderContext,
    events: {} as RecorderEvent,
    emitted: {} as RecorderEmitted,
    tags: {} as RecorderTag,
  },
  actors: {
    /** Releases the open recording, and resolves with the unfinished recordings. */
    findLeftovers: fromPromise<readonly RecorderLeftover[]>(async () => notProvided("findLeftovers")),
    /** Opens the source, which captures from then on, and a recording. Rejects with a code. */
    openMicrophone: fromPromise<void, CaptureRequest>(async () => notProvided("openMicrophone")),
    /** Resolves with the recording's languages. */
    openLeftover: fromPromise<RecorderLanguages, { id: string }>(async () => notProvided("openLeftover")),
    /** Releases the open recording, which waits in this browser for a network. */
    setAside: fromPromise<void>(async () => notProvided("setAside")),
    discardLeftover: fromPromise<void, { id: string }>(async () => notProvided("discardLeftover")),
    saveUnsaved: fromPromise<void>(async () => notProvided("saveUnsaved")),
    /** Resolves with the transcription's id. */
    save: fromPromise<string>(async () => notProvided("save")),
    /** Shows the transcript in the page's place. Resolves with whether it did: the person may have left the page. */
    openTranscript: fromPromise<boolean, { id: string }>(async () => notProvided("openTranscript")),
    discard: fromPromise<void>(async () => notProvided("discard")),
    capture: fromCallback<CaptureCommand>(() => notProvided("capture")),
    connection: fromCallback<ConnectionCommand>(() => notProvided("connection")),
    /**
     * The recognizer of the browser (recognition/machine.ts) or of this device. Does nothing if the server recognizes
     * the recording.
     */
    recognition: fromCallback<RecognitionCommand, { by: HeardBy | null }>(() => notProvided("recognition")),
    wakeUps: fromCallback<RecorderEvent>(() => notProvided("wakeUps")),
    /** Warns before the page is left, if that would lose something. */
    leaving: fromCallback<RecorderEvent, { isAtRisk: boolean }>(() => notProvided("leaving")),
  },
  actions: {
    rememberLanguages: assign({
      languages: (_, { sourceLanguage, targetLanguage, heardBy, staysHere }: RecorderLanguages) => ({
        sourceLanguage,
        targetLanguage,
        heardBy,
        staysHere,
      }),
    }),
    startOver: assign({
      storageTrouble: false,
      unplugged: false,
      displayEnded: false,
      limitReached: false,
      recognitionProblem: null,
      failure: null,
      isAwaited: false,
      savedId: null,
    }),
    chooseSource: assign({ source: (_, { source }: { source: RecorderSource }) => source }),
    /** Stores that the open recording may be sent. */
    allowSending: () => notProvided("allowSending"),
    noteAllowed: assign({ languages: ({ context }) => ({ ...context.languages, staysHere: false }) }),
    askNothing: assign({ isAutomatic: true }),
    noteSilence: assign({ isSilent: ({ event }) => event.type === "silence.began" }),
    beginRecognition: assign({ recognizedBy: ({ context }) => context.languages.heardBy ?? null }),
    /** For an unfinished recording, this device continues where it stopped. */
    continueRecognition: assign({
      recognizedBy: ({ context }) => (context.languages.heardBy === "device" ? "device" : context.recognizedBy),
    }),
    endRecognition: assign({ recognizedBy: null }),
    chooseDevice: assign({ languages: ({ context }) => ({ ...context.languages, heardBy: "device" as const }) }),
    leaveToServer: assign({
      languages: ({ context }) => ({ ...context.languages, heardBy: undefined }),
      recognizedBy: null,
    }),
    rememberProblem: assign({ recognitionProblem: (_, { problem }: { problem: RecognitionProblem | null }) => problem }),
    commandRecognition: sendTo("recognition", (_, command: RecognitionCommand) => command),
    rememberLimit: assign(({ event }) => ({
      limitReached: true,
      endedInSilence: event.type === "limit.reached" && event.silence === true,
    })),
    resetLimit: assign({ limitReached: false }),
    trustConnection: assign({ attempts: 0, troubles: 0, lostCode: null }),
    countLoss: assign(({ context, event }) => {
      const code = event.type === "connection.lost" ? event.code : null;
      return { attempts: context.attempts + 1, troubles: context.troubles + (code === null ? 0 : 1), lostCode: code };
    }),
    resetAttempts: assign({ attempts: 0, lostCode: null }),
    checkConnection: sendTo("connection", { type: "connection.checkRequested" } as const),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    failByConnection: assign({ failure: ({ context }) => context.lostCode ?? "network" }),
    rememberLeftovers: assign({ leftovers: (_, leftovers: readonly RecorderLeftover[]) => leftovers }),
    clearLeftovers: assign({ leftovers: [] }),
    chooseLeftover: assign({ leftoverId: (_, { id }: { id: string }) => id, isAutomatic: false }),
    chooseWaiting: assign(({ context }) => {
      const id = waitingOf(context)?.id ?? "";
      return { leftoverId: id, isAutomatic: true, tried: [...context.tried, id] };
    }),
    beginTrying: assign({ tried: [] }),
    dropLeftover: assign({
      leftovers: ({ context }) => context.leftovers.filter((leftover) => leftover.id !== context.leftoverId),
    }),
    emitReady: emit({ type: "recorder.ready" }),
    emitStarted: emit({ type: "recording.started" }),
    emitSaved: emit({ type: "recording.saved" }),
    emitMissed: emit({ type: "speech.missed" }),
    emitFailed: emit(({ context }): RecorderEmitted => ({ type: "recording.failed", failure: context.failure ?? "internal" })),
  },
  guards: {
    hasWords: (_, { hasWords }: { hasWords: boolean }) => hasWords,
    /** Whether there is certainly no network; false without an implementation. */
    isAway: () => false,
    /**
     * Whether the model on this device recognizes the recording although the server was chosen; false without an
     * implementation.
     */
    isForDevice: (_, __: RecorderLanguages) => false,
    /** Whether no more words come from this device. */
    isRecognized: or([({ context }) => context.recognizedBy !== "device", stateIn("#recognized")]),
    /** Audio that is only in this page's memory would be lost. */
    isStored: ({ context }) => !context.storageTrouble,
    staysHere: ({ context }) => context.languages.staysHere === true,
    hasWaiting: ({ context }) => waitingOf(context) !== undefined,
    isAutomatic: ({ context }) => context.isAutomatic,
    isAwaited: ({ context }) => context.isAwaited,
    isHopeless: ({ context }) => hopeless.has(context.lostCode),
    hasGivenUp: ({ context: { lostCode, attempts, troubles } }) =>
      hopeless.has(lostCode) || (lostCode === "unauthorized" && attempts > 1) || troubles >= maxTroubles,
    wasOffline: ({ context }) => context.failure === "network",
  },
  delays: {
    keepRecording: keepRecordingMs,
    connectionTimeout: connectionTimeoutMs,
    backOff: ({ context }) => exponentialBackOff(Math.max(context.attempts, context.troubles)),
  },
});
