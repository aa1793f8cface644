import * as v from "valibot";
import { type AdminMetrics, type EngineHealth, type EngineInfo, ErrorCode } from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { countInbox, countWaitlist } from "#server/inbox/queries.ts";
import { countJobs } from "#server/jobs/queries.ts";
import { version } from "#server/log/version.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { countMails } from "#server/mail/queries.ts";
import { dayOf, lastDays } from "#server/metrics/days.ts";
import { latestMetric, metricsSince } from "#server/metrics/queries.ts";
import { espeakInfo, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import { sumUsageByDay, sumUsageOfAll } from "#server/subscription/usage-queries.ts";
import { countFailures, countFailuresByReason } from "#server/transcription/statistics-queries.ts";
import type { Translation } from "#server/translation/index.ts";
import { countNewUsersByDay } from "#server/users/queries.ts";
import { measureDisk } from "./disk.ts";
import { recordDay } from "./history.ts";
import { countUsers } from "./user-queries.ts";
import { samplesPerMinute } from "./users.ts";

const dayMs = 24 * 60 * 60 * 1000;
const latelyMs = 7 * dayMs;

interface Parts extends DbParts {
  config: { dataDir: string; llm: { apiUrl?: string; apiModel: string } };
  outbox: Outbox;
  engines: SpeechEngines;
  translation: Translation;
  synthesizer: SpeechSynthesizer;
  storage: Pick<Storage, "bucket">;
}

/** Metrics for the operator. @param count number of days, today (UTC) included */
export async function readMetrics(parts: Parts, count: number): Promise<AdminMetrics> {
  const { db, now } = parts;
  const at = now();
  // Data is missing only before the sweeper's first run.
  if ((await latestMetric(db, "recordedAt")) === undefined) await recordDay(parts);
  const days = lastDays(at, count);
  const [since = dayOf(at)] = days;
  const kept = await metricsSince(db, since);
  const newUsers = await countNewUsersByDay(db, since);
  const daily = (metric: Parameters<typeof kept>[0]) => days.map((day) => kept(metric, day) ?? null);
  return {
    at: new Date(at).toISOString(),
    version,
    uptimeSeconds: Math.round(process.uptime()),
    days,
    users: {
      ...(await countUsers(db)),
      newPerDay: days.map((day) => newUsers.get(day) ?? 0),
      totalPerDay: daily("users"),
      premiumPerDay: daily("premium"),
    },
    minutes: await countMinutes(db, days, at),
    signIns: { today: kept("signIns", dayOf(at)) ?? 0, perDay: days.map((day) => kept("signIns", day) ?? 0) },
    jobs: await jobsOf(db, at),
    failures: await lateFailures(db, at),
    engines: enginesOf(parts),
    storage: await storageOf(parts, days, kept),
    mails: { server: parts.outbox.kept === undefined, ...(await countMails(db)) },
    messages: { open: await countInbox(db, { handled: false }), waitlist: await countWaitlist(db) },
  };
}

/** Days before the first record are null, not 0. */
async function countMinutes(db: Db, days: readonly string[], at: number): Promise<AdminMetrics["minutes"]> {
  const perDay = await sumUsageByDay(db, days[0] ?? "");
  const thisMonth = await sumUsageOfAll(db, at);
  return {
    thisMonth: thisMonth / samplesPerMinute,
    perDay: days.map((day) => (perDay.get(day) ?? 0) / samplesPerMinute),
  };
}

async function jobsOf(db: Db, at: number): Promise<AdminMetrics["jobs"]> {
  const { waiting, running } = await countJobs(db, at);
  const { all: failed, lately: failedLately } = await countFailures(db, at - latelyMs);
  return { waiting, running, failed, failedLately };
}

async function lateFailures(db: Db, at: number): Promise<AdminMetrics["failures"]> {
  const reasons = await countFailuresByReason(db, at - latelyMs);
  return reasons.map(({ reason, count, last }) => ({
    code: v.parse(v.fallback(ErrorCode, "internal"), reason),
    count,
    lastAt: new Date(last).toISOString(),
  }));
}

function enginesOf({ engines, translation, synthesizer, config }: Parts): EngineHealth[] {
  // Offline engines are detected when installed; the others were configured.
  const known = (kind: EngineHealth["kind"], { name, offline, available, detail }: EngineInfo): EngineHealth => {
    return { kind, name, available, wanted: !offline, detail: available ? null : (detail ?? null) };
  };
  const { apiUrl, apiModel } = config.llm;
  const own = (kind: EngineHealth["kind"], name: string, available: boolean, detail: string): EngineHealth => {
    return { kind, name, available, wanted: available, detail: available ? null : detail };
  };
  return [
    ...engines.infos().map((info) => known("speech", info)),
    ...translation.infos().map((info) => known("translation", info)),
    ...(synthesizer.infos?.() ?? [espeakInfo(synthesizer)]).map((info) => known("aloud", info)),
    own("chat", apiUrl === undefined ? "LLM" : apiModel, apiUrl !== undefined, "LLM_API_URL is not set."),
  ];
}

async function storageOf(
  { db, config }: Parts,
  days: readonly string[],
  kept: Awaited<ReturnType<typeof metricsSince>>,
): Promise<AdminMetrics["storage"]> {
  const parts = ["database", "audio", "vault", "other"] as const;
  const [database = 0, audio = 0, vault = 0, other = 0] = await Promise.all(parts.map((part) => latestMetric(db, part)));
  const usedPerDay = days.map((day) => {
    const sizes = parts.flatMap((part) => kept(part, day) ?? []);
    return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
  });
  const measuredAt = new Date((await latestMetric(db, "recordedAt")) ?? 0).toISOString();
  return { database, audio, vault, other, ...(await measureDisk(config.dataDir)), measuredAt, usedPerDay };
}
