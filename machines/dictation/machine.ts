import { and, assign, not, sendTo } from "xstate";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { connection } from "./connection.ts";
import type { CaptureCommand } from "./events.ts";
import { recorderSetup } from "./implementations.ts";
import { holdIfMemoryOnly, kept, nothingHeard } from "./questions.ts";
import { sourceOf } from "./rules.ts";

/** Until its transcript is there: who left, or took a new version of the page, would find the recording unfinished. */
const hold = { src: "leaving", input: { isAtRisk: true } } as const;

/** Outlives the microphone: the recogniser's last words come after the last sound. */
const recognition = recorderSetup.createStateConfig({
  invoke: {
    src: "recognition",
    id: "recognition",
    input: ({ context }) => ({ by: context.recognizedBy }),
  },
  on: { "recognition.troubled": { actions: withEvent("rememberProblem") } },
  initial: "recognizing",
  states: {
    recognizing: {
      on: {
        "recognition.finished": [
          { guard: withEvent("isToBeKept"), target: "#dictation.kept" },
          { guard: "staysHere", target: "#dictation.nothingHeard" },
          { target: "recognized" },
        ],
        "recognition.failed": { target: "recognized", actions: "leaveToServer" },
      },
    },
    recognized: { id: "recognized" },
  },
});

const work = recorderSetup.createStateConfig({
  initial: "capturing",
  states: {
    capturing: {
      invoke: { src: "capture", id: "capture" },
      initial: "recording",
      exit: "noteSilence",
      // The audio is kept, but a person who dictates without a connection must see that.
      always: { guard: "isHopeless", target: "#failed.finishing" },
      on: {
        "microphone.unplugged": { target: "finishing", actions: assign({ unplugged: true }) },
        // With the microphone beside it, too: the talk or the call is over, and nobody is recorded unawares.
        "display.ended": { target: "finishing", actions: assign({ displayEnded: true }) },
        "silence.began": { actions: "noteSilence" },
        "silence.ended": { actions: "noteSilence" },
        // Nobody speaks on to a recogniser that writes nothing down: what was said until then is saved.
        "recognition.blocked": "finishing",
      },
      states: {
        recording: {
          tags: "recording",
          on: {
            "stop.requested": "stopping",
            "pause.requested": "paused",
            // Recording stops when the server accepts no more.
            "limit.reached": { target: "stopping", actions: "rememberLimit" },
          },
        },
        paused: {
          tags: "paused",
          entry: [
            sendTo("capture", { type: "mute.requested" } satisfies CaptureCommand),
            { type: "commandRecognition", params: { type: "pause.requested" } },
          ],
          exit: sendTo("capture", { type: "unmute.requested" } satisfies CaptureCommand),
          on: {
            "resume.requested": {
              target: "recording",
              actions: { type: "commandRecognition", params: { type: "resume.requested" } },
            },
            "stop.requested": "#finishing",
            "limit.reached": { target: "#finishing", actions: "rememberLimit" },
          },
        },
        stopping: { tags: "stopping", after: { keepRecording: "#finishing" } },
      },
    },
    finishing: {
      id: "finishing",
      tags: "finishing",
      entry: { type: "commandRecognition", params: { type: "finish.requested" } },
      always: [
        { guard: "isGivenUp", target: "#failed.finishing" },
        { guard: and(["isAway", "isStored", "isRecognized", not("staysHere")]), target: "#dictation.settingAside" },
      ],
    },
  },
});

/** What was spoken without a network is finished once there is one. */
const finishWaiting = {
  guard: and(["hasWaiting", not("isAway")]),
  target: "#dictation.working.openingLeftover",
  actions: ["chooseWaiting", "dropLeftover"],
} as const;

/**
 * Dictation, from pressing the button to the saved transcription. Frames, captions and levels bypass the machine; the actors
 * share the open recording. Captured audio stays in the browser until the server has saved it.
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
    /** Nothing is under way. */
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
                // Nobody has asked for it now.
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
          entry: "beginAnew",
          invoke: {
            src: "openMicrophone",
            input: ({ context }) => ({ ...context.languages, source: sourceOf(context) }),
            onDone: { target: "session", actions: "beginRecognition" },
            onError: { target: "#failed.microphone", actions: withEvent("rememberFailure") },
          },
          on: { "stop.requested": "#dictation.checking" },
        },
        openingLeftover: {
          entry: "beginAnew",
          invoke: {
            src: "openLeftover",
            input: ({ context }) => ({ id: context.leftoverId }),
            onDone: { target: "#finishing", actions: withOutput("rememberLanguages") },
            onError: "#dictation.checking",
          },
        },
        session: {
          type: "parallel",
          entry: ["trustConnection", "continueRecognition"],
          // Whoever tries again to finish it does not speak any more: a browser's recogniser would hear nothing.
          exit: "endRecognition",
          invoke: [{ src: "wakeUps" }, hold],
          on: {
            "recording.done": [
              {
                guard: withEvent("hasWords"),
                target: "saving",
                actions: assign({ isAwaited: ({ context }) => !context.isAutomatic }),
              },
              // Nobody sits before it who could say what is to become of it: nothing is thrown away.
              { guard: "isAutomatic", target: "saving" },
              { target: "#dictation.nothingHeard" },
            ],
            "recording.over": "#saved",
            "limit.reached": { actions: "rememberLimit" },
          },
          states: { recognition, connection, work },
        },
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
