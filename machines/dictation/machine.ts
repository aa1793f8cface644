import { and, assign, not } from "xstate";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { recorderSetup } from "./implementations.ts";
import { holdIfMemoryOnly, kept, nothingHeard } from "./questions.ts";
import { sourceOf } from "./rules.ts";
import { hold, session } from "./session.ts";

/** Finishes recordings that were spoken offline when there is a network. */
const finishWaiting = {
  guard: and(["hasWaiting", not("isAway")]),
  target: "#dictation.working.openingLeftover",
  actions: ["chooseWaiting", "dropLeftover"],
} as const;

/**
 * Dictation, from pressing the button to the saved transcription. Frames, captions and levels bypass the machine; the
 * actors share the open recording. Captured audio stays in the browser until the server has saved it.
 */
export const recorderMachine = recorderSetup.createMachine({
  id: "dictation",
  context: {
    languages: { sourceLanguage: "auto", targetLanguage: null },
    source: "microphone",
    recognizedBy: null,
    recognitionProblem: null,
    leftovers: [],
    leftoverId: "",
    isAutomatic: false,
    tried: [],
    storageTrouble: false,
    unplugged: false,
    displayEnded: false,
    isSilent: false,
    limitReached: false,
    endedInSilence: false,
    attempts: 0,
    troubles: 0,
    lostCode: null,
    failure: null,
    isAwaited: false,
    savedId: null,
  },
  initial: "checking",
  on: { "storage.troubled": { actions: assign({ storageTrouble: true }) } },
  states: {
    checking: {
      invoke: {
        src: "findLeftovers",
        onDone: { target: "resting.idle", actions: withOutput("rememberLeftovers") },
        onError: "resting.idle",
      },
    },
    /** The recorder is idle. */
    resting: {
      initial: "idle",
      on: {
        "source.chosen": { actions: withEvent("chooseSource") },
        "start.requested": [
          {
            guard: withEvent("isForDevice"),
            target: "working.requestingMicrophone",
            actions: [withEvent("rememberLanguages"), "chooseDevice", assign({ isAutomatic: false })],
          },
          {
            target: "working.requestingMicrophone",
            actions: [withEvent("rememberLanguages"), assign({ isAutomatic: false })],
          },
        ],
        "leftover.resumeRequested": { target: "working.openingLeftover", actions: [withEvent("chooseLeftover"), "dropLeftover"] },
        "leftover.discardRequested": { target: "discardingLeftover", actions: withEvent("chooseLeftover") },
        "unsaved.saveRequested": "working.savingUnsaved",
        "reset.requested": { target: "checking", actions: "resetLimit" },
      },
      states: {
        idle: {
          tags: "idle",
          entry: "emitReady",
          invoke: { src: "wakeUps" },
          always: finishWaiting,
          on: { "page.resumed": { actions: "beginTrying" } },
        },
        saved: {
          id: "saved",
          tags: "saved",
          entry: "emitSaved",
          // Another one may have been set aside before this one began.
          invoke: [
            { src: "wakeUps" },
            {
              src: "findLeftovers",
              onDone: { actions: withOutput("rememberLeftovers") },
              onError: { actions: "clearLeftovers" },
            },
          ],
          always: finishWaiting,
          on: { "page.resumed": { actions: "beginTrying" } },
        },
        failed: {
          id: "failed",
          tags: "failed",
          initial: "microphone",
          states: {
            microphone: {
              entry: "emitFailed",
              on: { "retry.requested": "#working.requestingMicrophone" },
            },
            finishing: {
              entry: ["failByConnection", "emitFailed"],
              invoke: holdIfMemoryOnly,
              on: { "retry.requested": "#finishing" },
            },
            saving: {
              entry: "emitFailed",
              invoke: [{ src: "wakeUps" }, holdIfMemoryOnly],
              on: {
                "retry.requested": "#working.saving",
                // The person has not asked for this recording now.
                "page.resumed": { guard: "wasOffline", target: "#working.saving", actions: assign({ isAwaited: false }) },
              },
            },
            savingUnsaved: { entry: "emitFailed", on: { "retry.requested": "#working.savingUnsaved" } },
          },
        },
      },
    },
    /** From the request to the saved transcription. */
    working: {
      id: "working",
      entry: "emitStarted",
      initial: "requestingMicrophone",
      states: {
        requestingMicrophone: {
          tags: "requestingMicrophone",
          entry: "startOver",
          invoke: {
            src: "openMicrophone",
            input: ({ context }) => ({ ...context.languages, source: sourceOf(context) }),
            onDone: { target: "session", actions: "beginRecognition" },
            onError: { target: "#failed.microphone", actions: withEvent("rememberFailure") },
          },
          on: { "stop.requested": "#dictation.checking" },
        },
        openingLeftover: {
          entry: "startOver",
          invoke: {
            src: "openLeftover",
            input: ({ context }) => ({ id: context.leftoverId }),
            onDone: { target: "#finishing", actions: withOutput("rememberLanguages") },
            onError: "#dictation.checking",
          },
        },
        session,
        saving: {
          tags: "saving",
          invoke: [
            hold,
            {
              src: "save",
              onDone: { target: "opening", actions: assign({ savedId: ({ event }) => event.output }) },
              onError: { target: "#failed.saving", actions: withEvent("rememberFailure") },
            },
          ],
        },
        /** The page becomes the transcript. Somebody who has left it is not taken there. */
        opening: {
          tags: "saving",
          always: { guard: not("isAwaited"), target: "#saved" },
          invoke: [
            hold,
            {
              src: "openTranscript",
              input: ({ context: { savedId } }) => ({ id: savedId ?? "" }),
              onDone: [{ guard: ({ event }) => event.output, target: "#dictation.checking" }, { target: "#saved" }],
              onError: "#saved",
            },
          ],
        },
        savingUnsaved: {
          tags: "saving",
          invoke: {
            src: "saveUnsaved",
            onDone: "#dictation.checking",
            onError: { target: "#failed.savingUnsaved", actions: withEvent("rememberFailure") },
          },
        },
      },
    },
    settingAside: {
      tags: "saving",
      invoke: { src: "setAside", onDone: "checking", onError: "checking" },
    },
    discardingLeftover: {
      invoke: {
        src: "discardLeftover",
        input: ({ context }) => ({ id: context.leftoverId }),
        onDone: "checking",
        onError: "checking",
      },
    },
    nothingHeard,
    kept,
    discarding: { invoke: { src: "discard", onDone: "checking", onError: "checking" } },
  },
});
