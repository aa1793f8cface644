import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { scheduledPostingMachine } from "#machines/scheduled-posting/machine.ts";
import { createBlogScheduleApi } from "#src/api/scheduled-posting.ts";
import { inspected } from "#src/browser/inspection.ts";
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
export type Schedule = ActorRefFrom<typeof machine>;

let schedule: Schedule | undefined;

/**
 * For the loader of the page that shows `SchedulePanel`: loads its texts, and requests the schedule's state.
 * @param posted called when a post was written
 */
export async function enterSchedule(posted: () => void): Promise<void> {
  await loadTexts("scheduled-posting");
  if (schedule === undefined) openSchedule().on("post.generated", posted);
  openSchedule().send({ type: "status.requested" });
}

/** The same until the page is left. */
export function openSchedule(): Schedule {
  schedule ??= createActor(machine, { ...inspected(), input: { now: Date.now } }).start();
  return schedule;
}

/** The page is left. */
export function leaveSchedule(): void {
  schedule?.stop();
  schedule = undefined;
}
