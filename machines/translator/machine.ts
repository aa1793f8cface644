import { assign, fromCallback, fromPromise, not, sendTo, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { Side, TranslatorContext, TranslatorEvent, TranslatorTag, TurnCommand, TypedText } from "./events.ts";

/**
 * The turns of a conversation between two people: one speaks or types, the other reads and hears it in another
 * language. The recorder records a turn, and its state is shown in that time; the conversation machine stores the
 * turns.
 */
export const translatorMachine = setup({
  types: { context: {} as TranslatorContext, events: {} as TranslatorEvent, tags: {} as TranslatorTag },
  actors: {
    /** Passes on what the recorder emits, and commands to it. */
    recorder: fromCallback<TurnCommand>(() => notProvided("recorder")),
    usage: fromCallback<TranslatorEvent>(() => notProvided("usage")),
    /**
     * Translates typed text and stores it as a turn. Resolves with whether to speak the translation; rejects with a
     * code if it could not be stored.
     */
    compose: fromPromise<{ isSpoken: boolean }, TypedText>(async () => notProvided("compose")),
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
    rememberFailure: assign({ failure: (_, { failure }: { failure: string }) => failure }),
    rememberVoice: assign({ voiceFailure: (_, { error }: Failed) => codeOf(error) }),
    rememberUsage: assign({ isUsedUp: (_, { isUsedUp }: { isUsedUp: boolean }) => isUsedUp }),
    command: sendTo("recorder", (_, command: TurnCommand) => command),
    startRecorder: sendTo("recorder", ({ context }) => ({ type: "start.requested", side: context.side }) satisfies TurnCommand),
  },
  guards: {
    isUsedUp: ({ context }) => context.isUsedUp,
    isLimit: (_, { failure }: { failure: string }) => failure === "limitReached",
    wasTyped: ({ context }) => context.typed !== null,
    /** A translation is not spoken after the page was left. */
    isToBeSpoken: ({ context }, { isSpoken }: { isSpoken: boolean }) => context.isAttended && isSpoken,
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
    "recording.started": ".turn",
    "usage.changed": { actions: withEvent("rememberUsage") },
    "page.left": { actions: ["leaveUnattended", { type: "command", params: { type: "stop.requested" } }] },
  },
  states: {
    /** No recording is in progress. */
    rest: {
      initial: "idle",
      on: {
        "speak.requested": [
          { guard: "isUsedUp", target: ".limited" },
          { target: ".idle", actions: [withEvent("beginTurn"), "startRecorder"] },
        ],
        "text.submitted": { target: "composing", actions: withEvent("beginTyped") },
        "replay.requested": { target: ".replaying", actions: withEvent("chooseTurn") },
        "translation.playRequested": { target: ".speaking", actions: withEvent("chooseTurn") },
      },
      states: {
        idle: { always: { guard: "isUsedUp", target: "limited" } },
        /** The month's free minutes are used up: existing turns stay, typing still works. */
        limited: { id: "limited", tags: "limited", always: { guard: not("isUsedUp"), target: "idle" } },
        speaking: {
          id: "speaking",
          tags: "speaking",
          invoke: {
            src: "speak",
            input: ({ context }) => ({ turnId: context.turnId }),
            onDone: "idle",
            onError: { target: "idle", actions: withEvent("rememberVoice") },
          },
          on: { "stop.requested": "idle", "page.left": "idle" },
        },
        replaying: {
          tags: "replaying",
          invoke: {
            src: "replay",
            input: ({ context }) => ({ turnId: context.turnId }),
            onDone: "idle",
            onError: { target: "idle", actions: withEvent("rememberVoice") },
          },
          on: { "stop.requested": "idle", "page.left": "idle" },
        },
        nothingHeard: {
          id: "nothingHeard",
          tags: "nothingHeard",
          on: {
            // The turn is repeated: the silent recording is not needed any more.
            "speak.requested": {
              target: "#clearing",
              actions: [withEvent("beginTurn"), { type: "command", params: { type: "discard.requested" } }],
            },
            "keep.requested": { actions: { type: "command", params: { type: "keep.requested" } } },
            "discard.requested": { target: "idle", actions: { type: "command", params: { type: "discard.requested" } } },
          },
        },
        failed: {
          id: "failed",
          tags: "failed",
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
      tags: ["underWay", "translating"],
      invoke: {
        src: "compose",
        input: ({ context }) => context.typed ?? { side: context.side, text: "" },
        onDone: [
          { guard: withOutput("isToBeSpoken"), target: "rest.speaking", actions: "clearTyped" },
          { target: "rest", actions: "clearTyped" },
        ],
        onError: {
          target: "rest.failed",
          actions: { type: "rememberFailure", params: ({ event }) => ({ failure: codeOf(event.error) }) },
        },
      },
    },
    /** The recorder discards the silent recording before it starts again. */
    clearing: {
      id: "clearing",
      on: { "recorder.ready": { target: "rest", actions: "startRecorder" } },
    },
    /**
     * The recorder is active. A turn without a connection is stored in this browser, and sent when the network is back.
     */
    turn: {
      id: "turn",
      tags: "underWay",
      entry: "clearTyped",
      on: {
        "stop.requested": { actions: { type: "command", params: { type: "stop.requested" } } },
        "pause.requested": { actions: { type: "command", params: { type: "pause.requested" } } },
        "resume.requested": { actions: { type: "command", params: { type: "resume.requested" } } },
        "speech.missed": "rest.nothingHeard",
        "recording.failed": [
          {
            guard: withEvent("isLimit"),
            target: "rest.limited",
            actions: [
              { type: "rememberUsage", params: { isUsedUp: true } },
              // Captured audio is offered again from there.
              { type: "command", params: { type: "reset.requested" } },
            ],
          },
          { target: "rest.failed", actions: withEvent("rememberFailure") },
        ],
        "recording.saved": [
          { guard: withEvent("isToBeSpoken"), target: "rest.speaking", actions: "chooseLast" },
          { target: "rest" },
        ],
        "recorder.ready": "rest",
      },
    },
  },
});
