import { resolve } from "node:path";
import * as v from "valibot";
import type { BackupConfig } from "./backup/config.ts";
import type { BucketConfig } from "./common/bucket.ts";
import { type LogLevel, logLevels } from "./common/log.ts";
import { analyticsOf, analyticsVariables, uselessWithoutTag } from "./config-analytics.ts";
import { bucketOf, bucketVariables } from "./config-bucket.ts";
import { backupOf, type OperationsConfig, operationsOf, operationsVariables } from "./config-operations.ts";
import {
  BlogLanguage,
  CronExpression,
  HostList,
  HttpUrl,
  Issuer,
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
  REFRESH_DAYS: v.pipe(v.optional(Positive, "30"), v.description("Days that a sign-in lasts without being used.")),
  SESSION_DAYS: v.pipe(v.optional(Positive, "180"), v.description("Days after which a sign-in ends, however much it is used.")),
  OIDC_CLIENT_ID: v.pipe(
    v.optional(Text),
    v.description("Switches sign-in with another provider on: this server's client id there (OpenID Connect)."),
  ),
  OIDC_CLIENT_SECRET: v.pipe(v.optional(Text), v.description("Its secret; none for a public client.")),
  OIDC_ISSUER: v.pipe(
    v.optional(Issuer, "https://accounts.google.com"),
    v.description("The provider. Its redirect address is <API origin>/auth/google/callback."),
  ),
  OIDC_NAME: v.pipe(
    v.optional(v.pipe(Text, v.maxLength(40, "is longer than 40 characters"))),
    v.description("The provider's name on the button. Default: Google, or the issuer's host."),
  ),
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
  STRIPE_SECRET_KEY: v.pipe(
    v.optional(Text),
    v.description("Takes real payments with Stripe. Default: test payments without money, which say so."),
  ),
  STRIPE_WEBHOOK_SECRET: v.pipe(v.optional(Text), v.description("Of the webhook to <API origin>/webhooks/stripe.")),
  STRIPE_PRICE_MONTH: v.pipe(v.optional(Text), v.description("Stripe's id of the monthly price.")),
  STRIPE_PRICE_YEAR: v.pipe(v.optional(Text), v.description("Stripe's id of the yearly price.")),
  STRIPE_API_URL: v.pipe(v.optional(HttpUrl), v.description("Another server that speaks Stripe's API, for tests.")),
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
  LOG_LEVEL: v.pipe(
    v.optional(v.picklist(logLevels, `must be one of ${logLevels.join(", ")}`), "warn"),
    v.description("What is logged: silent, error, warn, info (a line for each request) or debug."),
  ),
  SPEECH_API_URL: v.pipe(
    v.optional(HttpUrl),
    v.description("OpenAI-compatible speech server, such as https://api.openai.com/v1 or http://localhost:8000/v1."),
  ),
  SPEECH_API_KEY: v.pipe(v.optional(Text), v.description("Its key.")),
  SPEECH_API_MODEL: v.pipe(v.optional(Text, "whisper-1"), v.description("Its model.")),
  SPEECH_API_TIMEOUT_S: v.pipe(v.optional(Positive, "120"), v.description("Seconds that it may take for one piece of audio.")),
  SPEECH_MODEL: v.pipe(
    v.optional(v.pipe(Text, v.regex(/^[\w.-]+$/, "is not a folder name"))),
    v.description("The installed speech model that comes before the others."),
  ),
  MODELS_MIRROR: v.pipe(
    v.optional(HttpUrl),
    v.description("A server of one's own that models are fetched from first: <mirror>/<archive>, <mirror>/<model>/<file>."),
  ),
  TRANSLATION_API_URL: v.pipe(v.optional(HttpUrl), v.description("OpenAI-compatible chat server that translates.")),
  TRANSLATION_API_KEY: v.pipe(v.optional(Text), v.description("Its key.")),
  TRANSLATION_API_MODEL: v.pipe(v.optional(Text, "gpt-4o-mini"), v.description("Its model.")),
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
  LIBRETRANSLATE_URL: v.pipe(v.optional(HttpUrl), v.description("LibreTranslate server.")),
  LIBRETRANSLATE_KEY: v.pipe(v.optional(Text), v.description("Its key.")),
  LLM_API_URL: v.pipe(
    v.optional(HttpUrl),
    v.description(
      "OpenAI-compatible chat server that writes blog posts and sums transcripts up, such as http://localhost:11434/v1 (Ollama).",
    ),
  ),
  LLM_API_KEY: v.pipe(v.optional(Text), v.description("Its key.")),
  LLM_API_MODEL: v.pipe(v.optional(Text, "gpt-4o-mini"), v.description("Its model.")),
  LLM_API_TIMEOUT_S: v.pipe(
    v.optional(Positive, "120"),
    v.description("Seconds that it may be silent. A whole text may take five times as long."),
  ),
  LLM_CONTEXT_TOKENS: v.pipe(
    v.optional(v.pipe(Positive, v.minValue(4000, "must be 4000 or more")), "8000"),
    v.description("Tokens that it takes at once, its answer included. Longer transcripts are read in parts."),
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

export interface Config {
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
  refreshDays: number;
  sessionDays: number;
  /** Undefined: sign-in by password only. */
  provider: ProviderConfig | undefined;
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
  logLevel: LogLevel;
  operations: OperationsConfig;
  backup: BackupConfig;
  speech: { apiUrl?: string; apiKey?: string; apiModel: string; apiTimeoutMs: number; model?: string };
  /** Models are fetched from there first. */
  modelsMirror: string | undefined;
  /** `expression` undefined: no scheduled posting. */
  schedule: { expression: string | undefined; language: string; about: string };
  translation: { apiUrl?: string; apiKey?: string; apiModel: string; libreUrl?: string; libreKey?: string };
  /** Where files are kept; undefined: in the data folder. */
  bucket: BucketConfig | undefined;
  /** What is put there is transcribed; undefined: no folder is watched. */
  watch: WatchConfig | undefined;
  /** The language model that writes blog posts, and what it makes of transcripts. */
  llm: { apiUrl?: string; apiKey?: string; apiModel: string; apiTimeoutMs: number; contextTokens: number };
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
    refreshDays: e.REFRESH_DAYS,
    sessionDays: e.SESSION_DAYS,
    provider: providerOf(e),
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
    tryOutPlaces: e.TRY_OUT_PLACES,
    fetchAllowHosts: e.FETCH_ALLOW_HOSTS,
    logLevel: e.LOG_LEVEL,
    operations: operationsOf(e),
    backup: backupOf(e),
    speech: {
      ...present("apiUrl", e.SPEECH_API_URL),
      ...present("apiKey", e.SPEECH_API_KEY),
      apiModel: e.SPEECH_API_MODEL,
      apiTimeoutMs: e.SPEECH_API_TIMEOUT_S * 1000,
      ...present("model", e.SPEECH_MODEL),
    },
    modelsMirror: e.MODELS_MIRROR,
    bucket: bucketOf(e, refuse),
    watch: watchOf(e, refuse),
    schedule: { expression: e.BLOG_SCHEDULE, language: e.BLOG_SCHEDULE_LANGUAGE, about: e.BLOG_SCHEDULE_ABOUT },
    translation: {
      ...present("apiUrl", e.TRANSLATION_API_URL),
      ...present("apiKey", e.TRANSLATION_API_KEY),
      apiModel: e.TRANSLATION_API_MODEL,
      ...present("libreUrl", e.LIBRETRANSLATE_URL),
      ...present("libreKey", e.LIBRETRANSLATE_KEY),
    },
    llm: {
      ...present("apiUrl", e.LLM_API_URL),
      ...present("apiKey", e.LLM_API_KEY),
      apiModel: e.LLM_API_MODEL,
      apiTimeoutMs: e.LLM_API_TIMEOUT_S * 1000,
      contextTokens: e.LLM_CONTEXT_TOKENS,
    },
  };
}

function refuse(sentence: string): never {
  throw new ConfigError(sentence);
}

function providerOf(e: v.InferOutput<typeof Environment>): ProviderConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: named } = e;
  if (clientId === undefined) {
    if (clientSecret === undefined) return undefined;
    throw new ConfigError("OIDC_CLIENT_ID: is missing, and OIDC_CLIENT_SECRET is of no use without it.");
  }
  const { hostname } = new URL(issuer);
  return { issuer, clientId, clientSecret, name: named ?? (hostname === "accounts.google.com" ? "Google" : hostname) };
}

/** In bytes. */
function quotaOf(mebibytes: number): number | null {
  return mebibytes === 0 ? null : mebibytes * 1024 * 1024;
}

function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  const entry: { [K in Key]?: string } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

/** Names keys and secrets, but never shows their values. */
function complaint(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue) ?? "environment";
  const shown = /KEY|SECRET|DATABASE_URL/.test(name) ? "the value given" : JSON.stringify(issue.input);
  return `${name}: ${shown} ${issue.message}.`;
}

/** @throws ConfigError when it is incomplete */
function stripeOf(e: v.InferOutput<typeof Environment>): StripeConfig | undefined {
  if (e.STRIPE_SECRET_KEY === undefined) return undefined;
  const needed = (name: "STRIPE_WEBHOOK_SECRET" | "STRIPE_PRICE_MONTH" | "STRIPE_PRICE_YEAR") => {
    const value = e[name];
    if (value === undefined) throw new ConfigError(`${name} is needed with STRIPE_SECRET_KEY.`);
    return value;
  };
  const url = e.STRIPE_API_URL === undefined ? undefined : new URL(e.STRIPE_API_URL);
  return {
    secretKey: e.STRIPE_SECRET_KEY,
    webhookSecret: needed("STRIPE_WEBHOOK_SECRET"),
    prices: { month: needed("STRIPE_PRICE_MONTH"), year: needed("STRIPE_PRICE_YEAR") },
    server:
      url === undefined ? {} : { host: url.hostname, port: url.port, protocol: url.protocol === "http:" ? "http" : "https" },
  };
}
