import { errorCodeOf, isDiskFull } from "#server/errors/problem.ts";

/**
 * The database can't be reached, has closed the connection, or can't be written. It is unknown whether the last
 * statement had an effect.
 */
export class DatabaseGoneError extends Error {
  override readonly name = "DatabaseGoneError";
}

/** PostgreSQL's classes and codes of broken connections, of its start and end, and of too many connections. */
const gone = /^(08...|57P0[1-5]|53300)$/;
/** A statement that took too long, or waited too long for a lock; a server that takes no changes. */
const stuck = /^(57014|55P03|25006)$/;
/** Codes for values that the database can't store or compare: too large for their column, or of another type. */
const unstorable = /^(22...)$/;

/**
 * Whether the data may be stored although this error came: the answer to a commit is lost with its connection. Then
 * files that belong to the data must stay; without a row, they are swept like those of a crash.
 */
export function mayBeStored(error: unknown): boolean {
  return error instanceof DatabaseGoneError;
}

/** Translates an error of `pg`: one without a PostgreSQL code concerns the connection. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error;
  const isSent = "severity" in error;
  const code = errorCodeOf(error) ?? "";
  if (isSent && !gone.test(code) && !stuck.test(code)) return error;
  return new DatabaseGoneError("The database can't be reached.", { cause: error });
}

/** Whether PostgreSQL has refused a value from a request, such as a number with more than 18 digits. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof Error && "severity" in error && unstorable.test(errorCodeOf(error) ?? "");
}

/**
 * SQLite's codes (https://sqlite.org/rescode.html): busy, locked, read-only, input or output error, can't be opened.
 */
const [busy, locked, readOnly, inputOutput, cannotOpen] = [5, 6, 8, 10, 14];
const away: readonly unknown[] = [busy, locked, readOnly, inputOutput, cannotOpen];

/** Whether another process holds SQLite's lock: the statement has had no effect, and may work a moment later. */
export function isLocked(error: unknown): boolean {
  const code = primaryCodeOf(error);
  return code === busy || code === locked;
}

/** Translates an error of SQLite: an unusable file counts as an unreachable database; a full disk stays that error. */
export function translatedSqlite(error: unknown): unknown {
  if (isDiskFull(error) || !away.includes(primaryCodeOf(error))) return error;
  const said = error instanceof Error ? error.message : "";
  return new DatabaseGoneError(`The database failed: ${said}`, { cause: error });
}

function primaryCodeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
