/** Names and numbers about work, never texts of people: they leave the machine. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = "internal" | "server" | "client" | "consumer";

export interface SpanStart {
  /** Low in number: patterns and kinds, no ids. */
  name: string;
  kind: SpanKind;
  attributes: SpanAttributes;
  /** W3C trace context of the caller ("00-…"), from a trusted proxy. */
  traceparent?: string | undefined;
}

export interface OpenSpan {
  set(attributes: SpanAttributes): void;
}

/** Records spans; server/telemetry/tracing.ts has the implementation that exports them. */
export interface Tracer {
  run<Result>(start: SpanStart, work: (span: OpenSpan) => Promise<Result>): Promise<Result>;
  /** Something that has just ended. @param seconds how long it took */
  record(start: SpanStart, seconds: number): void;
}

const noSpan: OpenSpan = { set: () => {} };
let tracer: Tracer | undefined;

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Records spans with it from now on; undefined stops recording. */
export function installTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Runs work within a span where spans are recorded. What it throws marks the span as failed. */
export function traced<Result>(start: SpanStart, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
  return tracer === undefined ? work(noSpan) : tracer.run(start, work);
}

/** Records work that has just ended. @param seconds how long it took */
export function recordSpan(start: SpanStart, seconds: number): void {
  tracer?.record(start, seconds);
}
