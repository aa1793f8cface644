import { assign, emit, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { type CaptionsChoice, notLooked, type Picture } from "./rules.ts";

export type VideoEvent =
  /** The person chose captions for the picture. */
  | { type: "captions.chosen"; captions: CaptionsChoice }
  /** The person hides or shows the picture. */
  | { type: "picture.toggled" }
  /** The server has a new version of the text. */
  | { type: "text.changed" }
  /** Playback switched to another sound track of the recording, which has its own picture. */
  | { type: "sound.changed" }
  /** The person retries loading the captions. */
  | { type: "retry.requested" };

/** Emitted to the page, which plays the picture and stores the choices. */
export type VideoEmitted = { type: "picture.found" } | { type: "choices.changed"; captions: CaptionsChoice; hidden: boolean };

interface VideoContext {
  picture: Picture;
  captions: CaptionsChoice;
  hidden: boolean;
}

/** How often the server is asked about the progress of a picture. */
const pollMs = 2_000;
const offlineMs = 10_000;
/** A person who corrects a text usually makes several changes: they are loaded together. */
const settleMs = 1_000;

/**
 * The picture of a video recording. It is shown once the server has a version for browsers, with captions in the spoken
 * language, in the translation, or both. Captions follow corrections of the text.
 */
export const videoMachine = setup({
  types: {
    context: {} as VideoContext,
    events: {} as VideoEvent,
    emitted: {} as VideoEmitted,
    input: {} as { captions: CaptionsChoice; hidden: boolean },
    tags: {} as "captionless",
  },
  actors: {
    poll: fromPromise<Picture>(async () => notProvided("poll")),
    /** Loads the captions and shows them, replacing the previous ones. */
    showCaptions: fromPromise<void, { captions: Exclude<CaptionsChoice, "none"> }>(async () => notProvided("showCaptions")),
  },
  actions: {
    assignPicture: assign({ picture: (_, picture: Picture) => picture }),
    assignCaptions: assign({ captions: (_, { captions }: { captions: CaptionsChoice }) => captions }),
    toggleHidden: assign({ hidden: ({ context }) => !context.hidden }),
    announceFound: emit({ type: "picture.found" }),
    announceChoices: emit(({ context: { captions, hidden } }) => ({ type: "choices.changed" as const, captions, hidden })),
    /** Removes the captions from the picture. */
    removeCaptions: () => notProvided("removeCaptions"),
  },
  guards: {
    isPlayable: (_, picture: Picture) => picture.state === "original" || picture.state === "ready",
    isBeingMade: (_, picture: Picture) => picture.state === "waiting" || picture.state === "making",
    isFailed: (_, picture: Picture) => picture.state === "failed",
    isOffline: (_, { error }: Failed) => codeOf(error) === "network",
    wantsCaptions: ({ context }) => context.captions !== "none",
    choosesNone: (_, { captions }: { captions: CaptionsChoice }) => captions === "none",
  },
  delays: { pollDelay: pollMs, untilNetwork: offlineMs, untilSettled: settleMs },
}).createMachine({
  id: "video",
  context: ({ input }) => ({ picture: notLooked, ...input }),
  type: "parallel",
  on: { "picture.toggled": { actions: ["toggleHidden", "announceChoices"] } },
  states: {
    picture: {
      initial: "polling",
      on: { "sound.changed": ".polling" },
      states: {
        polling: {
          invoke: {
            src: "poll",
            onDone: [
              { guard: withOutput("isPlayable"), target: "there", actions: withOutput("assignPicture") },
              { guard: withOutput("isBeingMade"), target: "waiting", actions: withOutput("assignPicture") },
              { guard: withOutput("isFailed"), target: "failed", actions: withOutput("assignPicture") },
              { target: "absent" },
            ],
            onError: [{ guard: withEvent("isOffline"), target: "offline" }, { target: "absent" }],
          },
        },
        /** The server is preparing the picture. */
        waiting: { after: { pollDelay: "polling" } },
        /** The server can't be reached. */
        offline: { after: { untilNetwork: "polling" } },
        there: { entry: "announceFound" },
        /** There will be no picture. The audio plays as before. */
        failed: {},
        absent: {},
      },
    },
    captions: {
      initial: "deciding",
      on: {
        "captions.chosen": [
          { guard: withEvent("choosesNone"), target: ".off", actions: [withEvent("assignCaptions"), "announceChoices"] },
          { target: ".loading", reenter: true, actions: [withEvent("assignCaptions"), "announceChoices"] },
        ],
      },
      states: {
        deciding: { always: [{ guard: "wantsCaptions", target: "loading" }, { target: "off" }] },
        off: { entry: "removeCaptions" },
        loading: {
          invoke: {
            src: "showCaptions",
            input: ({ context: { captions } }) => ({ captions: captions === "none" ? "original" : captions }),
            onDone: "shown",
            onError: [{ guard: withEvent("isOffline"), target: "offline" }, { target: "failed" }],
          },
          on: { "text.changed": "outdated" },
        },
        shown: { on: { "text.changed": "outdated" } },
        /** The captions are of an earlier version of the text. */
        outdated: {
          after: { untilSettled: "loading" },
          on: { "text.changed": { target: "outdated", reenter: true } },
        },
        offline: { after: { untilNetwork: "loading" } },
        failed: {
          tags: "captionless",
          on: { "retry.requested": "loading", "text.changed": "outdated" },
        },
      },
    },
  },
});
