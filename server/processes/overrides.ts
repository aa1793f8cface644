import type { Passwords } from "#server/account/passwords.ts";
import type { Generator } from "#server/blog-admin/generator.ts";
import type { LiveTimes } from "#server/dictation/connection.ts";
import type { FeedTimes } from "#server/feeds/poller.ts";
import type { ConnectionTimes } from "#server/http/connections.ts";
import type { InstallerOptions } from "#server/models/installer.ts";
import type { SpeechSynthesizer } from "#server/speech/espeak.ts";
import type { WatchTimes } from "#server/watched-folder/watch.ts";
import type { WebhookTimes } from "#server/webhooks/sender.ts";
import type { WorkerOverrides } from "./open-worker.ts";

/** Replacements for tests. */
export interface Overrides extends WorkerOverrides {
  /** Default: Argon2id at the cost that OWASP recommends. */
  passwords?: Passwords;
  synthesizer?: SpeechSynthesizer;
  generator?: Generator;
  /** The installation of models. Default: the real one. */
  installing?: Partial<Pick<InstallerOptions, "tryModel" | "client" | "freeBytes" | "clock">>;
  /** Receives the log's lines. Default: standard error. */
  writeLog?: (line: string) => void;
  liveTimes?: LiveTimes;
  connectionTimes?: Partial<ConnectionTimes>;
  /** The ms between polls of the database for ended rights. */
  recheckMs?: number;
  watchTimes?: WatchTimes;
  webhookTimes?: WebhookTimes;
  feedTimes?: FeedTimes;
  /** The ms between polls of the database for due e-mails. */
  mailPollMs?: number;
  /** The ms of silence after which another process takes over a scheduled post. */
  postLeaseMs?: number;
  /** Epoch milliseconds. */
  now?: () => number;
  distDir?: string;
  /** Creates sample posts and a sample transcription. */
  demo?: boolean;
  /** Receives messages for the operator. Default: standard output. */
  print?: (line: string) => void;
}
