import { assign, emit, fromCallback, sendTo, setup } from "xstate";
import type { RecognitionCommand } from "#machines/dictation/events.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { withEvent } from "#machines/with-event.ts";
import { isHopeless, lastWordsMs, type RecognitionProblem } from "./rules.ts";

export type RecognitionEvent =
  /** From the recorder: the person pauses, resumes or has stopped. */
  | RecognitionCommand
  /** From the actor `listen`: the first words since it started; its error; that it has ended. */
  | { type: "words.recognized" }
  | { type: "listening.failed"; problem: RecognitionProblem }
  | { type: "listening.ended" }
  /** The actor `wakeUps`: the device woke, or the network is back. */
  | { type: "page.resumed" };

/** Sent to the actor `listen`: it ends as soon as it has given its last words. */
export type ListenCommand = { type: "stop.requested" };

/** Emitted to the recorder. `finished`: no word follows. */
export type RecognitionEmitted =
  | { type: "recognition.troubled"; problem: RecognitionProblem | null }
  | { type: "recognition.blocked" }
  | { type: "recognition.finished" };

interface RecognitionContext {
  /** Since this listening began. */
  hasRecognized: boolean;
  problem: RecognitionProblem | null;
  /** Listenings in a row that recognized nothing because of a problem. */
  attempts: number;
}

/**
 * The browser's own recognizer during one recording. Browsers end it after a minute or a silence, and it is restarted
 * until the person stops. Words bypass the machine.
 */
export const recognitionMachine = setup({
  types: { context: {} as RecognitionContext, events: {} as RecognitionEvent, emitted: {} as RecognitionEmitted },
  actors: {
    /** Passes the words on. When it ends, for whatever reason, its interim words become final. */
    listen: fromCallback<ListenCommand>(() => notProvided("listen")),
    wakeUps: fromCallback<RecognitionEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    begin: assign({ hasRecognized: false }),
    trust: assign({ hasRecognized: true, problem: null, attempts: 0 }),
    rememberProblem: assign({ problem: (_, { problem }: { problem: RecognitionProblem }) => problem }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    stopListening: sendTo("listen", { type: "stop.requested" } satisfies ListenCommand),
    emitTrouble: emit(({ context }): RecognitionEmitted => ({ type: "recognition.troubled", problem: context.problem })),
    emitBlocked: emit({ type: "recognition.blocked" }),
    emitFinished: emit({ type: "recognition.finished" }),
  },
  guards: {
    isHopeless: (_, { problem }: { problem: RecognitionProblem }) => isHopeless(problem),
    /** Whether the recognizer works: the person was silent, or spoke longer than the browser listens at a time. */
    isWorking: ({ context }) => context.hasRecognized || context.problem === "noSpeech",
  },
  delays: { lastWords: lastWordsMs, backOff: ({ context }) => exponentialBackOff(context.attempts) },
}).createMachine({
  id: "recognition",
  context: { hasRecognized: false, problem: null, attempts: 0 },
  initial: "listening",
  states: {
    listening: {
      id: "listening",
      entry: "begin",
      invoke: { src: "listen", id: "listen" },
      on: { "words.recognized": { actions: ["trust", "emitTrouble"] } },
      initial: "recognizing",
      states: {
        recognizing: {
          on: {
            "listening.failed": [
              { guard: withEvent("isHopeless"), target: "#blocked", actions: [withEvent("rememberProblem"), "emitTrouble"] },
              { actions: [withEvent("rememberProblem"), "emitTrouble"] },
            ],
            "listening.ended": [
              { guard: "isWorking", target: "#listening", reenter: true },
              { target: "#waiting", actions: "countAttempt" },
            ],
            "pause.requested": "pausing",
            "finish.requested": "finishing",
          },
        },
        pausing: {
          entry: "stopListening",
          after: { lastWords: "#paused" },
          on: {
            "listening.ended": "#paused",
            "resume.requested": { target: "#listening", reenter: true },
            "finish.requested": "finishing",
          },
        },
        finishing: {
          entry: "stopListening",
          after: { lastWords: "#finished" },
          on: { "listening.ended": "#finished" },
        },
      },
    },
    waiting: {
      id: "waiting",
      invoke: { src: "wakeUps" },
      after: { backOff: "listening" },
      on: { "page.resumed": "listening", "pause.requested": "paused", "finish.requested": "finished" },
    },
    paused: { id: "paused", on: { "resume.requested": "listening", "finish.requested": "finished" } },
    blocked: { id: "blocked", entry: "emitBlocked", on: { "finish.requested": "finished" } },
    finished: { id: "finished", entry: "emitFinished" },
  },
});
