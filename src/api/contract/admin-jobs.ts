import * as v from "valibot";
import { adminPaging } from "./admin.ts";
import { ErrorCode } from "./error.ts";
import { Pagination, Stage } from "./transcription.ts";

export const jobStates = ["all", "waiting", "running", "failed"] as const;

/** GET /admin/jobs?state=&page=&limit=20: what waits, is being made or has failed, the newest first. */
export const JobsQuery = v.object({ ...adminPaging, state: v.optional(v.picklist(jobStates), "all") });

/** A transcription that is being made, or came to nothing: without its title and text, which are nobody else's business. */
export const AdminJob = v.object({
  id: v.string(),
  userId: v.string(),
  email: v.string(),
  state: v.picklist(["waiting", "running", "failed"]),
  origin: v.picklist(["dictation", "upload", "url", "conversation"]),
  language: v.string(),
  /** What has made it before; null while nothing has. */
  engine: v.nullable(v.string()),
  durationSeconds: v.nullable(v.number()),
  stage: v.nullable(Stage),
  /** 0 to 1. */
  fraction: v.number(),
  /** Attempts that ended in an error; null for one that has failed for good, where nobody counts them any more. */
  failures: v.nullable(v.number()),
  error: v.nullable(ErrorCode),
  createdAt: v.string(),
  /** It has failed, and what it was made of is there still. */
  canRetry: v.boolean(),
});
export type AdminJob = v.InferOutput<typeof AdminJob>;

export const AdminJobsAnswer = v.object({ jobs: v.array(AdminJob), pagination: Pagination });
export type AdminJobsAnswer = v.InferOutput<typeof AdminJobsAnswer>;

// POST /admin/jobs/{id}/retry: the same as its owner's "try again"; the answer is the job. 404 unknown, 409 `conflict` when it has not
// failed, 410 `gone` when its audio is not there any more, 402 `limitReached` when its owner's free minutes are used up.
