import * as v from "valibot";
import { createActor, fromPromise } from "xstate";
import { type AdminJob, jobStates } from "#contract/index.ts";
import { deskMachine } from "#machines/admin/row-actions.ts";
import { createAdminJobsApi, type JobsQuery } from "#src/api/admin-jobs.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import type { Desk } from "./inbox-actor.ts";
import { type AdminList, keepAdminList } from "./list-actor.ts";
import { choice, PageNumber, type RawAdminSearch } from "./search.ts";

const api = createAdminJobsApi(call);
const JobsSearch = v.object({ state: choice(jobStates), page: PageNumber });

/** How often the queue is looked at; in a tab that nobody sees, seldom (milliseconds). */
const lookMs = 5_000;
const hiddenLookMs = 60_000;

const list = keepAdminList<AdminJob, JobsQuery>((query, signal) => api.jobs(query, signal));
export type JobList = AdminList<AdminJob, JobsQuery>;

const machine = deskMachine.provide({
  actors: {
    perform: fromPromise(async ({ input: { deed }, signal }) => {
      if (deed !== undefined) await api.retry(deed.id, signal);
    }),
  },
  delays: { untilNextLook: () => (document.hidden ? hiddenLookMs : lookMs) },
});

let desk: Desk | undefined;

/** Where failed jobs are set going again: the same until the section is left. */
export function openJobDesk(): Desk {
  if (desk !== undefined) return desk;
  const actor = createActor(machine, { ...inspected(), input: { asksFirst: [], looks: true } });
  actor.on("look.due", list.look);
  actor.on("done", () => {
    list.look();
    toast({ kind: "success", key: "admin:jobs.retried" });
  });
  desk = actor.start();
  return actor;
}

/** The section is opened, or the address asks something else of it. */
export const openJobs = (search: RawAdminSearch): JobList => list.show(v.parse(JobsSearch, search));

export function closeJobs(): void {
  list.close();
  desk?.stop();
  desk = undefined;
}
