import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createAccessTokens, loadSecret } from "./accounts/access-tokens.ts";
import { openAvatars } from "./accounts/avatars.ts";
import { createProvider } from "./accounts/provider.ts";
import { createRefreshTokens } from "./accounts/refresh-tokens.ts";
import { createThrottle } from "./accounts/throttle.ts";
import { ensureSuperuser, superuserEmail } from "./accounts/users.ts";
import { type Aloud, openEspeak } from "./aloud/espeak.ts";
import { createApp } from "./app.ts";
import { openBilling } from "./billing/open.ts";
import { createGenerator, type Generator } from "./blog/generator.ts";
import { openScheduler } from "./blog/schedule.ts";
import { openChatClient } from "./chat/chat.ts";
import type { Config } from "./config.ts";
import { settleConversations } from "./conversations/conversations.ts";
import { type Db, openDb } from "./db/open.ts";
import { fillInSamples } from "./demo/samples.ts";
import type { Deps } from "./deps.ts";
import { type Resolve, resolveBySystem } from "./fetching/address.ts";
import { createFetchAudio } from "./fetching/fetch.ts";
import { type FetchTimes, fetchTimes } from "./fetching/request.ts";
import { startWorker, type WorkerTimes } from "./jobs/worker.ts";
import { type LiveTimes, serveLive } from "./live/sockets.ts";
import { createLog } from "./log.ts";
import { type Outbox, openOutbox } from "./mail/outbox.ts";
import { smtpDelivery } from "./mail/smtp.ts";
import { createOrigins, type Ports } from "./origins.ts";
import { createSite } from "./page/site.ts";
import { decodeToPcm, openEngines, type SpeechEngines } from "./speech/index.ts";
import { openStorage, type Storage } from "./storage.ts";
import { sweep, sweepFiles } from "./sweep.ts";
import { createTranslator } from "./transcripts/translator.ts";
import { openTranslation, type Translation } from "./translation/index.ts";
import { recoverUploads } from "./uploads/recover.ts";
import { createUsage } from "./usage/usage.ts";
import { sweepVaultFiles } from "./vault/sweep.ts";

/** How often the sweeper looks for what is due (milliseconds). */
const sweepMs = 30_000;

/** What tests put in the place of the real things. */
export interface Overrides {
  /** Closed with the server. */
  engines?: SpeechEngines;
  translation?: Translation;
  aloud?: Aloud;
  generator?: Generator;
  storage?: (real: Storage) => Storage;
  decode?: typeof decodeToPcm;
  /** Takes the log's lines. Default: standard error. */
  writeLog?: (line: string) => void;
  workerTimes?: WorkerTimes;
  liveTimes?: LiveTimes;
  /** How often mails that are due are looked for. */
  mailPollMs?: number;
  /** What names stand for, when addresses are fetched. */
  resolve?: Resolve;
  fetchTimes?: Partial<FetchTimes>;
  /** Epoch milliseconds. */
  now?: () => number;
  /** Folder of the built page. */
  distDir?: string;
  /** Fills in sample posts and a sample transcription. */
  demo?: boolean;
  /** What is meant for whoever starts the server. Default: standard output. */
  print?: (line: string) => void;
}

export interface Running {
  /** "http://localhost:3000", with the port that is really used. */
  apiUrl: string;
  pageUrl: string;
  /** Does now what is due: purges deletions, adopts recordings that were left behind. It happens every 30 s by itself. */
  sweep(): Promise<void>;
  /** Does now what scheduled posting has to do, to its end. It happens by itself when it is due. */
  postDue(): Promise<void>;
  /** Ends what is going on and gives everything back. Unfinished jobs go on at the next start. */
  close(): Promise<void>;
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Starts the whole product in this process: database, API, page.
 * @throws when a port is taken or the data folder can't be used
 */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<Running> {
  const print = overrides.print ?? console.log;
  await using cleanup = new AsyncDisposableStack();
  const db = await openDb(config.dataDir);
  cleanup.defer(() => db.destroy());

  const api = await listen(config.port, config.host);
  cleanup.defer(() => stop(api.server));
  const web = await listen(config.webPort, config.host);
  cleanup.defer(() => stop(web.server));

  const deps = await openParts(config, overrides, { db, server: api.server, ports: { api: api.port, web: web.port } }, cleanup);
  await recoverUploads(deps);
  await settleConversations(deps);
  await sweepFiles(deps);
  await sweepVaultFiles(deps);
  const password = await ensureSuperuser(db, deps.now());
  if (password !== undefined) print(`Superuser: ${superuserEmail}, password: ${password} (shown this once)`);
  if (overrides.demo === true) await fillInSamples(deps);
  const sweeping = startSweeping(deps);
  cleanup.defer(sweeping.close);

  const distDir = overrides.distDir ?? fileURLToPath(new URL("../dist", import.meta.url));
  api.handle(getRequestListener(createApp(deps).fetch));
  web.handle(getRequestListener(createSite(distDir, deps).fetch));

  const owned = cleanup.move();
  let closing: Promise<void> | undefined;
  return {
    apiUrl: `http://localhost:${api.port}`,
    pageUrl: config.publicUrl ?? `http://localhost:${web.port}`,
    sweep: sweeping.now,
    postDue: deps.scheduler.runDue,
    close: () => {
      closing ??= owned.disposeAsync();
      return closing;
    },
  };
}

interface Base {
  db: Db;
  server: Server;
  ports: Ports;
}

/** Puts the parts together; what has to be closed is closed in the opposite order. */
async function openParts(
  config: Config,
  overrides: Overrides,
  { db, server, ports }: Base,
  cleanup: AsyncDisposableStack,
): Promise<Deps> {
  const now = overrides.now ?? Date.now;
  const log = createLog(config.logLevel, now, overrides.writeLog);
  const origins = createOrigins(config, ports);
  if (config.publicUrl !== undefined && origins.apiFor(new URL(config.publicUrl).host) === undefined) {
    log.warn("PUBLIC_URL is set but API_URL is not: the page's content security policy will not let it call the API.");
  }
  const tokens = createAccessTokens(await loadSecret(config.jwtSecret, config.dataDir), now);
  const ownStorage = await openStorage(config.dataDir);
  const storage = overrides.storage?.(ownStorage) ?? ownStorage;
  const engines = overrides.engines ?? (await openEngines({ dataDir: config.dataDir, ...config.speech }));
  cleanup.defer(() => engines.close());
  const translation = overrides.translation ?? (await openTranslation(config.translation));
  const translator = createTranslator(translation, engines);
  const decode = overrides.decode ?? decodeToPcm;
  const usage = createUsage(db, now);
  const times = { ...fetchTimes, ...overrides.fetchTimes };
  const guard = { allowed: config.fetchAllowHosts, resolve: overrides.resolve ?? resolveBySystem, times };
  const fetchAudio = createFetchAudio({ ...guard, most: config.maxUploadBytes });
  const worker = await startWorker(
    { db, storage, engines, translator, decode, usage, fetchAudio, now, log },
    overrides.workerTimes,
  );
  cleanup.defer(() => worker.close());
  const live = serveLive(server, { config, db, log, now, origins, tokens, engines, storage, usage }, overrides.liveTimes);
  cleanup.defer(() => live.close());
  const refreshTokens = createRefreshTokens(db, now, config.refreshDays);
  const throttle = createThrottle(db, now);
  const outbox = openMail({ config, db, now, log }, overrides.mailPollMs, cleanup);
  const generator = overrides.generator ?? openGenerator({ config, db, log });
  const scheduler = await openScheduler({ config, db, now, log, generator });
  cleanup.defer(() => scheduler.close());
  return {
    config,
    db,
    now,
    log,
    origins,
    tokens,
    refreshTokens,
    throttle,
    outbox,
    avatars: openAvatars(config.dataDir),
    billing: openBilling(db, config, now),
    provider: config.provider && createProvider(config.provider),
    storage,
    engines,
    translation,
    translator,
    aloud: overrides.aloud ?? (await openEspeak()),
    generator,
    scheduler,
    worker,
    live,
    usage,
    guard,
  };
}

function openGenerator({ config: { llm }, db, log }: Pick<Deps, "config" | "db" | "log">): Generator {
  const { apiUrl: url, apiKey: key, apiModel: model, apiTimeoutMs: timeoutMs } = llm;
  return createGenerator({ db, log, chat: url === undefined ? undefined : openChatClient({ url, key, model, timeoutMs }) });
}

function openMail(
  { config: { mail }, db, now, log }: Pick<Deps, "config" | "db" | "now" | "log">,
  pollMs: number | undefined,
  cleanup: AsyncDisposableStack,
): Outbox {
  const smtp = mail.smtpUrl === undefined ? undefined : smtpDelivery(mail.smtpUrl, mail.from);
  const outbox = openOutbox(db, now, log, smtp?.deliver, pollMs);
  cleanup.defer(() => smtp?.close());
  cleanup.defer(() => outbox.close());
  return outbox;
}

/** Sweeps at once and then again and again, never twice at the same time. */
function startSweeping(deps: Deps): { now(): Promise<void>; close(): Promise<void> } {
  let sweeping = Promise.resolve();
  const run = () => {
    sweeping = sweeping.then(() => sweep(deps));
    return sweeping;
  };
  const timer = setInterval(run, sweepMs);
  void run();
  return {
    now: run,
    close: () => {
      clearInterval(timer);
      return sweeping;
    },
  };
}

/**
 * Takes the port at once, so that a taken one is known first. Requests that come before `handle` wait for it: a page that is open while
 * the server starts again need not be told of an error.
 */
async function listen(port: number, host: string): Promise<{ server: Server; port: number; handle(listener: Listener): void }> {
  const ready = Promise.withResolvers<Listener>();
  let current: Listener = (incoming, outgoing) => void ready.promise.then((listener) => listener(incoming, outgoing));
  // Uploads take as long as they take: only the headers have to come in time.
  const server = createServer({ requestTimeout: 0, headersTimeout: 30_000 }, (incoming, outgoing) => current(incoming, outgoing));
  // ... but whoever sends and takes nothing for this long (milliseconds) has gone away.
  server.timeout = 5 * 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: addressOf(server).port,
    handle: (listener) => {
      current = listener;
      ready.resolve(listener);
    },
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  return address;
}

/** Lets running answers end for a moment, then cuts what is left (event streams, uploads). */
async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), 500);
  await closed;
  clearTimeout(cut);
}
