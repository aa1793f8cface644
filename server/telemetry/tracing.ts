import type { SpanKind as OtelSpanKind, Span } from "@opentelemetry/api";
import { inRequestContext, requestContext } from "#server/log/request-context.ts";
import { installTracer, type OpenSpan, type SpanKind, type SpanStart, type Tracer } from "#server/log/tracing.ts";
import { version } from "#server/log/version.ts";

/** Closing it sends the recorded spans first. */
export interface Tracing {
  close(): Promise<void>;
}

/** Longest wait for the collector when closing (milliseconds). */
const closeMs = 3_000;
const traceparentPattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/**
 * Sends spans to an OpenTelemetry collector (OTLP over HTTP). The library is loaded only here. Spans have names,
 * patterns and numbers, but no content and no names of users.
 * @param url the collector's base URL; spans go to /v1/traces below it
 */
export async function openTracing(url: string, role: string): Promise<Tracing> {
  const api = await import("@opentelemetry/api");
  const { BasicTracerProvider, BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: closeMs });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "parlance", "service.version": version, "parlance.role": role }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  installTracer(tracerOf(api, provider.getTracer("parlance", version)));
  return {
    close: async () => {
      installTracer(undefined);
      // An unreachable collector must not keep the server from stopping.
      await Promise.race([provider.shutdown().catch(() => undefined), unreferenced(closeMs)]);
    },
  };
}

function unreferenced(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

type Api = typeof import("@opentelemetry/api");

function tracerOf(api: Api, tracer: ReturnType<Api["trace"]["getTracer"]>): Tracer {
  const kinds: Record<SpanKind, OtelSpanKind> = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    consumer: api.SpanKind.CONSUMER,
  };
  const isSpan = (value: unknown): value is Span => typeof value === "object" && value !== null && "spanContext" in value;
  /** The parent span: the caller's, or this process's own. */
  const parentOf = ({ traceparent }: SpanStart) => {
    const span = requestContext()?.span;
    if (isSpan(span)) return api.trace.setSpan(api.ROOT_CONTEXT, span);
    const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent ?? "") ?? [];
    if (traceId === undefined || spanId === undefined || flags === undefined) return api.ROOT_CONTEXT;
    const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
    return api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
  };
  const begin = (start: SpanStart, startTime?: number) => {
    const requestId = requestContext()?.requestId;
    const attributes = { ...start.attributes, ...(requestId === undefined ? {} : { "parlance.request_id": requestId }) };
    const options = { kind: kinds[start.kind], attributes, ...(startTime === undefined ? {} : { startTime }) };
    return tracer.startSpan(start.name, options, parentOf(start));
  };
  return {
    run: async (start, work) => {
      const span = begin(start);
      const opened: OpenSpan = { set: (attributes) => void span.setAttributes({ ...attributes }) };
      const context = { requestId: requestContext()?.requestId, span };
      try {
        return await inRequestContext(context, () => work(opened));
      } catch (error) {
        // Only the error's name: its message may contain a user's text.
        span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
        throw error;
      } finally {
        span.end();
      }
    },
    record: (start, seconds) => begin(start, Date.now() - seconds * 1000).end(),
  };
}
