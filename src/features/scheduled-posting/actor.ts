import { createActor, fromPromise } from "xstate";
import { scheduledPostingMachine } from "#machines/scheduled-posting/machine.ts";
import { createBlogScheduleApi } from "#src/api/scheduled-posting.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { call } from "#src/features/session/api.ts";
import { loadTexts } from "#src/i18n/index.ts";

const api = createBlogScheduleApi(call);

const machine = scheduledPostingMachine.provide({
  actors: {
    fetchStatus: fromPromise(({ signal }) => api.status(signal)),
    trigger: fromPromise(({ signal }) => api.trigger(signal)),
    skipNext: fromPromise(({ input, signal }) => api.skipNext(input.skip, signal)),
  },
});

const schedule = perVisit(() => createActor(machine, { ...inspected(), input: { now: Date.now } }).start());
/** Opens the schedule. Returns the same actor until the user leaves the page. */
export const { open: openSchedule, close: leaveSchedule } = schedule;

/**
 * Called by the loader of a page that shows `SchedulePanel`. Loads its texts and requests the schedule's state.
 * @param posted called when a post was written
 */
export async function enterSchedule(posted: () => void): Promise<void> {
  await loadTexts("scheduled-posting");
  if (schedule.opened() === undefined) openSchedule().on("post.generated", posted);
  openSchedule().send({ type: "status.requested" });
}
