import { resolve } from "node:path";
import * as v from "valibot";
import type { BackupConfig } from "./backup/config.ts";
import type { BucketConfig } from "./common/bucket.ts";
import { type LogLevel, logLevels } from "./common/log.ts";
import { analyticsOf, analyticsVariables, uselessWithoutTag } from "./config-analytics.ts";
import { bucketOf, bucketVariables } from "./config-bucket.ts";
import { type EnginesConfig, enginesOf, engineVariables } from "./config-engines.ts";
import { backupOf, type OperationsConfig, operationsOf, operationsVariables } from "./config-operations.ts";
import { paymentVariables, stripeOf } from "./config-payments.ts";
import { providersOf, providerVariables } from "./config-provider.ts";
import {
  BlogLanguage,
  CronExpression,
  HostList,
  Origin,
  Port,
  Positive,
  PostgresUrl,
  Secrets,
  SmtpUrl,
  Switch,
  Text,
  TrustedProxies,
  Whole,
} from "./config-values.ts";
import { watchOf, watchVariables } from "./config-watch.ts";
import type { AnalyticsConfig } from "./page/analytics.ts";
import type { ProviderConfig } from "./session/provider.ts";
import type { StripeConfig } from "./subscription/stripe-billing.ts";
import type { WatchConfig } from "./watched-folder/watch.ts";

const roles = ["all", "api", "worker"] as const;

/** Every environment variable of the server: validation, default and meaning. The README's table is generated from it. */
const Environment = v.object({
  PORT: v.pipe(v.optional(Port, "3000"), v.description("Port of the API.")),
  WEB_PORT: v.pipe(v.optional(Port, "5173"), v.description("Port of the page.")),
  HOST: v.pipe(v.optional(Text, "127.0.0.1"), v.description("Address to listen on. 0.0.0.0 lets other machines in.")),
  PARLANCE_DATA: v.pipe(v.optional(Text, "./data"), v.description("The data folder: database, audio, models.")),
  DATABASE_URL: v.pipe(
    v.optional(PostgresUrl),
    v.description(
      "PostgreSQL (15 or newer) instead of the data folder's own database: postgres://user:password@host:5432/parlance.",
    ),
  ),
  PARLANCE_ROLE: v.pipe(
    v.optional(v.picklist(roles, `must be one of ${roles.join(", ")}`), "all"),
    v.description(
      "What this process does: all; api serves people and dictation; worker makes transcriptions and opens no port (npm run worker).",
    ),
  ),
  PUBLIC_URL: v.pipe(
    v.optional(Origin),
    v.description("The page's origin as people see it (default http://localhost:WEB_PORT). Cookies are Secure when it is https."),
  ),
  API_URL: v.pipe(
    v.optional(Origin),
    v.description("The API's origin as the page sees it, when that is not port PORT on the page's own host."),
  ),
  TRUST_PROXY: v.pipe(
    v.optional(TrustedProxies, "0"),
    v.description(
      "How many reverse proxies stand in front, or their addresses: 10.0.0.0/8. They name clients in X-Forwarded-For.",
    ),
  ),
  JWT_SECRET: v.pipe(
    v.optional(Secrets),
    v.description("Signs tokens; after a comma, secrets before it that are still accepted. Default: the data folder's own keys."),
  ),
  SECOND_FACTOR_KEY: v.pipe(
    v.optional(Secrets),
    v.description(
      "Encrypts the secrets of authenticator apps; after a comma, keys before it, which still decrypt. Default: the data folder's own key.",
    ),
  ),
  ADMIN_SECOND_FACTOR: v.pipe(
    v.optional(Switch, "0"),
    v.description("1: superusers administer the server only once they sign in with a second factor."),
  ),
  REFRESH_DAYS: v.pipe(v.optional(Positive, "30"), v.description("Days that a sign-in lasts without being used.")),
  SESSION_DAYS: v.pipe(v.optional(Positive, "180"), v.description("Days after which a sign-in ends, however much it is used.")),
  ...providerVariables,
  SMTP_URL: v.pipe(
    v.optional(SmtpUrl),
    v.description("Mail server: smtp(s)://user:password@host:port. Without one, mails wait in the data folder (npm run mails)."),
  ),
  MAIL_FROM: v.pipe(
    v.optional(v.pipe(Text, v.regex(/@/, "has no e-mail address in it"))),
    v.description("Sender of mails, such as Parlance <no-reply@example.org>. Needed with SMTP_URL."),
  ),
  OWNER_EMAIL: v.pipe(
    v.optional(v.pipe(Text, v.email("is not an e-mail address"))),
    v.description("Who is mailed what people write on /feedback, /contact and /waitlist."),
  ),
  EMAIL_CONFIRMATION: v.pipe(
    v.optional(Switch),
    v.description("1: who signs up has to confirm the e-mail address first. Default: 1 with SMTP_URL, else 0."),
  ),
  ...paymentVariables,
  MAX_UPLOAD_MB: v.pipe(v.optional(Positive, "2048"), v.description("Largest audio or video file, in MiB.")),
  MAX_AUDIO_HOURS: v.pipe(
    v.optional(Positive, "24"),
    v.description("Longest recording, in hours. While it is made, an hour takes 115 MB of disk."),
  ),
  STORAGE_QUOTA_FREE_MB: v.pipe(
    v.optional(Whole, "5120"),
    v.description("What one person may keep on the server without a subscription, the vault included, in MiB. 0: no limit."),
  ),
  STORAGE_QUOTA_PREMIUM_MB: v.pipe(v.optional(Whole, "0"), v.description("The same with a subscription, and for superusers.")),
  TRY_OUT_PLACES: v.pipe(
    v.optional(Whole, "2"),
    v.description("How many may try dictation without an account at the same time, 30 seconds each. 0: nobody."),
  ),
  FETCH_ALLOW_HOSTS: v.pipe(
    v.optional(HostList, ""),
    v.description("Private servers that recordings may be fetched from all the same: host:port, separated by commas."),
  ),
  WEBHOOK_ALLOW_HOSTS: v.pipe(
    v.optional(HostList, ""),
    v.description("Private servers that webhooks may call all the same, also over http: host:port, separated by commas."),
  ),
  LOG_LEVEL: v.pipe(
    v.optional(v.picklist(logLevels, `must be one of ${logLevels.join(", ")}`), "warn"),
    v.description("What is logged: silent, error, warn, info (a line for each request) or debug."),
  ),
  ...engineVariables,
  BLOG_SCHEDULE: v.pipe(
    v.optional(CronExpression),
    v.description(
      "When posts are written and published by themselves: a cron expression in UTC, such as 0 7 * * 1-5. Default: never.",
    ),
  ),
  BLOG_SCHEDULE_LANGUAGE: v.pipe(v.optional(BlogLanguage, "en"), v.description("Language of these posts, such as en or pt-BR.")),
  BLOG_SCHEDULE_ABOUT: v.pipe(
    v.optional(v.pipe(Text, v.maxLength(300, "is longer than 300 characters")), ""),
    v.description("What these posts are about, in a few words. Default: what the other posts are about."),
  ),
  ...operationsVariables,
  ...bucketVariables,
  ...watchVariables,
  ...analyticsVariables,
});

/** The variables, for the README's table and the doctor. `fallback` is empty if there is none. */
export const variables: readonly { name: string; fallback: string; meaning: string }[] = Object.entries(Environment.entries).map(
  ([name, schema]) => ({ name, fallback: v.getDefault(schema) ?? "", meaning: v.getDescription(schema) ?? "" }),
);

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
  tryOutPlaces: number;
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
    tryOutPlaces: e.TRY_OUT_PLACES,
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
