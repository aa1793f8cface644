import { AcceptedStatus, ScheduledStatus } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** Scheduled posting (SPEC.md section 7, "Blog, admin"). All calls throw ApiError. */
export function createBlogScheduleApi(call: Call) {
  const status = (signal?: AbortSignal) => call("/admin/blog/scheduled-status", { schema: ScheduledStatus, signal });
  /** A server may answer with something other than the current status. */
  const changed = async (path: string, json: unknown, signal?: AbortSignal) =>
    (await call(path, { method: "POST", json, schema: AcceptedStatus, signal })) ?? status(signal);
  return {
    status,
    /** Resolves when the run has started. */
    trigger: (signal?: AbortSignal) => changed("/admin/blog/trigger-scheduled", undefined, signal),
    /** @param skip false takes the skip back */
    skipNext: (skip: boolean, signal?: AbortSignal) => changed("/admin/blog/skip-next-scheduled", { skip }, signal),
  };
}
