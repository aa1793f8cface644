import * as v from "valibot";
import { HttpUrl, Port, Text } from "./config-values.ts";

/** Shortest token for metrics (characters): as long as a secret that nobody guesses. */
const leastToken = 16;

/** The environment variables for whoever operates the server. */
export const operationsVariables = {
  METRICS_PORT: v.pipe(
    v.optional(Port),
    v.description("A port of their own for /metrics (Prometheus), /healthz and /readyz. Default: none."),
  ),
  METRICS_HOST: v.pipe(v.optional(Text, "127.0.0.1"), v.description("Address that METRICS_PORT listens on.")),
  METRICS_TOKEN: v.pipe(
    v.optional(v.pipe(Text, v.minLength(leastToken, `must have at least ${leastToken} characters`))),
    v.description("Opens /metrics on the API's port to whoever sends it as bearer token; METRICS_PORT wants it then, too."),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.pipe(
    v.optional(HttpUrl),
    v.description("Where traces are sent (OpenTelemetry, OTLP over HTTP), such as http://localhost:4318. Default: nowhere."),
  ),
};

interface OperationsValues {
  METRICS_PORT?: number | undefined;
  METRICS_HOST: string;
  METRICS_TOKEN?: string | undefined;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

export interface OperationsConfig {
  metrics: {
    /** Undefined: no port of their own. */
    port: number | undefined;
    host: string;
    /** Undefined: no metrics on the API's port, and none asked for on their own. */
    token: string | undefined;
  };
  /** Base URL of the collector. Undefined: no traces. */
  tracesUrl: string | undefined;
}

export function operationsOf(e: OperationsValues): OperationsConfig {
  return {
    metrics: { port: e.METRICS_PORT, host: e.METRICS_HOST, token: e.METRICS_TOKEN },
    tracesUrl: e.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}
