import { assign, emit, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { type CaptionsChoice, notLooked, type Picture } from "./rules.ts";

export type VideoEvent =
  /** The person chose which captions the picture has. */
  | { type: "captions.chosen"; captions: CaptionsChoice }
  /** The person does not want to see the picture, or wants to again. */
  | { type: "picture.toggled" }
  /** The server has another version of the text. */
  | { type: "text.changed" }
  /** Another sound track of the recording is played from now on: its picture is another one, too. */
  | { type: "sound.changed" }
  /** The person wants the captions to be fetched again. */
  | { type: "retry.requested" };

/** Emitted to the page, which plays the picture, and remembers what was chosen. */
export type VideoEmitted = { type: "picture.found" } | { type: "choices.changed"; captions: CaptionsChoice; hidden: boolean };

interface VideoContext {
  picture: Picture;
  captions: CaptionsChoice;
  hidden: boolean;
}

/** How often the server is asked how far a picture is. */
const pollMs = 2_000;
const offlineMs = 10_000;
/** Whoever corrects a text changes it again soon: one fetch for all of it. */
const settleMs = 1_000;

/**
 * The picture of a recording that is a video: shown once the server has one that browsers play, with captions in the spoken language, in
 * the translation, or both, which follow the text's corrections.
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
    /** Fetches captions and shows them beside the machine, in place of those before. */
    showCaptions: fromPromise<void, { captions: Exclude<CaptionsChoice, "none"> }>(async () => notProvided("showCaptions")),
  },
  actions: {
    assignPicture: assign({ picture: (_, picture: Picture) => picture }),
    assignCaptions: assign({ captions: (_, { captions }: { captions: CaptionsChoice }) => captions }),
    toggleHidden: assign({ hidden: ({ context }) => !context.hidden }),
    announceFound: emit({ type: "picture.found" }),
    announceChoices: emit(({ context: { captions, hidden } }) => ({ type: "choices.changed" as const, captions, hidden })),
    /** None are shown any more. */
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
        /** The server is making it. */
        waiting: { after: { pollDelay: "polling" } },
        /** Nothing new is known of it. */
        offline: { after: { untilNetwork: "polling" } },
        there: { entry: "announceFound" },
        /** There will be none; the sound is what it was. */
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
        /** Those of an earlier version are shown. */
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
