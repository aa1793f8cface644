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
  /** How models are installed. Default: for real. */
  installing?: Partial<Pick<InstallerOptions, "tryModel" | "client" | "freeBytes" | "clock">>;
  /** Receives the log's lines. Default: standard error. */
  writeLog?: (line: string) => void;
  liveTimes?: LiveTimes;
  connectionTimes?: Partial<ConnectionTimes>;
  /** How often the database is polled for rights that have ended (milliseconds). */
  recheckMs?: number;
  watchTimes?: WatchTimes;
  webhookTimes?: WebhookTimes;
  feedTimes?: FeedTimes;
  /** How often the database is polled for mails that are due (milliseconds). */
  mailPollMs?: number;
  /** How long a process that writes a scheduled post may be silent before another one does (milliseconds). */
  postLeaseMs?: number;
  /** Epoch milliseconds. */
  now?: () => number;
  distDir?: string;
  /** Creates sample posts and a sample transcription. */
  demo?: boolean;
  /** Receives messages for whoever starts the server. Default: standard output. */
  print?: (line: string) => void;
}
