import { and, assign, not, sendTo } from "xstate";
import { withEvent } from "#machines/with-event.ts";
import { connection } from "./connection.ts";
import type { CaptureCommand } from "./events.ts";
import { recorderSetup } from "./implementations.ts";

/** Until its transcript is there: who left, or took a new version of the page, would find the recording unfinished. */
export const hold = { src: "leaving", input: { isAtRisk: true } } as const;

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
          { guard: not("staysHere"), target: "recognized" },
          { guard: withEvent("hasWords"), target: "#dictation.kept" },
          { target: "#dictation.nothingHeard" },
        ],
        "recognition.failed": { target: "recognized", actions: "leaveToServer" },
      },
    },
    recognized: { id: "recognized" },
  },
});

/** Finishing fails, or waits for a network when no more words come. */
const endsEarly = [
  { guard: "hasGivenUp", target: "#failed.finishing" },
  { guard: and(["isAway", "isStored", "isRecognized", not("staysHere")]), target: "#dictation.settingAside" },
] as const;

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
      initial: "deciding",
      states: {
        // A recogniser that stops at once can't be told anything.
        deciding: { always: [...endsEarly, "awaiting"] },
        awaiting: {
          entry: { type: "commandRecognition", params: { type: "finish.requested" } },
          always: endsEarly,
        },
      },
    },
  },
});

/** One recording: what is heard, recognized and sent. */
export const session = recorderSetup.createStateConfig({
  type: "parallel",
  entry: ["trustConnection", "continueRecognition"],
  // Whoever tries again to finish it does not speak any more: a browser's recogniser would hear nothing.
  exit: "endRecognition",
  invoke: [{ src: "wakeUps" }, hold],
  on: {
    "recording.done": [
      {
        guard: withEvent("hasWords"),
        target: "#working.saving",
        actions: assign({ isAwaited: ({ context }) => !context.isAutomatic }),
      },
      // Nobody sits before it who could say what is to become of it: nothing is thrown away.
      { guard: "isAutomatic", target: "#working.saving" },
      { target: "#dictation.nothingHeard" },
    ],
    "recording.over": "#saved",
    "limit.reached": { actions: "rememberLimit" },
  },
  states: { recognition, connection, work },
});
