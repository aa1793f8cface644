import { assign, type EventObject, emit, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { type Anchor, clampOffset, loopBetween, maxZoom, offsetAround, type Stretch, shownSeconds } from "./rules.ts";

/** What is known of a recording once its peaks are here; they themselves are kept beside the machine. */
export interface Outline {
  /** Its length, in seconds; 0: nothing of it can be drawn. */
  seconds: number;
  /** Of all silences that can be skipped, in seconds. */
  silentSeconds: number;
}

export type WaveformEvent =
  /** The person wants to see less of it in more detail (steps above 0), or more of it. `anchor`: what is to stand still. */
  | { type: "zoom.stepped"; steps: number; anchor?: Anchor }
  /** The person has moved the view: its beginning, in seconds. */
  | { type: "view.moved"; offset: number }
  /** The person chose a place in it, in seconds. */
  | { type: "position.chosen"; seconds: number }
  /** The loop is to begin, or to end, here (seconds). */
  | { type: "loop.begun"; seconds: number }
  | { type: "loop.ended"; seconds: number }
  /** The person is drawing it, from where to where (seconds), and lets go. */
  | { type: "loop.drawn"; from: number; to: number }
  | { type: "loop.dropped" }
  | { type: "loop.cleared" }
  | { type: "skipping.toggled" }
  /** What is played has come to the end of the loop, to a silence, or was moved to another place (by whatever: a word, a key). */
  | { type: "loop.passed" }
  | { type: "silence.reached"; from: number; end: number }
  | { type: "position.jumped" }
  /** Another sound track of the recording is played from now on. */
  | { type: "sound.changed" };

/** Emitted to the player. */
export type WaveformEmitted = { type: "seek.requested"; seconds: number };

interface WaveformContext {
  outline: Outline;
  /** How often it was asked for without being there. */
  attempts: number;
  /** How often what is shown was halved. */
  zoom: number;
  /** Where the view begins that the person has chosen (seconds); meaningless while it follows what is played. */
  offset: number;
  /** What is repeated, or being drawn; only its start has a meaning before it has an end. */
  loop: Stretch;
}

const nothing: Outline = { seconds: 0, silentSeconds: 0 };
const none: Stretch = { start: 0, end: 0 };
const initial: WaveformContext = { outline: nothing, attempts: 0, zoom: 0, offset: 0, loop: none };

/** A day of sound takes minutes to decode, and others may be before it: then it is there at the next visit. */
export const maxAttempts = 14;
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
const offlineWaitMs = 10_000;

/**
 * What is drawn of a recording: fetched once it is there, looked at more closely, a part of it repeated, its silences skipped. Without it
 * the player is what it was.
 */
export const waveformMachine = setup({
  types: {
    context: {} as WaveformContext,
    events: {} as WaveformEvent,
    emitted: {} as WaveformEmitted,
    tags: {} as "looping",
  },
  actors: {
    /** Null: the server is making it. */
    load: fromPromise<Outline | null>(async () => notProvided("load")),
    watchLoop: fromCallback<EventObject, Stretch>(() => notProvided("watchLoop")),
    watchSilences: fromCallback<EventObject>(() => notProvided("watchSilences")),
    watchJumps: fromCallback<EventObject>(() => notProvided("watchJumps")),
  },
  actions: {
    assignOutline: assign({ outline: (_, outline: Outline | null) => outline ?? nothing }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    stepZoom: assign({
      zoom: ({ context }, { steps }: { steps: number }) =>
        Math.min(maxZoom(context.outline.seconds), Math.max(0, context.zoom + steps)),
    }),
    holdAnchor: assign({
      offset: ({ context }, { anchor }: { anchor?: Anchor }) =>
        anchor === undefined ? context.offset : offsetAround(anchor, shownOf(context), context.outline.seconds),
    }),
    assignOffset: assign({
      offset: ({ context }, { offset }: { offset: number }) => clampOffset(offset, shownOf(context), context.outline.seconds),
    }),
    assignStart: assign({ loop: (_, { seconds }: { seconds: number }) => ({ start: seconds, end: seconds }) }),
    assignLoop: assign({ loop: (_, { from, to }: { from: number; to: number }) => ordered(from, to) }),
    startOver: assign(initial),
    clearLoop: assign({ loop: none }),
    seek: emit((_, { seconds }: { seconds: number }) => ({ type: "seek.requested" as const, seconds })),
  },
  guards: {
    isBeingMade: (_, outline: Outline | null) => outline === null,
    isEmpty: (_, outline: Outline | null) => outline?.seconds === 0,
    isGone: (_, { error }: Failed) => codeOf(error) !== "network",
    hasAskedEnough: ({ context }) => context.attempts >= maxAttempts,
    isAnchored: (_, { anchor }: { anchor?: Anchor }) => anchor !== undefined,
    isLoop: (_, { from, to }: { from: number; to: number }) => loopBetween(from, to) !== null,
    isBefore: (_, { from, to }: { from: number; to: number }) => from < to && loopBetween(from, to) !== null,
    /** What is repeated is heard to its end, also where it ends in a silence, or is nothing else. */
    staysInLoop: ({ context: { loop } }, { from, end }: { from: number; end: number }) =>
      loop.start === loop.end || from > loop.end || end < loop.end,
    hasSilence: ({ context }) => context.outline.silentSeconds > 0,
  },
  delays: {
    untilNextAttempt: ({ context }) => Math.min(longestWaitMs, firstWaitMs * 1.5 ** (context.attempts - 1)),
    untilNetwork: offlineWaitMs,
  },
}).createMachine({
  id: "waveform",
  context: initial,
  on: { "sound.changed": { target: ".loading", actions: "startOver" } },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: [
          { guard: withOutput("isBeingMade"), target: "waiting" },
          { guard: withOutput("isEmpty"), target: "absent" },
          { target: "there", actions: withOutput("assignOutline") },
        ],
        onError: [{ guard: withEvent("isGone"), target: "absent" }, { target: "offline" }],
      },
    },
    /** Nothing is known of it: it is asked for again as long as the page is open. */
    offline: { after: { untilNetwork: "loading" } },
    /** The server is making it. */
    waiting: {
      entry: "countAttempt",
      always: { guard: "hasAskedEnough", target: "absent" },
      after: { untilNextAttempt: "loading" },
    },
    /** Nothing is drawn, and nothing is said of it. */
    absent: {},
    there: {
      type: "parallel",
      states: {
        view: {
          initial: "following",
          on: {
            "zoom.stepped": [
              { guard: withEvent("isAnchored"), target: ".held", actions: [withEvent("stepZoom"), withEvent("holdAnchor")] },
              { target: ".following", actions: withEvent("stepZoom") },
            ],
            "view.moved": { target: ".held", actions: withEvent("assignOffset") },
            "position.chosen": { actions: withEvent("seek") },
          },
          states: {
            /** It shows what is played. */
            following: {},
            /** It shows what the person has chosen, until something else is played. */
            held: { invoke: { src: "watchJumps" }, on: { "position.jumped": "following" } },
          },
        },
        loop: {
          initial: "off",
          on: {
            "loop.drawn": { target: ".drawing", actions: withEvent("assignLoop") },
            "loop.begun": { target: ".begun", actions: withEvent("assignStart") },
          },
          states: {
            off: {},
            /** It has a start. */
            begun: {
              on: {
                "loop.ended": {
                  guard: { type: "isLoop", params: ({ context, event }) => ({ from: context.loop.start, to: event.seconds }) },
                  target: "on",
                  actions: {
                    type: "assignLoop",
                    params: ({ context, event }) => ({ from: context.loop.start, to: event.seconds }),
                  },
                },
                "loop.cleared": { target: "off", actions: "clearLoop" },
              },
            },
            drawing: {
              on: {
                "loop.dropped": [
                  {
                    guard: { type: "isLoop", params: ({ context }) => ({ from: context.loop.start, to: context.loop.end }) },
                    target: "on",
                  },
                  { target: "off", actions: "clearLoop" },
                ],
              },
            },
            on: {
              tags: "looping",
              entry: { type: "seek", params: ({ context }) => ({ seconds: context.loop.start }) },
              invoke: { src: "watchLoop", input: ({ context }) => context.loop },
              on: {
                "loop.passed": { actions: { type: "seek", params: ({ context }) => ({ seconds: context.loop.start }) } },
                "loop.begun": [
                  {
                    guard: { type: "isBefore", params: ({ context, event }) => ({ from: event.seconds, to: context.loop.end }) },
                    target: "on",
                    reenter: true,
                    actions: {
                      type: "assignLoop",
                      params: ({ context, event }) => ({ from: event.seconds, to: context.loop.end }),
                    },
                  },
                  { target: "begun", actions: withEvent("assignStart") },
                ],
                "loop.ended": {
                  guard: { type: "isBefore", params: ({ context, event }) => ({ from: context.loop.start, to: event.seconds }) },
                  target: "on",
                  reenter: true,
                  actions: {
                    type: "assignLoop",
                    params: ({ context, event }) => ({ from: context.loop.start, to: event.seconds }),
                  },
                },
                "loop.cleared": { target: "off", actions: "clearLoop" },
              },
            },
          },
        },
        silence: {
          initial: "played",
          states: {
            played: { on: { "skipping.toggled": { guard: "hasSilence", target: "skipped" } } },
            skipped: {
              invoke: { src: "watchSilences" },
              on: {
                "skipping.toggled": "played",
                "silence.reached": {
                  guard: withEvent("staysInLoop"),
                  actions: { type: "seek", params: ({ event }) => ({ seconds: event.end }) },
                },
              },
            },
          },
        },
      },
    },
  },
});

/** How much of it the view shows, in seconds. */
const shownOf = ({ outline, zoom }: WaveformContext): number => shownSeconds(outline.seconds, zoom);
const ordered = (from: number, to: number): Stretch => ({ start: Math.min(from, to), end: Math.max(from, to) });
