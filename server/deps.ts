import type { Passwords } from "./account/passwords.ts";
import type { Backups } from "./backup/schedule.ts";
import type { Generator } from "./blog-admin/generator.ts";
import type { Bus } from "./common/bus.ts";
import type { Locks } from "./common/locks.ts";
import type { Log } from "./common/log.ts";
import type { Storage } from "./common/storage.ts";
import type { Config } from "./config.ts";
import type { Db } from "./db/open.ts";
import type { User } from "./db/schema.ts";
import type { Live } from "./dictation/sockets.ts";
import type { ModelAction } from "./engines/models-routes.ts";
import type { Origins } from "./http/origins.ts";
import type { Places } from "./http/places.ts";
import type { LanguageModel } from "./insights/language-model.ts";
import type { Worker } from "./jobs/worker.ts";
import type { Outbox } from "./mail/outbox.ts";
import type { CatalogueModel } from "./models/catalogue.ts";
import type { Installer } from "./models/installer.ts";
import type { ModelStore } from "./models/store.ts";
import type { UrlPolicy } from "./outbound/address.ts";
import type { Scheduler } from "./scheduled-posting/schedule.ts";
import type { SearchIndex } from "./search/indexing.ts";
import type { AccessTokens } from "./session/access-tokens.ts";
import type { OpenConnections } from "./session/open-connections.ts";
import type { Providers } from "./session/provider.ts";
import type { RefreshTokens } from "./session/refresh-tokens.ts";
import type { Sealer } from "./session/sealing.ts";
import type { Throttle } from "./session/throttle.ts";
import type { Avatars } from "./settings/avatars.ts";
import type { SpeechSynthesizer } from "./speech/espeak.ts";
import type { Diarizer, SpeechEngines } from "./speech/index.ts";
import type { Billing } from "./subscription/open-billing.ts";
import type { StorageQuota } from "./subscription/storage-quota.ts";
import type { UsageMeter } from "./subscription/usage.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { Readiness } from "./telemetry/readiness.ts";
import type { Threads } from "./threads/threads.ts";
import type { Translator } from "./transcription/translator.ts";
import type { Translation } from "./translation/index.ts";
import type { FetchPolicy } from "./uploads/fetching/fetch.ts";
import type { PeaksMaker } from "./waveform/maker.ts";

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
  places: Places;
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
