import { and, assign, fromCallback, fromPromise, not, sendTo, setup } from "xstate";
import type { RecorderPhase } from "#machines/dictation/selectors.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import type { Side, TranslatorContext, TranslatorEvent, TurnCommand, TypedText } from "./events.ts";

type RecorderChanged = Extract<TranslatorEvent, { type: "recorder.changed" }>;

/** A guard for the recorder's current state. */
const recorderIs = (...wanted: RecorderPhase[]) =>
  ({ type: "isOneOf", params: ({ event }: { event: RecorderChanged }) => ({ phase: event.phase, wanted }) }) as const;

/**
 * The turns of a conversation between two people: one speaks or types, the other reads and hears it in another language. The
 * recorder, which it follows, records a turn; the conversation machine stores the turns.
 */
export const translatorMachine = setup({
  types: { context: {} as TranslatorContext, events: {} as TranslatorEvent },
  actors: {
    /** Reports the recorder's state, at once and on every change; forwards commands to it. */
    recorder: fromCallback<TurnCommand>(() => notProvided("recorder")),
    usage: fromCallback<TranslatorEvent>(() => notProvided("usage")),
    /** Translates typed text and stores it as a turn. Rejects with a code when it could not be stored. */
    compose: fromPromise<void, TypedText>(async () => notProvided("compose")),
    /** Speaks a turn's translation; null for the last one's. Resolves at its end, rejects with a code on failure. */
    speak: fromPromise<void, { turnId: string | null }>(async () => notProvided("speak")),
    /** Plays the original recording. */
    replay: fromPromise<void, { turnId: string | null }>(async () => notProvided("replay")),
  },
  actions: {
    beginTurn: assign({ side: (_, { side }: { side: Side }) => side, isAttended: true, failure: null, voiceFailure: null }),
    beginTyped: assign({
      side: (_, { side }: TypedText) => side,
      typed: (_, { side, text }: TypedText) => ({ side, text }),
      isAttended: true,
      failure: null,
      voiceFailure: null,
    }),
    clearTyped: assign({ typed: null, turnId: null }),
    chooseTurn: assign({ turnId: (_, { turnId }: { turnId: string }) => turnId, voiceFailure: null }),
    chooseLast: assign({ turnId: null }),
    leaveUnattended: assign({ isAttended: false }),
    rememberFailure: assign({ failure: (_, { failure }: { failure: string | null }) => failure ?? "internal" }),
    rememberVoice: assign({ voiceFailure: (_, { error }: { error: unknown }) => codeOf(error) }),
    rememberUsage: assign({ isUsedUp: (_, { isUsedUp }: { isUsedUp: boolean }) => isUsedUp }),
    command: sendTo("recorder", (_, command: TurnCommand) => command),
    startRecorder: sendTo("recorder", ({ context }) => ({ type: "start.requested", side: context.side }) satisfies TurnCommand),
  },
  guards: {
    isOneOf: (_, { phase, wanted }: { phase: RecorderPhase; wanted: readonly RecorderPhase[] }) => wanted.includes(phase),
    isUsedUp: ({ context }) => context.isUsedUp,
    isLimit: ({ event }) => event.type === "recorder.changed" && event.failure === "limitReached",
    wasTyped: ({ context }) => context.typed !== null,
    isAttended: ({ context }) => context.isAttended,
    /** Speaking translations is switched on, and there is one. */
    isToBeSpoken: (): boolean => notProvided("isToBeSpoken"),
  },
}).createMachine({
  id: "translator",
  context: {
    side: 0,
    isAttended: false,
    typed: null,
    turnId: null,
    failure: null,
    voiceFailure: null,
    isUsedUp: false,
  },
  initial: "rest",
  invoke: [{ src: "recorder", id: "recorder" }, { src: "usage" }],
  on: {
    "recorder.changed": [
      { guard: recorderIs("requestingMicrophone"), target: ".turn.askingForMicrophone" },
      { guard: recorderIs("recording", "stopping"), target: ".turn.listening" },
      { guard: recorderIs("paused"), target: ".turn.paused" },
      { guard: recorderIs("reconnecting", "finishingOffline"), target: ".turn.offline" },
      { guard: recorderIs("finishing"), target: ".turn.transcribing" },
      { guard: recorderIs("saving"), target: ".turn.translating" },
    ],
    "usage.changed": { actions: { type: "rememberUsage", params: ({ event }) => event } },
    "page.left": { actions: ["leaveUnattended", { type: "command", params: { type: "stop.requested" } }] },
  },
  states: {
    /** No recording is under way. */
    rest: {
      initial: "idle",
      on: {
        "speak.requested": [
          { guard: "isUsedUp", target: ".limited" },
          { target: ".idle", actions: [{ type: "beginTurn", params: ({ event }) => event }, "startRecorder"] },
        ],
        "text.submitted": { target: "composing", actions: { type: "beginTyped", params: ({ event }) => event } },
        "replay.requested": { target: ".replaying", actions: { type: "chooseTurn", params: ({ event }) => event } },
        "translation.playRequested": { target: ".speaking", actions: { type: "chooseTurn", params: ({ event }) => event } },
      },
      states: {
        idle: { always: { guard: "isUsedUp", target: "limited" } },
        /** The month's free minutes are used up: existing turns stay, typing still works. */
        limited: { id: "limited", always: { guard: not("isUsedUp"), target: "idle" } },
        speaking: {
          id: "speaking",
          invoke: {
            src: "speak",
            input: ({ context }) => ({ turnId: context.turnId }),
            onDone: "idle",
            onError: { target: "idle", actions: { type: "rememberVoice", params: ({ event }) => event } },
          },
          on: { "stop.requested": "idle", "page.left": "idle" },
        },
        replaying: {
          invoke: {
            src: "replay",
            input: ({ context }) => ({ turnId: context.turnId }),
            onDone: "idle",
            onError: { target: "idle", actions: { type: "rememberVoice", params: ({ event }) => event } },
          },
          on: { "stop.requested": "idle", "page.left": "idle" },
        },
        nothingHeard: {
          id: "nothingHeard",
          on: {
            // The turn is repeated: the silent recording is not needed any more.
            "speak.requested": {
              target: "#clearing",
              actions: [
                { type: "beginTurn", params: ({ event }) => event },
                { type: "command", params: { type: "discard.requested" } },
              ],
            },
            "keep.requested": { actions: { type: "command", params: { type: "keep.requested" } } },
            "discard.requested": { target: "idle", actions: { type: "command", params: { type: "discard.requested" } } },
          },
        },
        failed: {
          id: "failed",
          on: {
            "retry.requested": [
              { guard: "wasTyped", target: "#composing" },
              { target: "idle", actions: { type: "command", params: { type: "retry.requested" } } },
            ],
          },
        },
      },
    },
    /** One text at a time: nothing else starts meanwhile. */
    composing: {
      id: "composing",
      invoke: {
        src: "compose",
        input: ({ context }) => context.typed ?? { side: context.side, text: "" },
        onDone: [
          { guard: and(["isAttended", "isToBeSpoken"]), target: "rest.speaking", actions: "clearTyped" },
          { target: "rest", actions: "clearTyped" },
        ],
        onError: {
          target: "rest.failed",
          actions: { type: "rememberFailure", params: ({ event }) => ({ failure: codeOf(event.error) }) },
        },
      },
    },
    /** The recorder discards the silent recording before it starts anew. */
    clearing: {
      id: "clearing",
      on: { "recorder.changed": { guard: recorderIs("idle"), target: "rest", actions: "startRecorder" } },
    },
    turn: {
      id: "turn",
      initial: "askingForMicrophone",
      entry: "clearTyped",
      on: {
        "stop.requested": { actions: { type: "command", params: { type: "stop.requested" } } },
        "recorder.changed": [
          { guard: recorderIs("nothingHeard"), target: "#nothingHeard" },
          {
            guard: "isLimit",
            target: "#limited",
            actions: [
              { type: "rememberUsage", params: { isUsedUp: true } },
              // Captured audio is offered again from there.
              { type: "command", params: { type: "reset.requested" } },
            ],
          },
          {
            guard: recorderIs("failed"),
            target: "#failed",
            actions: { type: "rememberFailure", params: ({ event }) => event },
          },
          { guard: recorderIs("saved"), target: ".over" },
          { guard: recorderIs("idle", "checking"), target: "rest" },
        ],
      },
      states: {
        askingForMicrophone: {},
        listening: { on: { "pause.requested": { actions: { type: "command", params: { type: "pause.requested" } } } } },
        paused: { on: { "resume.requested": { actions: { type: "command", params: { type: "resume.requested" } } } } },
        /** The turn is stored here, and sent when the network is back. */
        offline: {},
        transcribing: {},
        translating: {},
        over: {
          always: [
            { guard: and(["isAttended", "isToBeSpoken"]), target: "#speaking", actions: "chooseLast" },
            { target: "#translator.rest" },
          ],
        },
      },
    },
  },
});
