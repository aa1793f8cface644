import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createAccessTokens, loadSecret } from "./accounts/access-tokens.ts";
import { createRefreshTokens } from "./accounts/refresh-tokens.ts";
import { createThrottle } from "./accounts/throttle.ts";
import { ensureSuperuser, superuserEmail } from "./accounts/users.ts";
import { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { openDb } from "./db/open.ts";
import type { Deps } from "./deps.ts";
import { createLog } from "./log.ts";
import { createOrigins } from "./origins.ts";
import { createSite } from "./page/site.ts";

/** What tests put in the place of the real things. */
export interface Overrides {
  /** Epoch milliseconds. */
  now?: () => number;
  /** Folder of the built page. */
  distDir?: string;
  /** What is meant for whoever starts the server. Default: standard output. */
  print?: (line: string) => void;
}

export interface Running {
  /** "http://localhost:3000", with the port that is really used. */
  apiUrl: string;
  pageUrl: string;
  /** Ends what is going on and gives everything back. Unfinished jobs go on at the next start. */
  close(): Promise<void>;
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Starts the whole product in this process: database, API, page.
 * @throws when a port is taken or the data folder can't be used
 */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<Running> {
  const now = overrides.now ?? Date.now;
  const print = overrides.print ?? console.log;
  await using cleanup = new AsyncDisposableStack();
  const db = await openDb(config.dataDir);
  cleanup.defer(() => db.destroy());

  const api = await listen(config.port, config.host);
  cleanup.defer(() => stop(api.server));
  const web = await listen(config.webPort, config.host);
  cleanup.defer(() => stop(web.server));

  const deps: Deps = {
    config,
    db,
    now,
    log: createLog(config.logLevel, now),
    origins: createOrigins(config, { api: api.port, web: web.port }),
    tokens: createAccessTokens(await loadSecret(config.jwtSecret, config.dataDir), now),
    refreshTokens: createRefreshTokens(db, now, config.refreshDays),
    throttle: createThrottle(db, now),
  };
  const password = await ensureSuperuser(db, now());
  if (password !== undefined) print(`Superuser: ${superuserEmail}, password: ${password} (shown this once)`);

  const distDir = overrides.distDir ?? fileURLToPath(new URL("../dist", import.meta.url));
  api.handle(getRequestListener(createApp(deps).fetch));
  web.handle(getRequestListener(createSite(distDir, deps.origins).fetch));

  const owned = cleanup.move();
  let closing: Promise<void> | undefined;
  return {
    apiUrl: `http://localhost:${api.port}`,
    pageUrl: config.publicUrl ?? `http://localhost:${web.port}`,
    close: () => {
      closing ??= owned.disposeAsync();
      return closing;
    },
  };
}

/** Takes the port at once, so that a taken one is known first; requests that come before `handle` are answered 503. */
async function listen(port: number, host: string): Promise<{ server: Server; port: number; handle(listener: Listener): void }> {
  let current: Listener = (_, outgoing) => outgoing.writeHead(503, { "Retry-After": "1" }).end();
  // Uploads take as long as they take: only the headers have to come in time.
  const server = createServer({ requestTimeout: 0, headersTimeout: 30_000 }, (incoming, outgoing) => current(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: addressOf(server).port,
    handle: (listener) => {
      current = listener;
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
