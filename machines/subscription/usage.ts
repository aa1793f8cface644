import { assign, emit, fromCallback, fromPromise, raise, type SnapshotFrom, setup } from "xstate";
import type { Usage } from "#contract/index.ts";
import { type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** SPEC.md section 9, "Free-tier limit": the warning starts at 8 minutes. */
const warnFromMinutes = 8;
/** The minimum ms between two fetches of the minutes during dictation: they are shown with one decimal. */
const dictatingMs = 6_000;

export type UsageEvent =
  /**
   * The user enters or leaves a page that uses minutes. Entering it again is the same visit; the end of another visit
   * has no effect.
   */
  | { type: "visit.began"; path: string }
  | { type: "visit.ended"; path: string }
  /** A signed-in user enters any page: each shows the remaining minutes. */
  | { type: "page.entered"; path: string }
  /** The user is dictating. */
  | { type: "minutes.spent" }
  /**
   * Minutes may have been used (a transcription finished or was saved, a sentence was recognized), or a page needs the
   * number.
   */
  | { type: "usage.requested" }
  /** Minutes may have been used elsewhere (a transcription has ended). */
  | { type: "usage.outdated" }
  /** The person signed out: the next user must not see this one's data. */
  | { type: "reset.requested" };

/** Emitted to the rest of the page. */
export type UsageEmitted =
  /** Sent once per visit, and when the next threshold is reached during one. */
  { type: "usage.warned"; level: Exclude<UsageLevel, "free">; minutesLeft: number };

/** How near a user is to the free plan's limit. */
export type UsageLevel = "free" | "near" | "reached";

const ranks: readonly UsageLevel[] = ["free", "near", "reached"];

/** SPEC.md section 5, "Free-tier usage warning". Without a limit there is no warning. */
export function usageLevel({ usedTranslationMinutes: used, limitMinutes: limit }: Usage): UsageLevel {
  if (limit === null || used < warnFromMinutes) return "free";
  return used < limit ? "near" : "reached";
}

/** null: no limit. */
export function minutesLeft({ usedTranslationMinutes: used, limitMinutes: limit }: Usage): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

interface UsageContext {
  /** The month's minutes (SPEC.md section 3, "usageData"). The last answer stays; null before the first one. */
  usage: Usage | null;
  /** The path of the current page that uses minutes; null if there is none. */
  visited: string | null;
  /** The path of the page that was entered last. */
  entered: string | null;
  /** The warning shown in this visit. */
  warned: UsageLevel;
}

const initial: UsageContext = { usage: null, visited: null, entered: null, warned: "free" };

/** Fetches how many of the free plan's minutes are used, and warns before the limit (SPEC.md section 5). */
export const usageMachine = setup({
  types: { context: {} as UsageContext, events: {} as UsageEvent, emitted: {} as UsageEmitted },
  actors: {
    fetchUsage: fromPromise<Usage>(async () => notProvided("fetchUsage")),
    /** Sends `usage.requested` when a transcription has ended. */
    transcriptions: fromCallback<UsageEvent>(() => notProvided("transcriptions")),
    /**
     * Sends `visit.ended` when another page is shown: a navigation that was aborted while it loaded has no leave event.
     */
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
              // A failed fetch shows no number, but the server still counts: the next use fetches again.
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
/** This month's minutes; null until known. The same object until the next fetch. */
export const selectUsage = (snapshot: Snapshot): Usage | null => snapshot.context.usage;
/** Whether the user is known to have the free plan. */
export const selectHasLimit = ({ context: { usage } }: Snapshot): boolean => usage !== null && usage.limitMinutes !== null;
/** Whether the free plan excludes the vault. A user who already has a vault can use it without a subscription. */
export const selectIsVaultClosed = (snapshot: Snapshot): boolean =>
  selectHasLimit(snapshot) && snapshot.context.usage?.hasVault !== true;
/** The free minutes left this month; null without a limit, and until known. */
export const selectMinutesLeft = ({ context: { usage } }: Snapshot): number | null =>
  usage === null ? null : minutesLeft(usage);
/**
 * Whether this recording may be transcribed now; false until the minutes are known.
 * @param seconds its length; null: unknown, which fits only without a limit
 */
export function selectFits({ context: { usage } }: Snapshot, seconds: number | null): boolean {
  if (usage === null) return false;
  const left = minutesLeft(usage);
  return left === null || (seconds !== null && seconds / 60 <= left);
}
/** Whether the free minutes are used up: the server accepts no new work. */
export const selectIsAtLimit = ({ context: { usage } }: Snapshot): boolean => usage !== null && usageLevel(usage) === "reached";
