import { and, assign, emit, enqueueActions, fromCallback, fromPromise, not, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { AnalyticsEvent } from "./events.ts";
import {
  type AnalyticsSession,
  type Consent,
  type ConsentChoice,
  type EventParams,
  heartbeatEvery,
  idleLimit,
  isOver,
  type MadeEvent,
  newMarks,
  type Place,
  pageViewDelay,
  placeTimeout,
} from "./rules.ts";

interface AnalyticsInput {
  /** Whether the operator has configured a tag. */
  isConfigured: boolean;
  /** The browser asks not to be tracked (Do Not Track, Global Privacy Control). */
  hasSignal: boolean;
  choice: ConsentChoice | null;
  /** Epoch ms. */
  now(): number;
  newId(): string;
}

interface AnalyticsContext extends AnalyticsInput {
  isDry: boolean;
  session: AnalyticsSession | null;
  /** The session that this or another tab of this browser stored last, after the latest activity. */
  persisted: AnalyticsSession | null;
  /** The session started here: its location is looked up. */
  isNew: boolean;
  path: string;
  /** The scroll depth marks that this page view has sent. */
  marks: readonly number[];
}

const isAgreed = ({ isConfigured, hasSignal, choice }: AnalyticsContext) => isConfigured && !hasSignal && choice === "agreed";

/** The fields of every event. */
const made = ({ session, isDry, now }: AnalyticsContext, name: string, params: EventParams) => ({
  type: "event.made" as const,
  event: { name, params: { parlance_session: session?.id ?? "", ...params }, at: now(), isDry } satisfies MadeEvent,
});

/** The duration of the session, in seconds. */
const secondsOf = ({ session, now }: AnalyticsContext) => (session === null ? 0 : Math.round((now() - session.startedAt) / 1000));

/** The parts of the page's own analytics machine. */
const analyticsSetup = setup({
  types: {
    context: {} as AnalyticsContext,
    events: {} as AnalyticsEvent,
    emitted: {} as { type: "event.made"; event: MadeEvent },
    input: {} as AnalyticsInput,
    tags: {} as Consent | "place.asking" | "place.unknown",
  },
  actors: {
    /** Reports user activity; sends the route, and activity if the page is visible, immediately. */
    watch: fromCallback<AnalyticsEvent>(() => notProvided("watch")),
    /** Loads the operator's script; nothing reaches the script after this actor stops. */
    tag: fromCallback<AnalyticsEvent>(() => notProvided("tag")),
    /** null: no location service. */
    lookUp: fromPromise<Place | null>(async () => notProvided("lookUp")),
  },
  actions: {
    persistChoice: (_, _choice: { choice: ConsentChoice | null }) => notProvided("persistChoice"),
    /** Null: the session is not persisted. */
    persistSession: (_, _session: { session: AnalyticsSession | null }) => notProvided("persistSession"),
    assignChoice: assign({ choice: (_, { choice }: { choice: ConsentChoice | null }) => choice }),
    assignDryRun: assign({ isDry: (_, { isOn }: { isOn: boolean }) => isOn }),
    beginSession: assign(({ context: { now, newId } }) => ({
      session: { id: newId(), startedAt: now(), seenAt: now() },
      isNew: true,
    })),
    assignPersisted: assign({ persisted: (_, { persisted }: Pick<AnalyticsContext, "persisted">) => persisted }),
    resumeSession: assign(({ context: { now, persisted } }) => ({
      session: persisted && { ...persisted, seenAt: now() },
      isNew: false,
    })),
    endSession: assign({ session: null }),
    noteActivity: assign(({ context: { session, now } }) => ({ session: session && { ...session, seenAt: now() } })),
    assignPath: assign({ path: (_, { path }: { path: string }) => path }),
    resetMarks: assign({ marks: [] }),
    noteMarks: assign({
      marks: ({ context }, { percent }: { percent: number }) => [...context.marks, ...newMarks(percent, context.marks)],
    }),
    emitMarks: enqueueActions(({ context, enqueue }, { percent }: { percent: number }) => {
      for (const mark of newMarks(percent, context.marks))
        enqueue.emit(made(context, "scroll_depth", { percent_scrolled: mark, page_path: context.path }));
    }),
    emitBegin: emit(({ context }) => made(context, "session_begin", {})),
    emitPlace: emit(({ context }, place: Place | null) => made(context, "session_place", { ...place })),
    emitHeartbeat: emit(({ context }) => made(context, "session_heartbeat", { seconds: secondsOf(context) })),
    emitPageView: emit(({ context }) => made(context, "page_view", { page_path: context.path })),
    emitEvent: emit(({ context }, { name, params }: { name: string; params: EventParams }) => made(context, name, params)),
  },
  guards: {
    isNotConfigured: ({ context }) => !context.isConfigured,
    hasSignal: ({ context }) => context.hasSignal,
    isAgreed: ({ context }) => isAgreed(context),
    isRefused: ({ context }) => context.choice === "refused",
    isChange: ({ context }, { choice }: { choice: ConsentChoice | null }) =>
      context.isConfigured && !context.hasSignal && choice !== context.choice,
    isMeasuring: ({ context }) => context.isDry || isAgreed(context),
    isDry: ({ context }) => context.isDry,
    isNew: ({ context }) => context.isNew,
    hasSession: ({ context }) => context.session !== null,
    /** Its timer did not fire because the computer slept or the clock was set forward. */
    wasAway: ({ context: { session, now } }) => session !== null && isOver(session, now()),
    hasPersistedSession: ({ context: { now, persisted } }) => persisted !== null && !isOver(persisted, now()),
    isDeeper: ({ context: { session, marks } }, { percent }: { percent: number }) =>
      session !== null && newMarks(percent, marks).length > 0,
    isPlace: (_, place: Place | null) => place !== null,
  },
  delays: { heartbeatEvery, idleLimit, pageViewDelay, placeTimeout },
});

/**
 * Measures the use of the page if the person consents (SPEC.md section 9, "Analytics session"). `consent` decides
 * whether anything is measured; `measuring` has the session with its heartbeats, the page views and their scroll depth.
 */
export const analyticsMachine = analyticsSetup.createMachine({
  id: "analytics",
  context: ({ input }) => ({ ...input, isDry: false, session: null, persisted: null, isNew: false, path: "", marks: [] }),
  type: "parallel",
  states: {
    consent: {
      initial: "checking",
      on: {
        "consent.chosen": {
          guard: withEvent("isChange"),
          target: ".checking",
          actions: [withEvent("assignChoice"), withEvent("persistChoice")],
        },
      },
      states: {
        checking: {
          always: [
            { guard: "isNotConfigured", target: "notConfigured" },
            { guard: "hasSignal", target: "refused.bySignal" },
            { guard: "isAgreed", target: "agreed" },
            { guard: "isRefused", target: "refused" },
            { target: "undecided" },
          ],
        },
        notConfigured: { tags: "notConfigured" },
        undecided: { tags: "undecided" },
        refused: { initial: "byPerson", states: { byPerson: { tags: "refused" }, bySignal: { tags: "refusedBySignal" } } },
        agreed: {
          tags: "agreed",
          invoke: { src: "tag", onError: ".failed" },
          initial: "loading",
          states: { loading: { on: { "tag.loaded": "loaded", "tag.failed": "failed" } }, loaded: {}, failed: {} },
        },
      },
    },
    measuring: {
      initial: "off",
      // Events that were only shown never reach the tag, and sent events are not shown: each mode starts with none.
      on: { "dryRun.chosen": { target: ".off", actions: withEvent("assignDryRun") } },
      states: {
        off: { entry: ["endSession", "resetMarks"], always: { guard: "isMeasuring", target: "on" } },
        on: {
          invoke: { src: "watch" },
          always: { guard: not("isMeasuring"), target: "off" },
          type: "parallel",
          states: {
            session: {
              initial: "none",
              states: {
                none: {
                  entry: "endSession",
                  on: {
                    "activity.noticed": { target: "beginning", actions: withEvent("assignPersisted") },
                  },
                },
                beginning: {
                  always: [
                    { guard: and([not("isDry"), "hasPersistedSession"]), target: "running", actions: "resumeSession" },
                    { target: "running", actions: ["beginSession", "emitBegin"] },
                  ],
                },
                running: {
                  type: "parallel",
                  on: {
                    "heartbeat.requested": { actions: "emitHeartbeat" },
                    "event.requested": { actions: withEvent("emitEvent") },
                  },
                  states: {
                    life: {
                      initial: "seen",
                      states: {
                        seen: {
                          entry: {
                            type: "persistSession",
                            params: ({ context }) => ({ session: context.isDry ? null : context.session }),
                          },
                          after: { idleLimit: "#analytics.measuring.on.session.none" },
                          on: {
                            "activity.noticed": [
                              {
                                guard: "wasAway",
                                target: "#analytics.measuring.on.session.beginning",
                                actions: withEvent("assignPersisted"),
                              },
                              { target: "seen", reenter: true, actions: "noteActivity" },
                            ],
                          },
                        },
                      },
                    },
                    heart: {
                      initial: "beating",
                      states: {
                        beating: {
                          after: { heartbeatEvery: { target: "beating", reenter: true, actions: "emitHeartbeat" } },
                          on: { "page.hidden": "still" },
                        },
                        still: { on: { "page.shown": "beating" } },
                      },
                    },
                    place: {
                      initial: "deciding",
                      states: {
                        deciding: { always: [{ guard: and([not("isDry"), "isNew"]), target: "asking" }, { target: "settled" }] },
                        asking: {
                          tags: "place.asking",
                          invoke: {
                            src: "lookUp",
                            onDone: [
                              { guard: withOutput("isPlace"), target: "settled", actions: withOutput("emitPlace") },
                              { target: "settled" },
                            ],
                            onError: "unknown",
                          },
                          after: { placeTimeout: "unknown" },
                        },
                        settled: {},
                        unknown: { tags: "place.unknown" },
                      },
                    },
                  },
                },
              },
            },
            views: {
              initial: "settled",
              on: { "route.changed": { target: ".changing", actions: withEvent("assignPath") } },
              states: {
                settled: {
                  on: {
                    "pageView.requested": "due",
                    "page.scrolled": { guard: withEvent("isDeeper"), actions: [withEvent("emitMarks"), withEvent("noteMarks")] },
                  },
                },
                changing: { after: { pageViewDelay: "due" } },
                /** Without a session no page view counts: the next session sends it. */
                due: { always: { guard: "hasSession", target: "settled", actions: ["resetMarks", "emitPageView"] } },
              },
            },
          },
        },
      },
    },
  },
});
