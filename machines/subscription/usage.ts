import { assign, emit, fromCallback, fromPromise, raise, type SnapshotFrom, setup } from "xstate";
import type { Usage } from "#contract/index.ts";
import { type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** SPEC.md section 9, "Free-tier limit": the warning comes from 8 minutes on. */
const warnFromMinutes = 8;
/** While dictating, the minutes are fetched at most this often (ms): they are shown with one decimal. */
const dictatingMs = 6_000;

export type UsageEvent =
  /** A page that uses minutes is entered; is left. Entering it again is the same visit, and ending another one changes nothing. */
  | { type: "visit.began"; path: string }
  | { type: "visit.ended"; path: string }
  /** Any page of the signed-in person is entered: what is left of a limit is shown beside each. */
  | { type: "page.entered"; path: string }
  /** Somebody dictates. */
  | { type: "minutes.spent" }
  /** Minutes may have been used (a transcription finished or saved, a sentence recognised), or a page needs the number. */
  | { type: "usage.requested" }
  /** Minutes may have been used elsewhere meanwhile (a transcription has ended). */
  | { type: "usage.outdated" }
  /** The person signed out: the next one must see nothing of it. */
  | { type: "reset.requested" };

/** Emitted to the rest of the page. */
export type UsageEmitted =
  /** To be shown: once per visit, and when the next threshold is crossed during one. */
  { type: "usage.warned"; level: Exclude<UsageLevel, "free">; minutesLeft: number };

/** How near a user is to the limit of the free tier. */
export type UsageLevel = "free" | "near" | "reached";

const ranks: readonly UsageLevel[] = ["free", "near", "reached"];

/** SPEC.md section 5, "Free-tier usage warning". Without a limit there is no warning. */
export function usageLevel({ usedTranslationMinutes: used, limitMinutes: limit }: Usage): UsageLevel {
  if (limit === null || used < warnFromMinutes) return "free";
  return used < limit ? "near" : "reached";
}

/** null: without a limit. */
export function minutesLeft({ usedTranslationMinutes: used, limitMinutes: limit }: Usage): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

interface UsageContext {
  /** The month's minutes (SPEC.md section 3, "usageData"); the last answer stays. null: not known yet. */
  usage: Usage | null;
  /** The path of the page that uses minutes; null for none. */
  visited: string | null;
  /** The path of the page that was entered last. */
  entered: string | null;
  /** The warning shown in this visit. */
  warned: UsageLevel;
}

const initial: UsageContext = { usage: null, visited: null, entered: null, warned: "free" };

/** Fetches how many of the free tier's minutes are used, and warns before the last ones are (SPEC.md section 5). */
export const usageMachine = setup({
  types: { context: {} as UsageContext, events: {} as UsageEvent, emitted: {} as UsageEmitted },
  actors: {
    fetchUsage: fromPromise<Usage>(async () => notProvided("fetchUsage")),
    /** Sends `usage.requested` when a transcription has ended. */
    transcriptions: fromCallback<UsageEvent>(() => notProvided("transcriptions")),
    /** Sends `visit.ended` when another page is shown: a navigation that was aborted while it loaded never leaves one. */
    router: fromCallback<UsageEvent, { path: string }>(() => notProvided("router")),
  },
  actions: {
    beginVisit: assign({ visited: (_, { path }: { path: string }) => path, warned: "free" }),
    endVisit: assign({ visited: null }),
    assignEntered: assign({ entered: (_, { path }: { path: string }) => path }),
    raiseRequested: raise({ type: "usage.requested" }),
    raiseOutdated: raise({ type: "usage.outdated" }),
    assignUsage: assign({ usage: (_, usage: Usage) => usage }),
    resetContext: assign(initial),
    warn: emit((_, output: Usage) => ({
      type: "usage.warned" as const,
      level: usageLevel(output) === "near" ? ("near" as const) : ("reached" as const),
      minutesLeft: minutesLeft(output) ?? 0,
    })),
    rememberLevel: assign({ warned: (_, output: Usage) => usageLevel(output) }),
  },
  guards: {
    mayBeLimited: ({ context }) => context.usage?.limitMinutes !== null,
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isVisited: ({ context }, { path }: { path: string }) => context.visited === path,
    isOther: ({ context }, { path }: { path: string }) => context.visited !== path,
    isUnreported: ({ context }, { path }: { path: string }) => context.entered !== path || context.usage === null,
    isWorse: ({ context }, output: Usage) =>
      context.visited !== null && ranks.indexOf(usageLevel(output)) > ranks.indexOf(context.warned),
  },
  delays: { dictatingMs },
}).createMachine({
  id: "usage",
  context: initial,
  type: "parallel",
  on: {
    "page.entered": { guard: withEvent("isUnreported"), actions: [withEvent("assignEntered"), "raiseOutdated"] },
    "reset.requested": { target: [".fetch.idle", ".visit.away"], actions: "resetContext" },
  },
  states: {
    fetch: {
      initial: "idle",
      states: {
        idle: { on: { "usage.outdated": { guard: "mayBeLimited", target: "asking" }, "usage.requested": "asking" } },
        asking: {
          // An answer in flight may already be stale.
          on: { "usage.requested": { target: "asking", reenter: true } },
          invoke: {
            src: "fetchUsage",
            onDone: [
              {
                guard: withOutput("isWorse"),
                target: "idle",
                actions: [withOutput("assignUsage"), withOutput("warn"), withOutput("rememberLevel")],
              },
              { target: "idle", actions: withOutput("assignUsage") },
            ],
            onError: [
              { guard: withEvent("isNotOffered"), target: "notOffered" },
              // An unknown number is not shown, and the server counts all the same: the next use fetches again.
              { target: "idle" },
            ],
          },
        },
        /** A server that does not count minutes is not asked again. */
        notOffered: {},
      },
    },
    visit: {
      initial: "away",
      on: {
        "visit.began": { guard: withEvent("isOther"), target: ".visiting", actions: [withEvent("beginVisit"), "raiseRequested"] },
      },
      states: {
        away: {},
        visiting: {
          invoke: [{ src: "transcriptions" }, { src: "router", input: ({ context }) => ({ path: context.visited ?? "" }) }],
          exit: "endVisit",
          on: { "visit.ended": { guard: withEvent("isVisited"), target: "away" } },
          initial: "calm",
          states: {
            calm: { on: { "minutes.spent": { target: "spending", actions: "raiseRequested" } } },
            spending: { after: { dictatingMs: "calm" } },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof usageMachine>;

export const selectIsFetchingUsage = (snapshot: Snapshot): boolean => snapshot.matches({ fetch: "asking" });
/** The minutes of this month; null until known. The same object until the next fetch. */
export const selectUsage = (snapshot: Snapshot): Usage | null => snapshot.context.usage;
/** The free plan, as far as is known. */
export const selectHasLimit = ({ context: { usage } }: Snapshot): boolean => usage !== null && usage.limitMinutes !== null;
/** The vault is closed on the free plan, but to who has one: what was kept with a subscription can be had without it. */
export const selectIsVaultClosed = (snapshot: Snapshot): boolean =>
  selectHasLimit(snapshot) && snapshot.context.usage?.hasVault !== true;
/** Of the free tier, this month; null without a limit, and until known. */
export const selectMinutesLeft = ({ context: { usage } }: Snapshot): number | null =>
  usage === null ? null : minutesLeft(usage);
/**
 * Whether this may be transcribed now; false while the minutes aren't known.
 * @param seconds its length; null: unknown, which only fits where there is no limit
 */
export function selectFits({ context: { usage } }: Snapshot, seconds: number | null): boolean {
  if (usage === null) return false;
  const left = minutesLeft(usage);
  return left === null || (seconds !== null && seconds / 60 <= left);
}
/** The free minutes are used up: the server accepts no new work. */
export const selectIsAtLimit = ({ context: { usage } }: Snapshot): boolean => usage !== null && usageLevel(usage) === "reached";
