import { resolve } from "node:path";
import * as v from "valibot";
import { analyticsOf } from "./analytics.ts";
import { bucketOf } from "./bucket.ts";
import { enginesOf } from "./engines.ts";
import { Environment } from "./environment.ts";
import { backupOf, operationsOf } from "./operations.ts";
import { stripeOf } from "./payments.ts";
import { providersOf } from "./provider.ts";
import { refuse } from "./values.ts";
import { watchOf } from "./watch.ts";

/** The settings from the environment (environment.ts describes each variable); undefined: off. Paths are absolute. */
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads and validates the environment. An empty variable counts as not set.
 * @throws ConfigError
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value.trim() === "" ? [] : [[name, value.trim()]])),
  );
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) refuse(parsed.issues.map((issue) => complaint(issue)).join("\n"));
  const e = parsed.output;
  if (e.SMTP_URL !== undefined && e.MAIL_FROM === undefined) refuse("MAIL_FROM is required with SMTP_URL.");
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
    providers: providersOf(e, given),
    mail: {
      smtpUrl: e.SMTP_URL,
      from: e.MAIL_FROM ?? "Parlance <parlance@localhost>",
      owner: e.OWNER_EMAIL,
      confirmation: e.EMAIL_CONFIRMATION ?? e.SMTP_URL !== undefined,
    },
    stripe: stripeOf(e),
    maxUploadBytes: e.MAX_UPLOAD_MB * 1024 * 1024,
    maxAudioSeconds: e.MAX_AUDIO_HOURS * 3600,
    storageQuotas: { free: quotaOf(e.STORAGE_QUOTA_FREE_MB), premium: quotaOf(e.STORAGE_QUOTA_PREMIUM_MB) },
    tryOutSlots: e.TRY_OUT_PLACES,
    fetchAllowHosts: e.FETCH_ALLOW_HOSTS,
    webhookAllowHosts: e.WEBHOOK_ALLOW_HOSTS,
    logLevel: e.LOG_LEVEL,
    operations: operationsOf(e),
    backup: backupOf(e, e.PARLANCE_DATA),
    ...enginesOf(e),
    bucket: bucketOf(e),
    watch: watchOf(e),
    schedule: { expression: e.BLOG_SCHEDULE, language: e.BLOG_SCHEDULE_LANGUAGE, about: e.BLOG_SCHEDULE_ABOUT },
  };
}

/** Bytes. */
function quotaOf(mebibytes: number): number | null {
  return mebibytes === 0 ? null : mebibytes * 1024 * 1024;
}

/** Names keys and secrets, but never shows their values. */
function complaint(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue) ?? "environment";
  const shown = /KEY|SECRET|DATABASE_URL/.test(name) ? "the value given" : JSON.stringify(issue.input);
  return `${name}: ${shown} ${issue.message}.`;
}
