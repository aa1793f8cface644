import { assign, type EventObject, emit, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { type Anchor, clampOffset, loopBetween, maxZoom, offsetAround, type Stretch, shownSeconds } from "./rules.ts";

/** The facts about a recording once its peaks are loaded. The peaks themselves are stored outside the machine. */
export interface Outline {
  /** Length of the recording in seconds; 0 if it can't be drawn. */
  seconds: number;
  /** Total length of the silences that can be skipped, in seconds. */
  silentSeconds: number;
}

export type WaveformEvent =
  /** The person zooms in (steps above 0) or out. `anchor`: the place that stays where it is in the view. */
  | { type: "zoom.stepped"; steps: number; anchor?: Anchor }
  /** The person moved the view; `offset` is its beginning in seconds. */
  | { type: "view.moved"; offset: number }
  /** The person chose a position, in seconds. */
  | { type: "position.chosen"; seconds: number }
  /** The person sets the beginning or the end of the loop (seconds). */
  | { type: "loop.begun"; seconds: number }
  | { type: "loop.ended"; seconds: number }
  /** The person draws the loop from one time to another (seconds), then releases the pointer. */
  | { type: "loop.drawn"; from: number; to: number }
  | { type: "loop.dropped" }
  | { type: "loop.cleared" }
  | { type: "skipping.toggled" }
  /** Playback has reached the end of the loop or a silence, or has jumped (by a word, a key or otherwise). */
  | { type: "loop.passed" }
  | { type: "silence.reached"; from: number; end: number }
  | { type: "position.jumped" }
  /** Playback switched to another sound track of the recording. */
  | { type: "sound.changed" };

/** Emitted to the player. */
export type WaveformEmitted = { type: "seek.requested"; seconds: number };

interface WaveformContext {
  outline: Outline;
  /** How often the server was asked while the peaks were not ready. */
  attempts: number;
  /** How often the visible length was halved. */
  zoom: number;
  /** The beginning of the view that the person chose (seconds); has no meaning while the view follows playback. */
  offset: number;
  /** The loop, or the one being drawn. While it has no end, only its start has a meaning. */
  loop: Stretch;
}

const nothing: Outline = { seconds: 0, silentSeconds: 0 };
const none: Stretch = { start: 0, end: 0 };
const initial: WaveformContext = { outline: nothing, attempts: 0, zoom: 0, offset: 0, loop: none };

/**
 * A day of sound takes minutes to decode, and other recordings may come first. After the last attempt, the waveform
 * appears at the next visit.
 */
export const maxAttempts = 14;
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
const offlineWaitMs = 10_000;

/**
 * The waveform of a recording: loaded once the server has it, zoomed, looped, with silences that can be skipped.
 * Without it, the player works as before.
 */
export const waveformMachine = setup({
  types: {
    context: {} as WaveformContext,
    events: {} as WaveformEvent,
    emitted: {} as WaveformEmitted,
    tags: {} as "looping",
  },
  actors: {
    /** Resolves with null while the server is still computing the peaks. */
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
    /** A loop plays to its end, even if it ends in a silence or contains nothing else. */
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
    /** The state of the peaks is unknown: they are requested again as long as the page is open. */
    offline: { after: { untilNetwork: "loading" } },
    /** The server is computing the peaks. */
    waiting: {
      entry: "countAttempt",
      always: { guard: "hasAskedEnough", target: "absent" },
      after: { untilNextAttempt: "loading" },
    },
    /** There is no waveform, and the page says nothing about it. */
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
            /** The view follows playback. */
            following: {},
            /** The view shows what the person chose, until playback jumps. */
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
            /** The loop has a start but no end. */
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

/** The visible length in seconds. */
const shownOf = ({ outline, zoom }: WaveformContext): number => shownSeconds(outline.seconds, zoom);
const ordered = (from: number, to: number): Stretch => ({ start: Math.min(from, to), end: Math.max(from, to) });
