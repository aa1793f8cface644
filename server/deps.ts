import type { Generator } from "./blog-admin/generator.ts";
import type { Log } from "./common/log.ts";
import type { Storage } from "./common/storage.ts";
import type { Config } from "./config.ts";
import type { Db } from "./db/open.ts";
import type { Live } from "./dictation/sockets.ts";
import type { Origins } from "./http/origins.ts";
import type { Places } from "./http/places.ts";
import type { Worker } from "./jobs/worker.ts";
import type { Outbox } from "./mail/outbox.ts";
import type { Scheduler } from "./scheduled-posting/schedule.ts";
import type { AccessTokens } from "./session/access-tokens.ts";
import type { OpenConnections } from "./session/open-connections.ts";
import type { Provider } from "./session/provider.ts";
import type { RefreshTokens } from "./session/refresh-tokens.ts";
import type { Throttle } from "./session/throttle.ts";
import type { Avatars } from "./settings/avatars.ts";
import type { SpeechSynthesizer } from "./speech/espeak.ts";
import type { SpeechEngines } from "./speech/index.ts";
import type { Billing } from "./subscription/open-billing.ts";
import type { StorageQuota } from "./subscription/storage-quota.ts";
import type { UsageMeter } from "./subscription/usage.ts";
import type { Threads } from "./threads/threads.ts";
import type { Translator } from "./transcription/translator.ts";
import type { Translation } from "./translation/index.ts";
import type { UrlPolicy } from "./uploads/fetching/request.ts";

/** What the HTTP application is made of; start.ts puts it together, tests put other parts in. */
export interface Deps {
  config: Config;
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  origins: Origins;
  tokens: AccessTokens;
  refreshTokens: RefreshTokens;
  /** What ends with the session that it belongs to. */
  connections: OpenConnections;
  throttle: Throttle;
  /** Whom people may sign in with instead of a password. */
  provider: Provider | undefined;
  outbox: Outbox;
  avatars: Avatars;
  billing: Billing;
  storage: Storage;
  engines: SpeechEngines;
  translation: Translation;
  translator: Translator;
  synthesizer: SpeechSynthesizer;
  /** Writes blog posts. */
  generator: Generator;
  /** Posts by itself. */
  scheduler: Scheduler;
  worker: Worker;
  live: Live;
  usage: UsageMeter;
  /** What a person has going on at once. */
  places: Places;
  /** What a person keeps. */
  quota: StorageQuota;
  /** For what would hold the event loop. */
  threads: Threads;
  /** What may be fetched from elsewhere. */
  urlPolicy: UrlPolicy;
}
