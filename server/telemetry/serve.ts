import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describeError, type Log } from "#server/log/log.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";
import { isToken } from "./routes.ts";

interface Parts {
  /** `port` 0 takes any free port. */
  config: { port: number; host: string; token: string | undefined };
  metrics: Metrics;
  readiness: Readiness;
  log: Log;
}

/**
 * Serves /metrics, /healthz and /readyz on their own port, both in an API process and in a worker.
 * @throws when the port is taken
 */
export async function serveTelemetry(parts: Parts): Promise<{ port: number; close(): Promise<void> }> {
  const { config, log } = parts;
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 8 * 1024 }, (request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      log.error("metrics request failed", describeError(error));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  const address: AddressInfo | string | null = server.address();
  return {
    port: address === null || typeof address === "string" ? config.port : address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer({ config, metrics, readiness }: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, type: string, body: string) => {
    response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  const json = (status: number, value: unknown) => say(status, "application/json", JSON.stringify(value));
  if (request.method !== "GET" && request.method !== "HEAD") return json(405, { message: "Only GET and HEAD are allowed." });
  switch (request.url?.split("?", 1)[0]) {
    case "/healthz":
      return json(200, { status: "ok" });
    case "/readyz": {
      const reasons = await readiness.reasons();
      return json(reasons.length === 0 ? 200 : 503, { status: reasons.length === 0 ? "ready" : "notReady", reasons });
    }
    case "/metrics":
      if (config.token !== undefined && !isToken(request.headers.authorization, config.token)) {
        return json(401, { message: "Send METRICS_TOKEN as the bearer token." });
      }
      return say(200, metrics.contentType, await metrics.text());
    default:
      return json(404, { message: "There is /metrics, /healthz and /readyz." });
  }
}
