import { type Kysely, sql } from "kysely";

/**
 * Jobs take turns, so that one person's hundred files don't delay another's single file. Several workers can recognize
 * the pieces of one job. A process that was killed is distinguished from one that a recording has crashed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ["kills", "urgent", "sent", "shared"]) {
    await db.schema
      .alterTable("jobs")
      .addColumn(name, "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable("jobs").addColumn("turn", "bigint").execute();
  await sql`create index jobs_waiting on jobs (urgent desc, turn, created_at) where worker_id is null`.execute(db);
  await sql`create index jobs_arrived on jobs (created_at) where turn is null`.execute(db);
  await sql`create index jobs_running on jobs (worker_id) where worker_id is not null`.execute(db);
  await db.schema.alterTable("pieces").addColumn("worker_id", "text").execute();
  await db.schema.alterTable("pieces").addColumn("lease_until", "bigint").execute();
  await sql`create index pieces_held on pieces (worker_id) where worker_id is not null`.execute(db);
}
