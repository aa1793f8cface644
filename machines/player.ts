import { assign, fromCallback, fromPromise, setup } from "xstate";

/** What the page and the audio element tell the player. */
export type PlayerEvent =
  /** The person pressed play, or pause. */
  | { type: "play.requested" }
  | { type: "pause.requested" }
  /** A word, a time or the slider was chosen; seconds from the beginning. */
  | { type: "seek.requested"; seconds: number; play?: boolean }
  | { type: "rate.changed"; rate: number }
  /** The element speaks. */
  | { type: "element.ready"; durationSeconds: number }
  | { type: "element.playing" }
  | { type: "element.paused" }
  /** It was there, in seconds; 0 while it is loading. */
  | { type: "element.failed"; seconds: number };

/** What the element is told to do. */
export type PlayerCommand =
  | { type: "play" }
  | { type: "pause" }
  | { type: "seek"; seconds: number }
  | { type: "rate"; rate: number };

interface PlayerContext {
  durationSeconds: number | null;
  rate: number;
  /** Where to go, and whether to play, once the element can. */
  wanted: { seconds: number | null; play: boolean };
  /** How often the right to hear was asked for again after a failure, since the person did something last. */
  attempts: number;
}

/** One more try with a new right to hear (the cookie lasts twelve hours), then the person is told. */
const maxAttempts = 1;

/**
 * Plays one transcription's audio. It asks for the right to hear (a cookie: the audio element can't send a token) only when
 * somebody wants to listen.
 */
export const playerMachine = setup({
  types: { context: {} as PlayerContext, events: {} as PlayerEvent },
  actors: {
    authorize: fromPromise<void>(() => Promise.reject(new Error("authorize was not provided"))),
    element: fromCallback<PlayerCommand>(() => {
      throw new Error("element was not provided");
    }),
  },
  actions: {
    wantToPlay: assign({ wanted: ({ context }) => ({ ...context.wanted, play: true }) }),
    wantToPause: assign({ wanted: ({ context }) => ({ ...context.wanted, play: false }) }),
    rememberSeek: assign({
      wanted: ({ context, event }) =>
        event.type === "seek.requested" ? { seconds: event.seconds, play: event.play ?? context.wanted.play } : context.wanted,
    }),
    rememberRate: assign({ rate: ({ context, event }) => (event.type === "rate.changed" ? event.rate : context.rate) }),
    rememberPlace: assign({
      wanted: ({ context: { wanted } }, { seconds }: { seconds: number }) => (seconds > 0 ? { ...wanted, seconds } : wanted),
    }),
    /** What a browser recorded often has no length in it: Infinity. */
    rememberDuration: assign({
      durationSeconds: (_, { durationSeconds }: { durationSeconds: number }) =>
        Number.isFinite(durationSeconds) ? durationSeconds : null,
    }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    forgiveAttempts: assign({ attempts: 0 }),
    command: (_, _params: PlayerCommand) => {
      throw new Error("command was not provided");
    },
  },
  guards: { mayTryAgain: ({ context }) => context.attempts < maxAttempts },
}).createMachine({
  id: "player",
  context: { durationSeconds: null, rate: 1, wanted: { seconds: null, play: false }, attempts: 0 },
  initial: "idle",
  on: { "rate.changed": { actions: "rememberRate" } },
  states: {
    idle: {
      on: {
        "play.requested": { target: "authorizing", actions: "wantToPlay" },
        "seek.requested": { target: "authorizing", actions: "rememberSeek" },
      },
    },
    authorizing: {
      on: {
        "play.requested": { actions: "wantToPlay" },
        "pause.requested": { actions: "wantToPause" },
        "seek.requested": { actions: "rememberSeek" },
      },
      invoke: { src: "authorize", onDone: "open", onError: "failed" },
    },
    open: {
      invoke: { src: "element", id: "element" },
      initial: "loading",
      on: {
        "element.failed": [
          {
            guard: "mayTryAgain",
            target: "authorizing",
            actions: ["countAttempt", { type: "rememberPlace", params: ({ event }) => event }],
          },
          { target: "failed", actions: { type: "rememberPlace", params: ({ event }) => event } },
        ],
        "rate.changed": {
          actions: ["rememberRate", { type: "command", params: ({ event }) => ({ type: "rate", rate: event.rate }) }],
        },
      },
      states: {
        loading: {
          on: {
            "play.requested": { actions: "wantToPlay" },
            "pause.requested": { actions: "wantToPause" },
            "seek.requested": { actions: "rememberSeek" },
            "element.ready": {
              target: "paused",
              actions: [
                { type: "rememberDuration", params: ({ event }) => event },
                { type: "command", params: ({ context }) => ({ type: "rate", rate: context.rate }) },
                { type: "command", params: ({ context }) => ({ type: "seek", seconds: context.wanted.seconds ?? 0 }) },
                { type: "command", params: ({ context }) => ({ type: context.wanted.play ? "play" : "pause" }) },
              ],
            },
          },
        },
        paused: {
          on: {
            "play.requested": { actions: ["wantToPlay", "forgiveAttempts", { type: "command", params: { type: "play" } }] },
            "element.playing": "playing",
            // The browser did not let it play.
            "element.paused": { actions: "wantToPause" },
            "seek.requested": {
              actions: [
                "rememberSeek",
                "forgiveAttempts",
                { type: "command", params: ({ event }) => ({ type: "seek", seconds: event.seconds }) },
                { type: "command", params: ({ context }) => ({ type: context.wanted.play ? "play" : "pause" }) },
              ],
            },
          },
        },
        playing: {
          on: {
            "pause.requested": { actions: ["wantToPause", { type: "command", params: { type: "pause" } }] },
            "element.paused": { target: "paused", actions: "wantToPause" },
            "seek.requested": {
              actions: [
                "rememberSeek",
                "forgiveAttempts",
                { type: "command", params: ({ event }) => ({ type: "seek", seconds: event.seconds }) },
              ],
            },
          },
        },
      },
    },
    failed: {
      on: {
        "play.requested": { target: "authorizing", actions: ["wantToPlay", "forgiveAttempts"] },
        "seek.requested": { target: "authorizing", actions: ["rememberSeek", "forgiveAttempts"] },
      },
    },
  },
});

type PlayerSnapshot = ReturnType<typeof playerMachine.getInitialSnapshot>;

export const selectIsPlaying = (snapshot: PlayerSnapshot): boolean => snapshot.matches({ open: "playing" });
export const selectIsPreparing = (snapshot: PlayerSnapshot): boolean =>
  snapshot.matches("authorizing") || snapshot.matches({ open: "loading" });
export const selectHasFailed = (snapshot: PlayerSnapshot): boolean => snapshot.matches("failed");
export const selectRate = (snapshot: PlayerSnapshot): number => snapshot.context.rate;
/** In seconds; null as long as the element does not know. */
export const selectDuration = (snapshot: PlayerSnapshot): number | null => snapshot.context.durationSeconds;
