import { sql } from "kysely";
import { type Db, isPostgres } from "./open.ts";

/** The ms to wait for another process's lock, which block the event loop. */
const busyMs = 50;

/**
 * Removes deleted data from the database files: deletion overwrites pages (`secure_delete`), and this empties the
 * write-ahead log, which still has their earlier versions. PostgreSQL gives no such guarantee: its vacuum frees the
 * space of deleted rows without overwriting it, and its log belongs to its operator. So this does nothing there
 * (docs/run/postgresql-and-s3.md).
 * @returns false if another process was reading or writing: then it must be repeated
 */
export function emptyLog(db: Db): Promise<boolean> {
  if (isPostgres(db)) return Promise.resolve(true);
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

/** `emptyLog` as a chore of the sweep: it makes up for attempts that another process or a crash has prevented. */
export async function truncateWriteAheadLog({ db }: { db: Db }): Promise<void> {
  await emptyLog(db);
}
