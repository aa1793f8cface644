import { ScheduledStatus } from "./contract/index.ts";
import type { Call } from "./http.ts";

/** Scheduled posting (SPEC.md section 7, "Blog, admin"). All of it throws ApiError. */
export function createBlogScheduleApi(call: Call) {
  return {
    status: (signal?: AbortSignal): Promise<ScheduledStatus> =>
      call("/admin/blog/scheduled-status", { schema: ScheduledStatus, signal }),
    /** Answers when the run has begun. */
    trigger: (signal?: AbortSignal): Promise<ScheduledStatus> =>
      call("/admin/blog/trigger-scheduled", { method: "POST", schema: ScheduledStatus, signal }),
    /** @param skip false: the next run is wanted after all */
    skipNext: (skip: boolean, signal?: AbortSignal): Promise<ScheduledStatus> =>
      call("/admin/blog/skip-next-scheduled", { json: { skip }, schema: ScheduledStatus, signal }),
  };
}
