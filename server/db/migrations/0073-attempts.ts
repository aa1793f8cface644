import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * A job has failed attempts, and interruptions by the end of its server. Crashes are not recorded otherwise, and one
 * worker recognizes a whole file. Every waiting job becomes an ordinary one; no process runs any.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of ["jobs_waiting", "jobs_arrived", "jobs_running", "pieces_held"]) await db.schema.dropIndex(index).execute();
  await db.schema.alterTable("jobs").renameColumn("failures", "attempts").execute();
  await db.schema.alterTable("jobs").renameColumn("worker_id", "lease_id").execute();
  await db.schema.alterTable("jobs").renameColumn("turn", "rank").execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("interruptions", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  for (const name of ["suspect", "crashes", "kills", "sent", "shared", "heard_as"]) {
    await db.schema.alterTable("jobs").dropColumn(name).execute();
  }
  for (const name of ["worker_id", "lease_until", "reserved"]) await db.schema.alterTable("pieces").dropColumn(name).execute();
  await sql`update jobs set lease_id = null, lease_until = null`.execute(db);
  await sql`create index jobs_waiting on jobs (urgent desc, rank, created_at)`.execute(db);
  await sql`create index jobs_arrived on jobs (created_at) where rank is null`.execute(db);
  await sql`create index jobs_leased on jobs (lease_id) where lease_id is not null`.execute(db);
  // The messages of the rows are sent again, in queues with other rules.
  if (db.getExecutor().adapter instanceof PostgresAdapter) await sql`drop schema if exists pgboss cascade`.execute(db);
}
