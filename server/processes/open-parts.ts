import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { EraseAccount } from "#server/admin/accounts.ts";
import { audit } from "#server/admin/audit.ts";
import { openBackups } from "#server/backup/schedule.ts";
import { createGenerator } from "#server/blog-admin/generator.ts";
import type { Bus } from "#server/bus/bus.ts";
import { openCluster } from "#server/cluster/open.ts";
import type { Config } from "#server/config/config.ts";
import type { Db } from "#server/db/open.ts";
import { findDeviceTranslations } from "#server/device-models/translations.ts";
import { type Live, serveLive } from "#server/dictation/sockets.ts";
import { openFeeds, type PollerParts } from "#server/feeds/poller.ts";
import { createConcurrency } from "#server/http/concurrency.ts";
import { isLocalOnly } from "#server/http/loopback.ts";
import { createOrigins, type Ports } from "#server/http/origins.ts";
import { createUpgrades } from "#server/http/upgrades.ts";
import { openLanguageModel } from "#server/insights/language-model.ts";
import type { Log } from "#server/log/log.ts";
import { type Outbox, openOutbox } from "#server/mail/outbox.ts";
import { smtpDelivery } from "#server/mail/smtp.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { openInstaller } from "#server/models/installer.ts";
import type { ModelAction } from "#server/models/routes.ts";
import { openScheduler } from "#server/scheduled-posting/schedule.ts";
import { createSearchIndex } from "#server/search/indexing.ts";
import { openAvatars } from "#server/settings/avatars.ts";
import { eraseUser } from "#server/settings/erase-account.ts";
import { openEspeak, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import { openVoices } from "#server/speech/voices/voices.ts";
import { openBilling } from "#server/subscription/open-billing.ts";
import { createRecognizedAudio } from "#server/transcription/recognized-audio.ts";
import { serveTryOut } from "#server/tryout/sockets.ts";
import type { User } from "#server/users/tables.ts";
import { createPeaksMaker } from "#server/waveform/maker.ts";
import { openWebhooks, type WebhookParts } from "#server/webhooks/sender.ts";
import { type OpenJobParts, openJobParts } from "./job-parts.ts";
import { openAccess } from "./open-access.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { openWorker } from "./open-worker.ts";
import type { Overrides } from "./overrides.ts";
import { createTryModel } from "./try-model.ts";

/** The program of one backup (backup/schedule.ts). */
const backupProgram = fileURLToPath(new URL("../../scripts/backup.ts", import.meta.url));

/** The environment of a backup process: source and destination; the bucket's variables are inherited. */
function backupEnv({ dataDir, databaseUrl, backup: { dir, keep, recipient, bucketKeepsFiles } }: Config): Record<string, string> {
  return {
    PARLANCE_DATA: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    BACKUP_DIR: dir,
    BACKUP_KEEP: String(keep),
    ...(recipient !== undefined && { BACKUP_RECIPIENT: recipient }),
    BACKUP_BUCKET: bucketKeepsFiles ? "list" : "copy",
  };
}

interface Base {
  db: Db;
  log: Log;
  server: Server;
  ports: Ports;
}

export type Deps = Awaited<ReturnType<typeof openParts>>;

/** Creates the dependencies of the HTTP application; they are closed in reverse order. */
export async function openParts(
  config: Config,
  overrides: Overrides,
  { db, log, server, ports }: Base,
  cleanup: AsyncDisposableStack,
) {
  const now = overrides.now ?? Date.now;
  const origins = createOrigins(config, ports);
  if (config.publicUrl !== undefined && origins.apiFor(new URL(config.publicUrl).host) === undefined) {
    log.warn("PUBLIC_URL is set but API_URL is not: the page's content security policy blocks calls to the API.");
  }
  const { bus, locks, claims } = await openCluster({ config, db, now, log }, cleanup);
  const parts = await openJobParts(config, overrides, { db, now, log, isLive: true }, cleanup);
  const { storage, models, engines, urlPolicy, threads } = parts;
  const catalogue = overrides.catalogue ?? modelCatalogue;
  const installer = await openInstaller({
    store: models,
    catalogue,
    mirror: config.modelsMirror,
    tryModel: createTryModel(now, parts.memory),
    log,
    now,
    ...overrides.installing,
  });
  cleanup.defer(() => installer.close());
  // Closed after the worker, so that monitoring sees it hand back its work.
  const { port: metricsPort, ...telemetry } = await openTelemetry({ config, db, log, now, engines, storage }, cleanup);
  const worker = await openWorker(config, { ...parts, bus }, overrides, cleanup);
  const base = { ...parts, config, db, log, bus, now, locks, origins, worker, concurrency: createConcurrency({ claims, bus }) };
  const access = await openAccess(config, overrides, base, cleanup);
  const live = openSockets({ ...base, ...access, claims }, server, overrides, cleanup);
  const outbox = openMail(base, overrides.mailPollMs, cleanup);
  const webhookPolicy = { ...urlPolicy, allowed: config.webhookAllowHosts, isHttpsOnly: true };
  openSenders({ ...base, ...access, outbox, webhookPolicy }, overrides, cleanup);
  const languageModel = openLanguageModel(config.llm);
  const generator = overrides.generator ?? createGenerator({ db, log, chat: languageModel?.chat });
  const scheduler = await openScheduler({ config, db, now, log, bus, generator, threads, leaseMs: overrides.postLeaseMs });
  cleanup.defer(() => scheduler.close());
  const backups = openBackups({ config: config.backup, db, program: backupProgram, env: backupEnv(config), log });
  cleanup.defer(() => backups.close());
  const peaksMaker = createPeaksMaker(base);
  cleanup.defer(() => peaksMaker.close());
  const recognizedAudio = createRecognizedAudio(base);
  cleanup.defer(() => recognizedAudio.close());
  const kept = {
    avatars: openAvatars(storage),
    searchIndex: createSearchIndex({ db, threads, log }),
    billing: await openBilling(base, config.stripe),
  };
  const eraseAccount: EraseAccount = (user, note) => eraseUser({ ...base, ...access, ...kept }, user, note);
  return {
    ...base,
    ...access,
    ...telemetry,
    ...kept,
    metricsPort,
    outbox,
    eraseAccount,
    installer,
    catalogue,
    deviceTranslations: findDeviceTranslations(models),
    auditModel: (actor: User, action: ModelAction, model: string) =>
      audit(db, { at: now(), action, actor, user: null, before: {}, after: { model }, reason: "" }),
    synthesizer: overrides.synthesizer ?? (await openSynthesizer(parts, cleanup)),
    backups,
    languageModel,
    generator,
    scheduler,
    live,
    peaksMaker,
    recognizedAudio,
    webhookPolicy,
  };
}

type SocketParts = Parameters<typeof serveLive>[1] & Parameters<typeof serveTryOut>[1] & { config: Config };

/** Dictations over WebSockets, and the try without an account. */
function openSockets(parts: SocketParts, server: Server, overrides: Overrides, cleanup: AsyncDisposableStack): Live {
  const upgrades = createUpgrades(server);
  const live = serveLive(upgrades, parts, overrides.liveTimes);
  cleanup.defer(() => live.close());
  // A single process stores nothing about a visitor.
  const throttle = parts.config.databaseUrl === undefined ? undefined : parts.throttle;
  const tryOut = serveTryOut(upgrades, { ...parts, throttle });
  cleanup.defer(() => tryOut.close());
  return live;
}

type SenderParts = WebhookParts & PollerParts;

/** Opens the parts that call other people's servers by schedule: webhooks, and followed feeds. */
function openSenders(parts: SenderParts, overrides: Overrides, cleanup: AsyncDisposableStack): void {
  const webhooks = openWebhooks(parts, overrides.webhookTimes);
  cleanup.defer(() => webhooks.close());
  const feeds = openFeeds(parts, overrides.feedTimes);
  cleanup.defer(() => feeds.close());
}

/** The installed voices, and eSpeak NG. */
async function openSynthesizer(
  { models, memory, log }: Pick<OpenJobParts, "models" | "memory" | "log">,
  cleanup: AsyncDisposableStack,
): Promise<SpeechSynthesizer> {
  const voices = openVoices({ models, espeak: await openEspeak(), log, budget: memory });
  cleanup.defer(() => voices.close());
  return voices;
}

function openMail(
  { config, db, now, log, bus }: { config: Config; db: Db; now: () => number; log: Log; bus: Bus },
  pollMs: number | undefined,
  cleanup: AsyncDisposableStack,
): Outbox {
  const { mail } = config;
  if (mail.smtpUrl === undefined && !isLocalOnly(config)) {
    const asked = mail.confirmation ? "Password resets, new addresses and registration" : "Password resets and new addresses";
    log.warn(`SMTP_URL is not set, so no e-mail is sent. ${asked} need an operator who reads the e-mails: npm run mails.`);
  }
  const smtp = mail.smtpUrl === undefined ? undefined : smtpDelivery(mail.smtpUrl, mail.from);
  const outbox = openOutbox({ db, now, log, bus }, smtp, pollMs);
  cleanup.defer(() => smtp?.close());
  cleanup.defer(() => outbox.close());
  return outbox;
}
