import type { Passwords } from "#server/account/passwords.ts";
import type { Backups } from "#server/backup/schedule.ts";
import type { Generator } from "#server/blog-admin/generator.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { Locks } from "#server/cluster/locks.ts";
import type { Config } from "#server/config/config.ts";
import type { Db } from "#server/db/open.ts";
import type { Live } from "#server/dictation/sockets.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { Origins } from "#server/http/origins.ts";
import type { LanguageModel } from "#server/insights/language-model.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import type { CatalogueModel } from "#server/models/catalogue.ts";
import type { Installer } from "#server/models/installer.ts";
import type { ModelAction } from "#server/models/routes.ts";
import type { ModelStore } from "#server/models/store.ts";
import type { UrlPolicy } from "#server/outbound/address.ts";
import type { Scheduler } from "#server/scheduled-posting/schedule.ts";
import type { SearchIndex } from "#server/search/indexing.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import type { Providers } from "#server/session/provider.ts";
import type { RefreshTokens } from "#server/session/refresh-tokens.ts";
import type { PersonalTokens } from "#server/session/require-access.ts";
import type { Sealer } from "#server/session/sealing.ts";
import type { Throttle } from "#server/session/throttle.ts";
import type { Avatars } from "#server/settings/avatars.ts";
import type { SpeechSynthesizer } from "#server/speech/espeak.ts";
import type { Diarizer, SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Metrics } from "#server/telemetry/metrics.ts";
import type { Readiness } from "#server/telemetry/readiness.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { Translator } from "#server/transcription/translator.ts";
import type { Translation } from "#server/translation/index.ts";
import type { FetchPolicy } from "#server/uploads/fetching/fetch.ts";
import type { User } from "#server/users/tables.ts";
import type { PeaksMaker } from "#server/waveform/maker.ts";

/** The dependencies of the HTTP application; open-parts.ts creates them, tests replace some. */
export interface Deps {
  config: Config;
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  /** What processes tell each other. */
  bus: Bus;
  /** One at a time, among all processes. */
  locks: Locks;
  origins: Origins;
  tokens: AccessTokens;
  refreshTokens: RefreshTokens;
  /** Connections that are closed when their session ends. */
  connections: OpenConnections;
  throttle: Throttle;
  personalTokens: PersonalTokens;
  passwords: Passwords;
  /** Encrypts what the database keeps of second factors. */
  sealer: Sealer;
  /** Superusers administer the server only with a second factor. */
  adminNeedsSecondFactor: boolean;
  /** For federated sign-in. */
  providers: Providers;
  outbox: Outbox;
  avatars: Avatars;
  /** Deletes an account with all of its data. @param note is done in the same transaction */
  eraseAccount(user: User, note: (t: Db) => Promise<void>): Promise<void>;
  billing: Billing;
  storage: Storage;
  /** What is installed. */
  models: ModelStore;
  installer: Installer;
  /** What can be installed. */
  catalogue: readonly CatalogueModel[];
  /** Logs what a superuser did with a model. */
  auditModel(actor: User, action: ModelAction, model: string): Promise<void>;
  engines: SpeechEngines;
  translation: Translation;
  translator: Translator;
  /** Finds out who speaks. */
  diarizer: Diarizer;
  synthesizer: SpeechSynthesizer;
  backups: Backups;
  /** Undefined: none is configured. */
  languageModel: LanguageModel | undefined;
  /** Writes blog posts. */
  generator: Generator;
  /** Scheduled posting. */
  scheduler: Scheduler;
  worker: Worker;
  live: Live;
  usage: UsageMeter;
  /** Whether this process can take work. */
  readiness: Readiness;
  /** Undefined: nobody asked for any. */
  metrics: Metrics | undefined;
  /** Of METRICS_PORT's own server, if there is one. */
  metricsPort: number | undefined;
  /** Limits on concurrent work per user. */
  concurrency: Concurrency;
  /** Limits on storage per user. */
  quota: StorageQuota;
  /** Of recordings that are to be drawn. */
  peaksMaker: PeaksMaker;
  /** Of what was said. */
  searchIndex: SearchIndex;
  /** For work that would block the event loop. */
  threads: Threads;
  /** Which URLs may be fetched (SSRF protection). */
  urlPolicy: FetchPolicy;
  /** Which addresses webhooks may call. */
  webhookPolicy: UrlPolicy;
}
