import * as v from "valibot";
import { logLevels } from "#server/log/log.ts";
import { analyticsVariables } from "./analytics.ts";
import { bucketVariables } from "./bucket.ts";
import { engineVariables } from "./engines.ts";
import { operationsVariables } from "./operations.ts";
import { paymentVariables } from "./payments.ts";
import { providerVariables } from "./provider.ts";
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
  setting,
  settingOr,
  Text,
  TrustedProxies,
  Whole,
} from "./values.ts";
import { watchVariables } from "./watch.ts";

const roles = ["all", "api", "worker"] as const;

const serverVariables = {
  PORT: settingOr(Port, "3000", "The port of the API."),
  WEB_PORT: settingOr(Port, "5173", "The port of the page."),
  HOST: settingOr(Text, "127.0.0.1", "The address to listen on. 0.0.0.0 lets other machines connect."),
  PARLANCE_DATA: settingOr(Text, "./data", "The data folder: database, recordings, models and keys."),
  DATABASE_URL: setting(
    PostgresUrl,
    "PostgreSQL 15 or newer: postgres://user:password@host:5432/parlance. Default: an SQLite file in the data folder.",
  ),
  PARLANCE_ROLE: settingOr(
    v.picklist(roles, `must be one of ${roles.join(", ")}`),
    "all",
    "What this process does. api: serves the page, the API and dictation. worker: processes jobs and opens no port. all: both.",
  ),
  PUBLIC_URL: setting(
    Origin,
    "The public origin of the page. Cookies are Secure if it is https. Default: http://localhost with WEB_PORT.",
  ),
  API_URL: setting(Origin, "The public origin of the API. Default: PORT on the host of the page."),
  TRUST_PROXY: settingOr(
    TrustedProxies,
    "0",
    "The number of reverse proxies in front of the server, or their addresses, such as 10.0.0.0/8. The server then reads the client's address from X-Forwarded-For.",
  ),
  LOG_LEVEL: settingOr(
    v.picklist(logLevels, `must be one of ${logLevels.join(", ")}`),
    "warn",
    "What is logged: silent, error, warn, info (with one line per request) or debug.",
  ),
};

const sessionVariables = {
  JWT_SECRET: setting(
    Secrets,
    "The secret that signs access tokens, at least 32 characters. Older secrets that are still accepted follow, separated by commas. Default: keys that the server creates.",
  ),
  SECOND_FACTOR_KEY: setting(
    Secrets,
    "The key that encrypts the secrets of authenticator apps and of transcript links, at least 32 characters. Older keys that still decrypt follow, separated by commas. Default: a key that the server creates.",
  ),
  ADMIN_SECOND_FACTOR: settingOr(Switch, "0", "1: superusers need two-step sign-in or a passkey for the admin pages."),
  REFRESH_DAYS: settingOr(Positive, "30", "Days without use after which a session ends."),
  SESSION_DAYS: settingOr(Positive, "180", "Days after which a session ends in any case."),
};

const mailVariables = {
  SMTP_URL: setting(SmtpUrl, "The mail server: smtp(s)://user:password@host:port. Default: e-mails wait for npm run mails."),
  MAIL_FROM: setting(
    v.pipe(Text, v.regex(/@/, "must contain an e-mail address")),
    "The sender of e-mails, such as Parlance <no-reply@example.org>. Required with SMTP_URL.",
  ),
  OWNER_EMAIL: setting(
    v.pipe(Text, v.email("must be an e-mail address")),
    "The address that receives messages from /feedback, /contact and /waitlist.",
  ),
  EMAIL_CONFIRMATION: setting(
    Switch,
    "1: new users must confirm their e-mail address first. Default: 1 with SMTP_URL, otherwise 0.",
  ),
};

const limitVariables = {
  MAX_UPLOAD_MB: settingOr(Positive, "2048", "The largest audio or video file, in MiB."),
  MAX_AUDIO_HOURS: settingOr(
    Positive,
    "24",
    "The longest recording, in hours. Each hour needs 115 MB of disk space while it is transcribed.",
  ),
  STORAGE_QUOTA_FREE_MB: settingOr(
    Whole,
    "5120",
    "Storage for each person without a subscription, in MiB, including encrypted audio. 0: no limit.",
  ),
  STORAGE_QUOTA_PREMIUM_MB: settingOr(Whole, "0", "Storage for each subscriber and superuser, in MiB. 0: no limit."),
  TRY_OUT_PLACES: settingOr(Whole, "3", "How many visitors may try dictation without an account at the same time. 0: none."),
  FETCH_ALLOW_HOSTS: settingOr(
    HostList,
    "",
    "Private servers from which users may fetch recordings and feeds: host:port, separated by commas.",
  ),
  WEBHOOK_ALLOW_HOSTS: settingOr(
    HostList,
    "",
    "Private servers that webhooks may call, also over http: host:port, separated by commas.",
  ),
};

const blogVariables = {
  BLOG_SCHEDULE: setting(
    CronExpression,
    "When the language model writes and publishes a post: a cron expression in UTC, such as 0 7 * * 1-5. Default: never.",
  ),
  BLOG_SCHEDULE_LANGUAGE: settingOr(BlogLanguage, "en", "The language of these posts, such as en or pt-BR."),
  BLOG_SCHEDULE_ABOUT: settingOr(
    v.pipe(Text, v.maxLength(300, "is longer than 300 characters")),
    "",
    "The subject of these posts, in a few words. Default: subjects like those of the other posts.",
  ),
};

/** Every environment variable of the server: validation, default and meaning. */
export const Environment = v.object({
  ...serverVariables,
  ...sessionVariables,
  ...providerVariables,
  ...mailVariables,
  ...paymentVariables,
  ...limitVariables,
  ...engineVariables,
  ...blogVariables,
  ...operationsVariables,
  ...bucketVariables,
  ...watchVariables,
  ...analyticsVariables,
});

/** `fallback` is empty if there is none. */
interface Variable {
  name: string;
  fallback: string;
  meaning: string;
}

/** The variables by subject: docs/run/configuration.md and .env.example are generated from them. */
export const variableGroups: readonly { title: string; variables: readonly Variable[] }[] = [
  { title: "Server", variables: describe(serverVariables) },
  { title: "Sessions and two-step sign-in", variables: describe(sessionVariables) },
  { title: "Sign-in with other providers", variables: describe(providerVariables) },
  { title: "Mail", variables: describe(mailVariables) },
  { title: "Payments", variables: describe(paymentVariables) },
  { title: "Limits", variables: describe(limitVariables) },
  { title: "Speech, translation and language models", variables: describe(engineVariables) },
  { title: "Blog posts on a schedule", variables: describe(blogVariables) },
  { title: "Monitoring and backups", variables: describe(operationsVariables) },
  { title: "Files in a bucket (S3)", variables: describe(bucketVariables) },
  { title: "Watched folder", variables: describe(watchVariables) },
  { title: "Analytics of the page", variables: describe(analyticsVariables) },
];

export const variables: readonly Variable[] = variableGroups.flatMap((group) => group.variables);

function describe(entries: Record<string, (typeof Environment.entries)[keyof typeof Environment.entries]>): Variable[] {
  return Object.entries(entries).map(([name, schema]) => ({
    name,
    fallback: v.getDefault(schema) ?? "",
    meaning: v.getDescription(schema) ?? "",
  }));
}
