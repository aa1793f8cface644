import type { LogEvent } from "kysely";
import { isTracing, recordSpan } from "#server/log/tracing.ts";

/** Longest statement that a span has (characters). */
const maxStatement = 1_000;

/** Records a span for each statement if spans are recorded: the statement with its placeholders, never the values. */
export function recordQuery({ level, query, queryDurationMillis }: LogEvent): void {
  if (!isTracing()) return;
  const [operation = "query"] = query.sql.trimStart().split(/\s/, 1);
  const attributes = {
    "db.query.text": query.sql.slice(0, maxStatement),
    ...(level === "error" ? { "error.type": "query" } : {}),
  };
  recordSpan({ name: operation.toUpperCase(), kind: "client", attributes }, queryDurationMillis / 1000);
}
