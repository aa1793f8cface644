import { join, resolve } from "node:path";
import * as v from "valibot";
import type { BackupConfig } from "#server/backup/config.ts";
import { isSchedule } from "#server/scheduled-posting/cron.ts";
import { HttpUrl, Port, Positive, setting, settingOr, Text, type ValuesOf } from "./values.ts";

/** The minimum characters of the metrics token, so that nobody can guess it. */
const minToken = 16;

/** "03:30" as a cron expression; an expression as it is. */
const Schedule = v.pipe(
  Text,
  v.transform((text) =>
    text.replace(/^([01]?\d|2[0-3]):([0-5]\d)$/, (_, hour, minute) => `${Number(minute)} ${Number(hour)} * * *`),
  ),
  v.check(isSchedule, "must be a time such as 03:30 or a valid cron expression of five parts"),
);

export const operationsVariables = {
  METRICS_PORT: setting(Port, "A separate port for /metrics (Prometheus), /healthz and /readyz. Default: none."),
  METRICS_HOST: settingOr(Text, "127.0.0.1", "The address on which METRICS_PORT listens."),
  METRICS_TOKEN: setting(
    v.pipe(Text, v.minLength(minToken, `must have at least ${minToken} characters`)),
    "The bearer token that opens /metrics on the port of the API. METRICS_PORT then requires it, too.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    HttpUrl,
    "The collector for traces (OpenTelemetry, OTLP over HTTP), such as http://localhost:4318. Default: no traces.",
  ),
  BACKUP_SCHEDULE: setting(
    Schedule,
    "When the server makes a backup: a time such as 03:30 or a cron expression, in UTC. Default: never.",
  ),
  BACKUP_KEEP: settingOr(Positive, "7", "How many backups to keep. Older ones are deleted after a new one is complete."),
  BACKUP_DIR: setting(Text, "The folder for backups. Default: the folder backups in the data folder."),
  BACKUP_RECIPIENT: setting(
    v.pipe(Text, v.regex(/^age1[a-z\d]{50,}$/, "must be an age recipient (age1…)")),
    "The public age key (age1…) for which backups are encrypted. Default: not encrypted.",
  ),
  BACKUP_BUCKET: settingOr(
    v.picklist(["copy", "list"], 'is neither "copy" nor "list"'),
    "copy",
    "With S3_BUCKET. copy: a backup contains the files of the bucket. list: a backup only lists them, for a bucket that keeps earlier versions.",
  ),
};

type OperationsValues = ValuesOf<typeof operationsVariables>;

/** @param dataDir PARLANCE_DATA */
export function backupOf(e: OperationsValues, dataDir: string): BackupConfig {
  return {
    schedule: e.BACKUP_SCHEDULE,
    keep: e.BACKUP_KEEP,
    dir: resolve(e.BACKUP_DIR ?? join(dataDir, "backups")),
    recipient: e.BACKUP_RECIPIENT,
    bucketKeepsFiles: e.BACKUP_BUCKET === "list",
  };
}

/** The settings for observing the server. */
export function operationsOf(e: OperationsValues) {
  return {
    metrics: { port: e.METRICS_PORT, host: e.METRICS_HOST, token: e.METRICS_TOKEN },
    tracesUrl: e.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}
