import * as v from "valibot";

const time = v.optional(v.nullable(v.string()), null);
const count = v.optional(v.number(), 0);

const RunOrigin = v.picklist(["schedule", "person"]);
export const RunOutcome = v.picklist(["running", "posted", "skipped", "failed"]);
export type RunOutcome = v.InferOutput<typeof RunOutcome>;
/**
 * Why nothing was posted: skipped by a superuser, no language model configured, the server was down for longer than a
 * period, no new topic found. Reasons for a failure: a malformed response of the model, three attempts ended by a
 * server stop, or something else.
 */
export const RunReason = v.picklist(["byPerson", "noModel", "missed", "nothingNew", "modelFailed", "interrupted", "internal"]);
export type RunReason = v.InferOutput<typeof RunReason>;

/** One run of the scheduler. Times are ISO 8601, UTC. */
export const ScheduledRun = v.object({
  id: v.string(),
  origin: RunOrigin,
  /** When it was due; for a run started by hand, when it was started. */
  dueTime: v.string(),
  finishedTime: time,
  outcome: RunOutcome,
  reason: v.optional(v.nullable(v.fallback(RunReason, "internal")), null),
  post: v.optional(v.nullable(v.object({ id: v.string(), slug: v.string(), title: v.string() })), null),
});
export type ScheduledRun = v.InferOutput<typeof ScheduledRun>;

export const ScheduleState = v.picklist(["idle", "running", "error"]);
export type ScheduleState = v.InferOutput<typeof ScheduleState>;

/**
 * GET /admin/blog/scheduled-status (SPEC.md section 3), and the response of the calls that change it. Times are ISO
 * 8601, UTC.
 */
export const ScheduledStatus = v.pipe(
  v.object({
    enabled: v.boolean(),
    nextRunTime: time,
    lastRunTime: time,
    postsGenerated: count,
    postsSkipped: count,
    status: v.optional(v.string()),
    /** Error of the last run, when it failed; in English. */
    errorMessage: v.optional(v.nullable(v.string()), null),
    skipsNext: v.optional(v.boolean(), false),
    followingRunTime: time,
    /** Whether a language model for it is configured. */
    canWrite: v.optional(v.boolean(), true),
    /** Newest first, at most 10. */
    history: v.optional(v.array(ScheduledRun), () => []),
  }),
  v.transform((status) => ({ ...status, status: stateOf(status) })),
);
export type ScheduledStatus = v.InferOutput<typeof ScheduledStatus>;
/** The status as the page accepts it: null for a response that is only an acknowledgement. */
export const AcceptedStatus = v.fallback(v.nullable(ScheduledStatus), null);

/** SPEC.md section 4: missing or unknown values fall back to idle or error. */
function stateOf({ status, errorMessage }: { status?: string | undefined; errorMessage: string | null }): ScheduleState {
  if (v.is(ScheduleState, status)) return status;
  return errorMessage ? "error" : "idle";
}

/**
 * POST /admin/blog/skip-next-scheduled; `skip: false` undoes it. An empty body skips. 409 `conflict` when nothing is
 * scheduled.
 */
export const SkipNext = v.object({ skip: v.optional(v.boolean(), true) });
