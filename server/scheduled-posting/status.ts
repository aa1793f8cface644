import type { ScheduledRun, ScheduledStatus } from "#contract/index.ts";
import { sentenceOf } from "#server/errors/problem.ts";
import { nextTime } from "./cron.ts";
import type { SchedulerParts } from "./parts.ts";
import { listRuns, type RunRow, readSchedule } from "./queries.ts";

const shown = 10;

export async function scheduledStatus({ db, generator }: SchedulerParts): Promise<ScheduledStatus> {
  const { expression, next_at, skip_at, posted, skipped } = await readSchedule(db);
  const runs = await listRuns(db, shown);
  const running = runs.some(({ outcome }) => outcome === "running");
  const last = runs.find(({ outcome }) => outcome !== "running");
  const failed = last?.outcome === "failed";
  return {
    enabled: next_at !== null,
    nextRunTime: isoOf(next_at),
    followingRunTime: next_at === null ? null : isoOf(nextTime(expression, next_at)),
    skipsNext: skip_at !== null && skip_at === next_at,
    lastRunTime: isoOf(last?.started_at ?? null),
    postsGenerated: posted,
    postsSkipped: skipped,
    status: running ? "running" : failed ? "error" : "idle",
    errorMessage: failed ? (last.message ?? sentenceOf("internal")) : null,
    canWrite: generator.available,
    history: runs.map(runOf),
  };
}

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function runOf({ id, origin, due_at, finished_at, outcome, reason, post_id, post_slug, post_title }: RunRow): ScheduledRun {
  const post =
    post_id === null || post_slug === null || post_title === null ? null : { id: post_id, slug: post_slug, title: post_title };
  return { id, origin, dueTime: new Date(due_at).toISOString(), finishedTime: isoOf(finished_at), outcome, reason, post };
}
