import * as v from "valibot";
import { createActor, fromPromise } from "xstate";
import { type AdminJob, jobStates } from "#contract/index.ts";
import { rowActionsMachine } from "#machines/admin/row-actions.ts";
import { createAdminJobsApi, type JobsQuery } from "#src/api/jobs.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import { type AdminList, keepAdminList } from "./list-actor.ts";
import { choice, PageNumber, type RawAdminSearch } from "./search.ts";

const api = createAdminJobsApi(call);
const JobsSearch = v.object({ state: choice(jobStates), page: PageNumber });

/** Poll intervals of the queue in ms: in a visible tab, and in a hidden one. */
const pollMs = 5_000;
const hiddenPollMs = 60_000;

const list = keepAdminList<AdminJob, JobsQuery>((query, signal) => api.jobs(query, signal));
export type JobList = AdminList<AdminJob, JobsQuery>;

const machine = rowActionsMachine.provide({
  actors: {
    perform: fromPromise(async ({ input: { rowAction }, signal }) => {
      if (rowAction !== undefined) await api[rowAction.action === "cancel" ? "cancel" : "retry"](rowAction.id, signal);
    }),
  },
  delays: { pollInterval: () => (document.hidden ? hiddenPollMs : pollMs) },
});

const actions = perVisit(() => {
  const actor = createActor(machine, { ...inspected(), input: { asksFirst: ["cancel"], polls: true } });
  actor.on("poll.due", list.poll);
  actor.on("rowAction.done", ({ rowAction: { action } }) => {
    list.poll();
    toast({ kind: "success", key: action === "cancel" ? "admin:jobs.cancelled" : "admin:jobs.retried" });
  });
  return actor.start();
});
/** The actor that retries failed jobs and cancels the others. One until the user leaves the section. */
export const openJobActions = actions.open;

/** Called when the section is opened or its search parameters change. */
export const openJobs = (search: RawAdminSearch): JobList => list.show(v.parse(JobsSearch, search));

export function closeJobs(): void {
  list.close();
  actions.close();
}
