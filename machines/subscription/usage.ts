import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { Usage } from "#contract/index.ts";
import { isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

/** SPEC.md section 9, "Free-tier limit": the warning comes from 8 minutes on. */
const warnFromMinutes = 8;

export type UsageEvent =
  /** A page that uses minutes is entered; is left. */
  | { type: "visit.began" }
  | { type: "visit.ended" }
  /** Minutes may have been used (a transcription finished or saved, a sentence recognised), or a page needs the number. */
  | { type: "usage.requested" }
  /** Minutes may have been used elsewhere meanwhile (a page is entered, a transcription has ended). */
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
  visiting: boolean;
  /** The warning shown in this visit. */
  warned: UsageLevel;
}

const initial: UsageContext = { usage: null, visiting: false, warned: "free" };

const listening = {
  "visit.began": { target: "#usage.asking", reenter: true, actions: "beginVisit" },
  "visit.ended": { actions: "endVisit" },
  // An answer in flight may already be stale.
  "usage.requested": { target: "#usage.asking", reenter: true },
} as const;

/** Fetches how many of the free tier's minutes are used, and warns before the last ones are (SPEC.md section 5). */
export const usageMachine = setup({
  types: { context: {} as UsageContext, events: {} as UsageEvent, emitted: {} as UsageEmitted },
  actors: {
    fetchUsage: fromPromise<Usage>(async () => notProvided("fetchUsage")),
  },
  actions: {
    beginVisit: assign({ visiting: true, warned: "free" }),
    endVisit: assign({ visiting: false }),
    keep: assign({ usage: (_, { output }: { output: Usage }) => output }),
    resetContext: assign(initial),
    warn: emit((_, { output }: { output: Usage }) => ({
      type: "usage.warned" as const,
      level: usageLevel(output) === "near" ? ("near" as const) : ("reached" as const),
      minutesLeft: minutesLeft(output) ?? 0,
    })),
    rememberLevel: assign({ warned: (_, { output }: { output: Usage }) => usageLevel(output) }),
  },
  guards: {
    mayBeLimited: ({ context }) => context.usage?.limitMinutes !== null,
    isNotOffered: (_, { error }: { error: unknown }) => isNotOffered(error),
    isWorse: ({ context }, { output }: { output: Usage }) =>
      context.visiting && ranks.indexOf(usageLevel(output)) > ranks.indexOf(context.warned),
  },
}).createMachine({
  id: "usage",
  context: initial,
  initial: "idle",
  on: { "reset.requested": { target: ".idle", actions: "resetContext" } },
  states: {
    idle: { on: { ...listening, "usage.outdated": { guard: "mayBeLimited", target: "asking" } } },
    asking: {
      on: listening,
      invoke: {
        src: "fetchUsage",
        onDone: [
          {
            guard: { type: "isWorse", params: ({ event }) => event },
            target: "idle",
            actions: [
              { type: "keep", params: ({ event }) => event },
              { type: "warn", params: ({ event }) => event },
              { type: "rememberLevel", params: ({ event }) => event },
            ],
          },
          { target: "idle", actions: { type: "keep", params: ({ event }) => event } },
        ],
        onError: [
          { guard: { type: "isNotOffered", params: ({ event }) => event }, target: "notOffered" },
          // An unknown number is not shown, and the server counts all the same: the next use fetches again.
          { target: "idle" },
        ],
      },
    },
    /** A server that does not count minutes is not asked again. */
    notOffered: {},
  },
});

type Snapshot = SnapshotFrom<typeof usageMachine>;

export const selectUsageIsOffered = (snapshot: Snapshot): boolean => !snapshot.matches("notOffered");
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
