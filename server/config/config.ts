import { resolve } from "node:path";
import * as v from "valibot";
import type { BackupConfig } from "#server/backup/config.ts";
import type { LogLevel } from "#server/log/log.ts";
import type { AnalyticsConfig } from "#server/page/analytics.ts";
import type { ProviderConfig } from "#server/session/provider.ts";
import type { BucketConfig } from "#server/storage/bucket.ts";
import type { StripeConfig } from "#server/subscription/stripe-billing.ts";
import type { WatchConfig } from "#server/watched-folder/watch.ts";
import { analyticsOf, uselessWithoutTag } from "./analytics.ts";
import { bucketOf } from "./bucket.ts";
import { type EnginesConfig, enginesOf } from "./engines.ts";
import { Environment, type roles } from "./environment.ts";
import { backupOf, type OperationsConfig, operationsOf } from "./operations.ts";
import { stripeOf } from "./payments.ts";
import { providersOf } from "./provider.ts";
import type { TrustedProxies } from "./values.ts";
import { watchOf } from "./watch.ts";

export interface Config extends EnginesConfig {
  /** Of the page. Undefined: no analytics. */
  analytics: AnalyticsConfig | undefined;
  port: number;
  webPort: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  /** PostgreSQL; undefined: the database is a file in the data folder. */
  databaseUrl: string | undefined;
  /** `api` makes no transcriptions; `worker` does nothing else. */
  role: (typeof roles)[number];
  publicUrl: string | undefined;
  apiUrl: string | undefined;
  trustProxy: v.InferOutput<typeof TrustedProxies>;
  /** Newest first; undefined: the keys are in the data folder. */
  jwtSecrets: string[] | undefined;
  secondFactor: {
    /** SECOND_FACTOR_KEY, the newest first. */
    keys: string[] | undefined;
    /** Superusers need one. */
    forAdmins: boolean;
  };
  refreshDays: number;
  sessionDays: number;
  /** None: sign-in without another provider. */
  providers: readonly ProviderConfig[];
  mail: { smtpUrl: string | undefined; from: string; confirmation: boolean; owner: string | undefined };
  /** Undefined: test payments. */
  stripe: StripeConfig | undefined;
  maxUploadBytes: number;
  /** Longest recording, in seconds. */
  maxAudioSeconds: number;
  /** Storage per user, in bytes; null: unlimited. */
  storageQuotas: { free: number | null; premium: number | null };
  /** How many may try dictation without an account at once; 0: nobody. */
  tryOutSlots: number;
  /** "host:port" of private servers from which recordings may be fetched. */
  fetchAllowHosts: ReadonlySet<string>;
  /** "host:port" of private servers that webhooks may call. */
  webhookAllowHosts: ReadonlySet<string>;
  logLevel: LogLevel;
  operations: OperationsConfig;
  backup: BackupConfig;
  /** `expression` undefined: no scheduled posting. */
  schedule: { expression: string | undefined; language: string; about: string };
  /** Where files are kept; undefined: in the data folder. */
  bucket: BucketConfig | undefined;
  /** What is put there is transcribed; undefined: no folder is watched. */
  watch: WatchConfig | undefined;
}

/** An invalid environment; `message` has a line for each variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads and validates the environment. An empty variable counts as not set.
 * @throws ConfigError
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value.trim() === "" ? [] : [[name, value.trim()]])),
  );
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) throw new ConfigError(parsed.issues.map((issue) => complaint(issue)).join("\n"));
  const e = parsed.output;
  if (e.SMTP_URL !== undefined && e.MAIL_FROM === undefined) throw new ConfigError("MAIL_FROM is needed with SMTP_URL.");
  const useless = uselessWithoutTag(e);
  if (useless !== undefined) throw new ConfigError(`ANALYTICS_TAG_URL: is missing, and ${useless} is of no use without it.`);
  return {
    analytics: analyticsOf(e),
    port: e.PORT,
    webPort: e.WEB_PORT,
    host: e.HOST,
    dataDir: resolve(e.PARLANCE_DATA),
    databaseUrl: e.DATABASE_URL,
    role: e.PARLANCE_ROLE,
    publicUrl: e.PUBLIC_URL,
    apiUrl: e.API_URL,
    trustProxy: e.TRUST_PROXY,
    jwtSecrets: e.JWT_SECRET,
    secondFactor: { keys: e.SECOND_FACTOR_KEY, forAdmins: e.ADMIN_SECOND_FACTOR },
    refreshDays: e.REFRESH_DAYS,
    sessionDays: e.SESSION_DAYS,
    providers: providersOf(e, given, refuse),
    mail: {
      smtpUrl: e.SMTP_URL,
      from: e.MAIL_FROM ?? "Parlance <parlance@localhost>",
      owner: e.OWNER_EMAIL,
      confirmation: e.EMAIL_CONFIRMATION ?? e.SMTP_URL !== undefined,
    },
    stripe: stripeOf(e, refuse),
    maxUploadBytes: e.MAX_UPLOAD_MB * 1024 * 1024,
    maxAudioSeconds: e.MAX_AUDIO_HOURS * 3600,
    storageQuotas: { free: quotaOf(e.STORAGE_QUOTA_FREE_MB), premium: quotaOf(e.STORAGE_QUOTA_PREMIUM_MB) },
    tryOutSlots: e.TRY_OUT_PLACES,
    fetchAllowHosts: e.FETCH_ALLOW_HOSTS,
    webhookAllowHosts: e.WEBHOOK_ALLOW_HOSTS,
    logLevel: e.LOG_LEVEL,
    operations: operationsOf(e),
    backup: backupOf(e),
    ...enginesOf(e),
    bucket: bucketOf(e, refuse),
    watch: watchOf(e, refuse),
    schedule: { expression: e.BLOG_SCHEDULE, language: e.BLOG_SCHEDULE_LANGUAGE, about: e.BLOG_SCHEDULE_ABOUT },
  };
}

function refuse(sentence: string): never {
  throw new ConfigError(sentence);
}

/** In bytes. */
function quotaOf(mebibytes: number): number | null {
  return mebibytes === 0 ? null : mebibytes * 1024 * 1024;
}

/** Names keys and secrets, but never shows their values. */
function complaint(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue) ?? "environment";
  const shown = /KEY|SECRET|DATABASE_URL/.test(name) ? "the value given" : JSON.stringify(issue.input);
  return `${name}: ${shown} ${issue.message}.`;
}
