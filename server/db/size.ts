import { sql } from "kysely";
import { type Db, isPostgres } from "./open.ts";

/** The size of the database in PostgreSQL, in bytes; 0 when it is a file. */
export async function postgresBytes(db: Db): Promise<number> {
  if (!isPostgres(db)) return 0;
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
