import { assign, emit, fromCallback, fromPromise, sendTo, setup } from "xstate";
import type { RecognitionCommand } from "#machines/dictation/events.ts";
import type { ListenCommand } from "#machines/dictation/recognition/machine.ts";
import type { RecognitionProblem } from "#machines/dictation/recognition/rules.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** How often the browser may stop the recognizer's worker, for lack of memory, before this device counts as unable. */
const maxLosses = 2;

/** The browser has ended the recogniser's worker. @param code a code of the locale files (`device-models:failure.*`) */
const isLoss = (code: string): boolean => code === "workerLost";

export type DeviceRecognitionEvent =
  /** From the recorder: audio starts to arrive, or the complete audio of an unfinished recording is there. */
  | { type: "capture.began" }
  /** From the recorder: the person has stopped. A pause has no audio and changes nothing. */
  | RecognitionCommand
  /** From the actor `listen`: why it stopped early (`device-models:failure.<code>`); that every word is there. */
  | { type: "listening.failed"; code: string }
  | { type: "listening.ended" };

/** Emitted to the recorder. `finished`: no word follows; `failed`: this device can't recognize all of the recording. */
export type DeviceRecognitionEmitted =
  | { type: "recognition.troubled"; problem: RecognitionProblem }
  | { type: "recognition.finished" }
  | { type: "recognition.failed" };

/**
 * The model on this device during one recording. Audio that it could not recognize live is recognized afterwards from
 * storage. Audio and words bypass the machine.
 */
export const deviceRecognitionMachine = setup({
  types: {
    context: {} as { losses: number },
    events: {} as DeviceRecognitionEvent,
    emitted: {} as DeviceRecognitionEmitted,
  },
  actors: {
    /** Recognizes the audio as it arrives. After a stop, it recognizes the rest and ends. */
    listen: fromCallback<ListenCommand>(() => notProvided("listen")),
    /** Recognizes the stored audio that has no words yet. Rejects with a code (`device-models:failure.*`). */
    recognizeRest: fromPromise<void>(async () => notProvided("recognizeRest")),
  },
  actions: {
    countLoss: assign({ losses: ({ context }, { code }: { code: string }) => context.losses + (isLoss(code) ? 1 : 0) }),
    stopListening: sendTo("listen", { type: "stop.requested" } satisfies ListenCommand),
    emitProblem: emit((_, problem: RecognitionProblem): DeviceRecognitionEmitted => ({ type: "recognition.troubled", problem })),
    emitFinished: emit({ type: "recognition.finished" }),
    emitFailed: emit({ type: "recognition.failed" }),
  },
  guards: {
    mayTryAgain: ({ context }, { error }: Failed) => isLoss(codeOf(error)) && context.losses + 1 < maxLosses,
  },
}).createMachine({
  id: "deviceRecognition",
  context: { losses: 0 },
  initial: "waiting",
  states: {
    /** The rest is recognized once the audio is complete. */
    waiting: { id: "waiting", on: { "capture.began": "listening", "finish.requested": "rest" } },
    listening: {
      invoke: { src: "listen", id: "listen" },
      initial: "live",
      states: {
        live: {
          on: {
            "listening.failed": {
              target: "#waiting",
              actions: [withEvent("countLoss"), { type: "emitProblem", params: "deviceLater" }],
            },
            "finish.requested": "finishing",
          },
        },
        finishing: {
          entry: "stopListening",
          on: { "listening.failed": { target: "#rest", actions: withEvent("countLoss") }, "listening.ended": "#finished" },
        },
      },
    },
    rest: {
      id: "rest",
      invoke: {
        src: "recognizeRest",
        onDone: "finished",
        onError: [
          {
            guard: withEvent("mayTryAgain"),
            target: "rest",
            reenter: true,
            actions: { type: "countLoss", params: ({ event }) => ({ code: codeOf(event.error) }) },
          },
          { target: "failed", actions: { type: "emitProblem", params: "deviceFailed" } },
        ],
      },
    },
    finished: { id: "finished", entry: "emitFinished" },
    failed: { entry: "emitFailed" },
  },
});
