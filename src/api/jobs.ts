import { AdminJob, AdminJobsAnswer, type jobStates, type ListPage } from "#contract/index.ts";
import { listPageOf } from "./admin.ts";
import type { Call } from "./http.ts";

export interface JobsQuery {
  state: (typeof jobStates)[number];
  page: number;
}

/** The calls about the queue of transcriptions. All of them throw ApiError. */
export function createAdminJobsApi(call: Call) {
  return {
    async jobs({ state, page }: JobsQuery, signal?: AbortSignal): Promise<ListPage<AdminJob>> {
      const answer = await call(`/admin/jobs?state=${state}&page=${page}`, { schema: AdminJobsAnswer, signal });
      return listPageOf(answer.jobs, answer.pagination);
    },
    async cancel(id: string, signal?: AbortSignal): Promise<void> {
      await call(`/admin/jobs/${encodeURIComponent(id)}/cancel`, { method: "POST", schema: AdminJob, signal });
    },
    async retry(id: string, signal?: AbortSignal): Promise<void> {
      await call(`/admin/jobs/${encodeURIComponent(id)}/retry`, { method: "POST", schema: AdminJob, signal });
    },
  };
}
