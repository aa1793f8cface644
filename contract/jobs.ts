import * as v from "valibot";
import { adminPaging } from "./admin.ts";
import { ErrorCode } from "./error.ts";
import { Origin, Stage } from "./transcription.ts";
import { Pagination } from "./transcriptions.ts";

export const jobStates = ["all", "waiting", "running", "failed"] as const;

/** GET /admin/jobs?state=&page=&limit=20: pending, running and failed jobs, newest first. */
export const JobsQuery = v.object({ ...adminPaging, state: v.optional(v.picklist(jobStates), "all") });

/** A running, pending or failed transcription, without its title and text, which are private. */
export const AdminJob = v.object({
  id: v.string(),
  userId: v.string(),
  email: v.string(),
  state: v.picklist(["waiting", "running", "failed"]),
  origin: Origin,
  language: v.string(),
  /** The engine of the last attempt; null before the first. */
  engine: v.nullable(v.string()),
  durationSeconds: v.nullable(v.number()),
  stage: v.nullable(Stage),
  /** 0 to 1. */
  fraction: v.number(),
  /** Attempts that ended in an error; null for a job that has failed for good, where they are no longer counted. */
  failures: v.nullable(v.number()),
  error: v.nullable(ErrorCode),
  createdAt: v.string(),
  /** Whether it has failed, and its audio still exists. */
  canRetry: v.boolean(),
});
export type AdminJob = v.InferOutput<typeof AdminJob>;

export const AdminJobsAnswer = v.object({ jobs: v.array(AdminJob), pagination: Pagination });
export type AdminJobsAnswer = v.InferOutput<typeof AdminJobsAnswer>;

// POST /admin/jobs/{id}/retry: the same as its owner's "try again"; returns the job. 404 unknown, 409 `conflict` when
// it has not failed, 410 `gone` when its audio no longer exists, 402 `limitReached` when its owner's free minutes are
// used up.

// POST /admin/jobs/{id}/cancel: a running or waiting job fails with `cancelledByOperator`; its owner may restart it.
// Returns the job. 404 unknown, 409 `conflict` when it is neither running nor waiting.
