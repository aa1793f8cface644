import * as v from "valibot";
import { createActor, fromPromise } from "xstate";
import { deskMachine } from "../../machines/desk.ts";
import { createAdminJobsApi, type JobsQuery } from "../api/admin-jobs.ts";
import { type AdminJob, jobStates } from "../api/contract/index.ts";
import type { Desk } from "./admin-inbox.ts";
import { type AdminList, keepAdminList } from "./admin-list.ts";
import { choice, PageNumber, type RawAdminSearch } from "./admin-search.ts";
import { call } from "./api.ts";
import { inspected } from "./inspection.ts";
import { toast } from "./toasts.ts";

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
