import { assign, fromPromise, setup } from "xstate";
import type { CaptionedVideo, ExportContent } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type CaptionedEvent =
  /** The person wants a video with these captions, replacing the existing one. */
  | { type: "video.requested"; content: ExportContent }
  /** The person cancels the video while it is being made, or deletes it. */
  | { type: "video.dropped" }
  /** The person downloads the video. */
  | { type: "download.requested" }
  /** The person saves the subtitles of both languages as files. */
  | { type: "subtitles.requested" };

interface CaptionedContext {
  video: CaptionedVideo | null;
  /** The code of the last refusal. */
  refusal: string | null;
}

const pollMs = 2_000;
const offlineMs = 10_000;

/** A video with captions in its picture: requested, made by the server in the background, canceled, downloaded. */
export const captionedMachine = setup({
  types: { context: {} as CaptionedContext, events: {} as CaptionedEvent, tags: {} as "asking" },
  actors: {
    poll: fromPromise<CaptionedVideo | null>(async () => notProvided("poll")),
    request: fromPromise<CaptionedVideo | null, { content: ExportContent }>(async () => notProvided("request")),
    drop: fromPromise<void>(async () => notProvided("drop")),
    download: fromPromise<void>(async () => notProvided("download")),
    downloadSubtitles: fromPromise<void>(async () => notProvided("downloadSubtitles")),
  },
  actions: {
    assignVideo: assign({ video: (_, video: CaptionedVideo | null) => video }),
    clearVideo: assign({ video: null }),
    assignRefusal: assign({ refusal: (_, { error }: Failed) => codeOf(error) }),
    clearRefusal: assign({ refusal: null }),
  },
  guards: {
    isBeingMade: (_, video: CaptionedVideo | null) => video?.state === "waiting" || video?.state === "making",
    isOffline: (_, { error }: Failed) => codeOf(error) === "network",
    isThere: ({ context }) => context.video !== null,
    isReady: ({ context }) => context.video?.state === "ready",
  },
  delays: { pollDelay: pollMs, untilNetwork: offlineMs },
}).createMachine({
  id: "captioned",
  context: { video: null, refusal: null },
  initial: "polling",
  states: {
    polling: {
      invoke: {
        src: "poll",
        onDone: [
          { guard: withOutput("isBeingMade"), target: "waiting", actions: withOutput("assignVideo") },
          { target: "resting", actions: withOutput("assignVideo") },
        ],
        onError: [
          { guard: withEvent("isOffline"), target: "offline" },
          { target: "resting", actions: "clearVideo" },
        ],
      },
      on: {
        "video.dropped": { guard: "isThere", target: "dropping", actions: "clearRefusal" },
      },
    },
    /** The server is making it. */
    waiting: {
      after: { pollDelay: "polling" },
      on: { "video.dropped": { target: "dropping", actions: "clearRefusal" } },
    },
    offline: {
      after: { untilNetwork: "polling" },
      on: { "video.dropped": { guard: "isThere", target: "dropping", actions: "clearRefusal" } },
    },
    /** Nothing is being made. */
    resting: {
      on: {
        "video.requested": { target: "requesting", actions: "clearRefusal" },
        "video.dropped": { guard: "isThere", target: "dropping", actions: "clearRefusal" },
        "download.requested": { guard: "isReady", target: "downloading", actions: "clearRefusal" },
        "subtitles.requested": { target: "downloadingSubtitles", actions: "clearRefusal" },
      },
    },
    requesting: {
      tags: "asking",
      invoke: {
        src: "request",
        input: ({ event }) => ({ content: event.type === "video.requested" ? event.content : "both" }),
        onDone: { target: "waiting", actions: withOutput("assignVideo") },
        onError: { target: "resting", actions: withEvent("assignRefusal") },
      },
    },
    dropping: {
      tags: "asking",
      invoke: {
        src: "drop",
        onDone: { target: "resting", actions: "clearVideo" },
        // It may be gone already: the next poll shows what the server has.
        onError: { target: "polling", actions: withEvent("assignRefusal") },
      },
    },
    downloading: {
      tags: "asking",
      invoke: { src: "download", onDone: "resting", onError: { target: "polling", actions: withEvent("assignRefusal") } },
    },
    downloadingSubtitles: {
      tags: "asking",
      invoke: {
        src: "downloadSubtitles",
        onDone: "resting",
        onError: { target: "resting", actions: withEvent("assignRefusal") },
      },
    },
  },
});
