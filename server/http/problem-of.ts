import { DatabaseGoneError, isUnstorable } from "#server/db/errors.ts";
import { isDiskFull, Problem } from "#server/errors/problem.ts";

const databaseRetrySeconds = 5;

/** The response to an error: reveals nothing internal. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseGoneError) {
    const message = "The server can't reach its database. Try again in a few seconds.";
    return new Problem("internal", message, { status: 503, retryAfter: databaseRetrySeconds });
  }
  if (isUnstorable(error)) return new Problem("badRequest");
  return new Problem(isDiskFull(error) ? "storageFull" : "internal");
}
