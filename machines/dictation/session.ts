import { and, assign, not, sendTo } from "xstate";
import { withEvent } from "#machines/with-event.ts";
import { connection } from "./connection.ts";
import type { CaptureCommand } from "./events.ts";
import { recorderSetup } from "./implementations.ts";

/**
 * Until the transcript is saved: after leaving or updating the page, the person would find the recording unfinished.
 */
export const hold = { src: "leaving", input: { isAtRisk: true } } as const;

/** Outlives the microphone: the recognizer's last words come after the last audio. */
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

/** Finishing fails, or waits for a network if no more words come. */
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
      // The audio is stored, but a person who dictates without a connection must see that.
      always: { guard: "isHopeless", target: "#failed.finishing" },
      on: {
        "microphone.unplugged": { target: "finishing", actions: assign({ unplugged: true }) },
        // Also if the microphone is still on: the talk or call is over, and nobody should be recorded unawares.
        "display.ended": { target: "finishing", actions: assign({ displayEnded: true }) },
        "silence.began": { actions: "noteSilence" },
        "silence.ended": { actions: "noteSilence" },
        // If the recognizer can't go on, nothing would be transcribed: what was said so far is saved.
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
        // A recognizer that stops immediately accepts no more commands.
        deciding: { always: [...endsEarly, "awaiting"] },
        awaiting: {
          entry: { type: "commandRecognition", params: { type: "finish.requested" } },
          always: endsEarly,
        },
      },
    },
  },
});

/** One recording: captured, recognized and sent. */
export const session = recorderSetup.createStateConfig({
  type: "parallel",
  entry: ["trustConnection", "continueRecognition"],
  // During a retry of finishing nobody speaks, so a browser's recognizer would recognize nothing.
  exit: "endRecognition",
  invoke: [{ src: "wakeUps" }, hold],
  on: {
    "recording.done": [
      {
        guard: withEvent("hasWords"),
        target: "#working.saving",
        actions: assign({ isAwaited: ({ context }) => !context.isAutomatic }),
      },
      // Nobody is there to answer a question, so nothing is discarded.
      { guard: "isAutomatic", target: "#working.saving" },
      { target: "#dictation.nothingHeard" },
    ],
    "recording.over": "#saved",
    "limit.reached": { actions: "rememberLimit" },
  },
  states: { recognition, connection, work },
});
