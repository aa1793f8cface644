import { errorCodeOf } from "#server/common/problem.ts";

/** The database can't be reached, or has broken the connection off: whether the last statement has had an effect is not known. */
export class DatabaseGoneError extends Error {
  override readonly name = "DatabaseGoneError";
}

/** PostgreSQL's classes and codes of broken connections, of its start and end, and of too many connections. */
const gone = /^(08...|57P0[1-5]|53300)$/;
/** Of values that it can't store or compare: too large for their column, or of another kind. */
const unstorable = /^(22...)$/;

/**
 * Whether what was being stored when this error came may be stored: the answer to a commit is lost with its connection. Files that belong
 * to it must stay then; without a row, they are swept like those of a crash.
 */
export function mayBeStored(error: unknown): boolean {
  return error instanceof DatabaseGoneError;
}

/** What an error of `pg` means: one that PostgreSQL has not sent is about the connection. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error;
  const isSent = "severity" in error;
  if (isSent && !gone.test(errorCodeOf(error) ?? "")) return error;
  return new DatabaseGoneError("The database can't be reached.", { cause: error });
}

/** Whether PostgreSQL has refused a value that somebody has sent, such as a number with more than 18 digits. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof Error && "severity" in error && unstorable.test(errorCodeOf(error) ?? "");
}
