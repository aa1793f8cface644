import { sql } from "kysely";
import type { Db } from "./open.ts";

/** What another process is doing with the database is waited for no longer than this (milliseconds): the event loop stands still. */
const busyMs = 50;

/**
 * Nothing of what was deleted is left in the database's own files: its pages are overwritten when it is deleted (`secure_delete`), and
 * the write-ahead log, which still holds the earlier ones, is emptied here.
 * @returns false when another process was reading or writing: then it has to be done again
 */
export function emptyLog(db: Db): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const { rows: before } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = ${sql.lit(busyMs)}`.execute(connection);
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection);
      return rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(before[0]?.timeout ?? 0)}`.execute(connection);
    }
  });
}
