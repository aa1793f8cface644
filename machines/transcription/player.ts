import { assign, fromCallback, fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** What the page and the audio element send to the player. */
export type PlayerEvent =
  /** The person pressed play, or pause. */
  | { type: "play.requested" }
  | { type: "pause.requested" }
  /** The person chose a word, a time or the slider; seconds from the beginning. */
  | { type: "seek.requested"; seconds: number; play?: boolean }
  /** Back (less than 0) or forward, in seconds. */
  | { type: "skip.requested"; seconds: number }
  | { type: "rate.changed"; rate: number }
  /** Number of 0.1 steps faster, or slower (less than 0). */
  | { type: "rate.stepped"; steps: number }
  /** Whether playing after a pause rewinds a little. */
  | { type: "rewinding.chosen"; rewinds: boolean }
  /** The source changes; `seconds`: the position in the former one. */
  | { type: "source.changed"; seconds: number }
  /** From the audio element, or the video's. */
  | { type: "element.ready"; durationSeconds: number }
  | { type: "element.playing" }
  /** `ended`: nothing more to play. */
  | { type: "element.paused"; ended?: boolean }
  /** Its last position, in seconds; 0 while it is loading. */
  | { type: "element.failed"; seconds: number };

/** What is sent to the element. */
export type PlayerCommand =
  | { type: "play.requested" }
  | { type: "pause.requested" }
  | { type: "seek.requested"; seconds: number }
  /** From the current position. */
  | { type: "skip.requested"; seconds: number }
  | { type: "rate.requested"; rate: number };

interface PlayerContext {
  durationSeconds: number | null;
  rate: number;
  /** Where to seek, and whether to play, when the element can. */
  wanted: { seconds: number | null; play: boolean };
  /** How often access was requested again after a failure, since the person's last action. */
  attempts: number;
  /** The person wants the last moment repeated after a pause. */
  rewinds: boolean;
  /** Playback was interrupted, and no other position was chosen since. */
  interrupted: boolean;
}

/** One retry with renewed access (the cookie lasts twelve hours), then the error is shown. */
const maxAttempts = 1;

/** Usual for transcribers (Express Scribe, oTranscribe): after a pause the last word is repeated. */
const rewindSeconds = 1;

export const slowest = 0.5;
export const fastest = 2;
const rateStep = 0.1;

/** Rounded to a tenth, within the intelligible range. */
const rounded = (rate: number): number => Math.min(fastest, Math.max(slowest, Math.round(rate * 10) / 10));

/**
 * Plays one transcription's audio. It requests access (a cookie: the audio element can't send a token) only when the
 * person presses Play.
 */
export const playerMachine = setup({
  types: { context: {} as PlayerContext, events: {} as PlayerEvent, tags: {} as "preparing" },
  actors: {
    authorize: fromPromise<void>(async () => notProvided("authorize")),
    element: fromCallback<PlayerCommand>(() => notProvided("element")),
  },
  actions: {
    wantToPlay: assign({ wanted: ({ context }) => ({ ...context.wanted, play: true }) }),
    wantToPause: assign({ wanted: ({ context }) => ({ ...context.wanted, play: false }) }),
    rememberSeek: assign({
      wanted: ({ context: { wanted } }, { seconds, play = wanted.play }: { seconds: number; play?: boolean }) => ({
        seconds,
        play,
      }),
    }),
    rememberSkip: assign({
      wanted: ({ context: { wanted } }, { seconds }: { seconds: number }) => ({
        ...wanted,
        seconds: Math.max(0, (wanted.seconds ?? 0) + seconds),
      }),
    }),
    rememberRate: assign({ rate: (_, { rate }: { rate: number }) => rounded(rate) }),
    stepRate: assign({ rate: ({ context }, { steps }: { steps: number }) => rounded(context.rate + steps * rateStep) }),
    rememberRewinding: assign({ rewinds: (_, { rewinds }: { rewinds: boolean }) => rewinds }),
    rememberInterruption: assign({ interrupted: (_, { ended = false }: { ended?: boolean }) => !ended }),
    clearInterruption: assign({ interrupted: false }),
    rememberPlace: assign({
      wanted: ({ context: { wanted } }, { seconds }: { seconds: number }) => (seconds > 0 ? { ...wanted, seconds } : wanted),
    }),
    /** Recordings made by browsers often have no duration: Infinity. */
    rememberDuration: assign({
      durationSeconds: (_, { durationSeconds }: { durationSeconds: number }) =>
        Number.isFinite(durationSeconds) ? durationSeconds : null,
    }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    resetAttempts: assign({ attempts: 0 }),
    command: (_, _params: PlayerCommand) => notProvided("command"),
  },
  guards: {
    mayTryAgain: ({ context }) => context.attempts < maxAttempts,
    goesBackFirst: ({ context }) => context.rewinds && context.interrupted,
  },
}).createMachine({
  id: "player",
  context: {
    durationSeconds: null,
    rate: 1,
    wanted: { seconds: null, play: false },
    attempts: 0,
    rewinds: false,
    interrupted: false,
  },
  initial: "idle",
  on: {
    "rate.changed": { actions: withEvent("rememberRate") },
    "rate.stepped": { actions: withEvent("stepRate") },
    "rewinding.chosen": { actions: withEvent("rememberRewinding") },
  },
  states: {
    idle: {
      on: {
        // The picture of a video is seen before anybody plays it.
        "source.changed": "authorizing",
        "play.requested": { target: "authorizing", actions: "wantToPlay" },
        "seek.requested": { target: "authorizing", actions: withEvent("rememberSeek") },
        "skip.requested": { target: "authorizing", actions: withEvent("rememberSkip") },
      },
    },
    authorizing: {
      tags: "preparing",
      on: {
        "play.requested": { actions: "wantToPlay" },
        "pause.requested": { actions: "wantToPause" },
        "seek.requested": { actions: withEvent("rememberSeek") },
        "skip.requested": { actions: withEvent("rememberSkip") },
      },
      invoke: { src: "authorize", onDone: "open", onError: "failed" },
    },
    open: {
      invoke: { src: "element", id: "element" },
      initial: "loading",
      on: {
        "source.changed": { target: "authorizing", actions: withEvent("rememberPlace") },
        "element.failed": [
          { guard: "mayTryAgain", target: "authorizing", actions: ["countAttempt", withEvent("rememberPlace")] },
          { target: "failed", actions: withEvent("rememberPlace") },
        ],
        "rate.changed": {
          actions: [
            withEvent("rememberRate"),
            { type: "command", params: ({ context }) => ({ type: "rate.requested", rate: context.rate }) },
          ],
        },
        "rate.stepped": {
          actions: [
            withEvent("stepRate"),
            { type: "command", params: ({ context }) => ({ type: "rate.requested", rate: context.rate }) },
          ],
        },
      },
      states: {
        loading: {
          tags: "preparing",
          on: {
            "play.requested": { actions: "wantToPlay" },
            "pause.requested": { actions: "wantToPause" },
            "seek.requested": { actions: withEvent("rememberSeek") },
            "skip.requested": { actions: withEvent("rememberSkip") },
            "element.ready": {
              target: "paused",
              actions: [
                withEvent("rememberDuration"),
                { type: "command", params: ({ context }) => ({ type: "rate.requested", rate: context.rate }) },
                { type: "command", params: ({ context }) => ({ type: "seek.requested", seconds: context.wanted.seconds ?? 0 }) },
                {
                  type: "command",
                  params: ({ context }) => ({ type: context.wanted.play ? "play.requested" : "pause.requested" }),
                },
              ],
            },
          },
        },
        paused: {
          on: {
            "play.requested": [
              {
                guard: "goesBackFirst",
                actions: [
                  "wantToPlay",
                  "resetAttempts",
                  "clearInterruption",
                  { type: "command", params: { type: "skip.requested", seconds: -rewindSeconds } },
                  { type: "command", params: { type: "play.requested" } },
                ],
              },
              { actions: ["wantToPlay", "resetAttempts", { type: "command", params: { type: "play.requested" } }] },
            ],
            "element.playing": "playing",
            // The browser blocked playback.
            "element.paused": { actions: "wantToPause" },
            "seek.requested": {
              actions: [
                withEvent("rememberSeek"),
                "resetAttempts",
                "clearInterruption",
                { type: "command", params: ({ event }) => ({ type: "seek.requested", seconds: event.seconds }) },
                {
                  type: "command",
                  params: ({ context }) => ({ type: context.wanted.play ? "play.requested" : "pause.requested" }),
                },
              ],
            },
            "skip.requested": {
              actions: [
                "resetAttempts",
                "clearInterruption",
                { type: "command", params: ({ event }) => ({ type: "skip.requested", seconds: event.seconds }) },
              ],
            },
          },
        },
        playing: {
          on: {
            "pause.requested": { actions: ["wantToPause", { type: "command", params: { type: "pause.requested" } }] },
            "element.paused": { target: "paused", actions: ["wantToPause", withEvent("rememberInterruption")] },
            "skip.requested": {
              actions: [
                "resetAttempts",
                { type: "command", params: ({ event }) => ({ type: "skip.requested", seconds: event.seconds }) },
              ],
            },
            "seek.requested": {
              actions: [
                withEvent("rememberSeek"),
                "resetAttempts",
                { type: "command", params: ({ event }) => ({ type: "seek.requested", seconds: event.seconds }) },
              ],
            },
          },
        },
      },
    },
    failed: {
      on: {
        "source.changed": { target: "authorizing", actions: "resetAttempts" },
        "play.requested": { target: "authorizing", actions: ["wantToPlay", "resetAttempts"] },
        "seek.requested": { target: "authorizing", actions: [withEvent("rememberSeek"), "resetAttempts"] },
        "skip.requested": { target: "authorizing", actions: [withEvent("rememberSkip"), "resetAttempts"] },
      },
    },
  },
});

type PlayerSnapshot = ReturnType<typeof playerMachine.getInitialSnapshot>;

export const selectIsPlaying = (snapshot: PlayerSnapshot): boolean => snapshot.matches({ open: "playing" });
export const selectIsPreparing = (snapshot: PlayerSnapshot): boolean => snapshot.hasTag("preparing");
/** Whether it plays, or will as soon as it can. */
export const selectWantsToPlay = (snapshot: PlayerSnapshot): boolean => snapshot.context.wanted.play;
/** Somebody has listened, or seen its picture. */
export const selectIsOpened = (snapshot: PlayerSnapshot): boolean => !snapshot.matches("idle");
export const selectHasFailed = (snapshot: PlayerSnapshot): boolean => snapshot.matches("failed");
export const selectRate = (snapshot: PlayerSnapshot): number => snapshot.context.rate;
/** In seconds; null until the element knows it. */
export const selectDuration = (snapshot: PlayerSnapshot): number | null => snapshot.context.durationSeconds;
