import { assign, emit, enqueueActions, fromCallback, fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import {
  type AnalyticsSession,
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

export type AnalyticsEvent =
  /** The person, here or in another tab; null: what was chosen is forgotten. */
  | { type: "consent.chosen"; choice: ConsentChoice | null }
  /** The person on /analytics-test: events are shown, and go nowhere. */
  | { type: "dryRun.chosen"; isOn: boolean }
  /** The actor `watch`: a sign of life. */
  | { type: "activity.noticed" }
  /** The actor `watch`: the page is out of sight, or back in it. */
  | { type: "page.hidden" }
  | { type: "page.shown" }
  /** The actor `watch`: the pattern of the route that is shown ("/transcription/$id"). */
  | { type: "route.changed"; path: string }
  /** The actor `watch`, or the area on /analytics-test: so much of the page has been in sight. */
  | { type: "scrolled"; percent: number }
  /** A developer. */
  | { type: "event.requested"; name: string; params: EventParams }
  | { type: "pageView.requested" }
  | { type: "heartbeat.requested" }
  /** The actor `tag`: the script is there, or will not come. */
  | { type: "tag.loaded" }
  | { type: "tag.failed" };

interface AnalyticsInput {
  /** Whether the operator has named a tag. */
  isConfigured: boolean;
  /** The browser asks not to be followed (Do Not Track, Global Privacy Control). */
  hasSignal: boolean;
  choice: ConsentChoice | null;
  /** Epoch ms. */
  now(): number;
  newId(): string;
  /** What another page of this browser has kept last. */
  persistedSession(): AnalyticsSession | null;
}

interface AnalyticsContext extends AnalyticsInput {
  isDry: boolean;
  session: AnalyticsSession | null;
  /** The session began here: its place is asked for. */
  isNew: boolean;
  path: string;
  /** The marks of the depth that this page view has sent. */
  marks: readonly number[];
}

const isAgreed = ({ isConfigured, hasSignal, choice }: AnalyticsContext) => isConfigured && !hasSignal && choice === "agreed";

/** What every event has. */
const made = ({ session, isDry, now }: AnalyticsContext, name: string, params: EventParams) => ({
  type: "event.made" as const,
  event: { name, params: { parlance_session: session?.id ?? "", ...params }, at: now(), isDry } satisfies MadeEvent,
});

/** How long the session has lasted, in seconds. */
const secondsOf = ({ session, now }: AnalyticsContext) => (session === null ? 0 : Math.round((now() - session.startedAt) / 1000));

/** What the machine of the page's own analytics is made of. */
export const analyticsSetup = setup({
  types: {
    context: {} as AnalyticsContext,
    events: {} as AnalyticsEvent,
    emitted: {} as { type: "event.made"; event: MadeEvent },
    input: {} as AnalyticsInput,
  },
  actors: {
    /** Hears what the person does; tells the route and a sign of life, if the page is in sight, at once. */
    watch: fromCallback<AnalyticsEvent>(() => notProvided("watch")),
    /** Loads the operator's script; nothing reaches it any more once this ends. */
    tag: fromCallback<AnalyticsEvent>(() => notProvided("tag")),
    /** Null: nobody is there to be asked. */
    lookUp: fromPromise<Place | null>(async () => notProvided("lookUp")),
  },
  actions: {
    keepChoice: (_, _choice: { choice: ConsentChoice | null }) => notProvided("keepChoice"),
    /** Null: it is not to be kept. */
    keepSession: (_, _session: { session: AnalyticsSession | null }) => notProvided("keepSession"),
    takeChoice: assign({ choice: (_, { choice }: { choice: ConsentChoice | null }) => choice }),
    takeDryRun: assign({ isDry: (_, { isOn }: { isOn: boolean }) => isOn }),
    beginSession: assign(({ context: { now, newId } }) => ({
      session: { id: newId(), startedAt: now(), seenAt: now() },
      isNew: true,
    })),
    resumeSession: assign(({ context: { now, persistedSession } }) => {
      const kept = persistedSession();
      return { session: kept && { ...kept, seenAt: now() }, isNew: false };
    }),
    endSession: assign({ session: null }),
    noteActivity: assign(({ context: { session, now } }) => ({ session: session && { ...session, seenAt: now() } })),
    takePath: assign({ path: (_, { path }: { path: string }) => path }),
    forgetMarks: assign({ marks: [] }),
    noteMarks: assign({
      marks: ({ context }, { percent }: { percent: number }) => [...context.marks, ...newMarks(percent, context.marks)],
    }),
    emitMarks: enqueueActions(({ context, enqueue }, { percent }: { percent: number }) => {
      for (const mark of newMarks(percent, context.marks))
        enqueue.emit(made(context, "scroll_depth", { percent_scrolled: mark, page_path: context.path }));
    }),
    emitBegin: emit(({ context }) => made(context, "session_begin", {})),
    emitPlace: emit(({ context }, { place }: { place: Place | null }) => made(context, "session_place", { ...place })),
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
    /** Its timer did not ring (the computer slept), or the clock was put forward. */
    wasAway: ({ context: { session, now } }) => session !== null && isOver(session, now()),
    hasPersistedSession: ({ context: { now, persistedSession } }) => {
      const kept = persistedSession();
      return kept !== null && !isOver(kept, now());
    },
    isDeeper: ({ context: { session, marks } }, { percent }: { percent: number }) =>
      session !== null && newMarks(percent, marks).length > 0,
    isPlace: (_, { place }: { place: Place | null }) => place !== null,
  },
  delays: { heartbeatEvery, idleLimit, pageViewDelay, placeTimeout },
});
