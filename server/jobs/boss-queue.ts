import { createHash } from "node:crypto";
import { fromKysely, type Job, PgBoss } from "pg-boss";
import { object, parse, string } from "valibot";
import type { Db } from "#server/db/open.ts";
import { connectionSettings } from "#server/db/postgres.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { type Claim, claimJob, fetchesPerUser } from "./claim-queries.ts";
import { hasUnsent, hasWaiting, sendDue, type Unsent } from "./message-queries.ts";
import type { JobQueue } from "./queue.ts";

/** Recordings on this server, and those that must be downloaded first: slow remote servers delay nobody else. */
const queueNames = { near: "transcriptions", far: "downloads" } as const;
type QueueName = (typeof queueNames)[keyof typeof queueNames];

/** pg-boss serves the highest priority first: urgent jobs, then the lowest rank. */
const urgentPriority = 1_000_000_000;
/** A message whose worker is silent for this long is delivered again (seconds): as long as a lease. */
const heartbeatSeconds = 15;
/** The seconds between checks for silent workers. */
const monitorSeconds = 5;
/** Longer than the longest accepted recording takes; pg-boss's maximum, in seconds. */
const expireInSeconds = 23 * 60 * 60;
/** The seconds for which the messages of ended jobs are kept, for inspection. */
const deleteAfterSeconds = 60 * 60;
/** Messages are repeated as long as a job exists: the jobs themselves limit their attempts. */
const retryLimit = 1_000_000;
const retentionSeconds = 365 * 24 * 60 * 60;
/** Connections of a process, beside those of its queries. */
const poolSize = 3;
/** The ms that the last statements may take when it closes. */
const closeMs = 2_000;

const MessageData = object({ id: string() });

interface Parts {
  db: Db;
  /** postgres://… */
  url: string;
  log: Log;
}

interface Fetched {
  name: QueueName;
  message: Job<unknown>;
}

/**
 * The queue of several machines: pg-boss, on the same PostgreSQL, delivers each waiting job to one worker, and again if
 * that worker dies. A due row of `jobs` without a message gets one; the receiver of the message claims the row. So a
 * job is committed with its transcription, a message that outlives its job has no effect, and a lost one is sent again.
 */
export async function openBossQueue({ db, url, log }: Parts): Promise<JobQueue> {
  const boss = new PgBoss({
    ...connectionSettings(url),
    application_name: "parlance queue",
    schema: "pgboss",
    max: poolSize,
    schedule: false,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    openTelemetry: { enabled: false },
  });
  boss.on("error", (error) => log.error("job queue failed", describeError(error)));
  await boss.start();
  const options = { policy: "exclusive", heartbeatSeconds, expireInSeconds, deleteAfterSeconds, retryLimit, retentionSeconds };
  for (const name of Object.values(queueNames)) await boss.createQueue(name, options);

  let isFarNext = false;

  const send = async (t: Db, due: readonly Unsent[]) => {
    for (const isFar of [false, true]) {
      const messages = due.filter((job) => job.isFar === isFar).map(messageOf);
      const name = isFar ? queueNames.far : queueNames.near;
      if (messages.length > 0) await boss.insert(name, messages, { db: fromKysely(t) });
    }
  };
  const fetchFrom = async (name: QueueName, onlyNewcomers: boolean) => {
    const [urgent] = onlyNewcomers ? await boss.fetch<unknown>(name, { minPriority: 1 }) : [];
    const ofOne = onlyNewcomers ? 1 : name === queueNames.far ? fetchesPerUser : undefined;
    const limit = ofOne === undefined ? {} : { groupConcurrency: ofOne };
    const [message] = urgent === undefined ? await boss.fetch<unknown>(name, limit) : [urgent];
    return message && { name, message };
  };
  const fetchNext = async ({ withoutFetches, onlyNewcomers }: Claim): Promise<Fetched | undefined> => {
    isFarNext = !isFarNext;
    const both = isFarNext ? [queueNames.near, queueNames.far] : [queueNames.far, queueNames.near];
    for (const name of withoutFetches ? [queueNames.near] : both) {
      const found = await fetchFrom(name, onlyNewcomers);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    claim: async (wanted) => {
      // Most of the time, nothing waits.
      if (!(await hasWaiting(db, wanted))) return undefined;
      if (await hasUnsent(db, wanted)) await sendDue(db, wanted, send);
      for (;;) {
        const next = await fetchNext(wanted);
        if (next === undefined) return undefined;
        const { name, message } = next;
        const settle = async () => void (await boss.complete(name, message));
        const job = await claimJob(db, parse(MessageData, message.data).id, wanted);
        if (job !== undefined) return { job, keep: async () => void (await boss.touch(name, message)), settle };
        await settle();
      }
    },
    close: () => boss.stop({ timeout: closeMs }),
  };
}

function messageOf({ id, person, rank, isUrgent, isLast }: Unsent) {
  const priority = (isUrgent ? urgentPriority : isLast ? -urgentPriority : 0) - rank;
  return { data: { id }, singletonKey: id, group: { id: groupOf(person) }, priority };
}

/** Messages outlive their jobs, and accounts: what keeps people's messages apart does not name them. */
function groupOf(person: string): string {
  return createHash("sha256").update(`parlance queue\0${person}`).digest("hex").slice(0, 32);
}
