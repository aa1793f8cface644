import { type Kysely, sql } from "kysely";
import { installLedger } from "../ledger.ts";

/** Each person's storage is counted when it changes (db/counted.ts): from now on, rows have the sizes of files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("storage_use")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("bytes", "bigint", (c) => c.notNull())
    // When it was last counted row by row (epoch ms).
    .addColumn("checked_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("storage_use_checked").on("storage_use").column("checked_at").execute();
  for (const table of ["recordings", "audio_sizes"]) {
    const column = table === "recordings" ? "bytes" : "changes";
    await db.schema
      .alterTable(table)
      .addColumn(column, "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await sql`create index audio_sizes_changed on audio_sizes (transcription_id) where changes > 0`.execute(db);
  await db.schema.alterTable("vault_items").addColumn("text_bytes", "bigint").execute();
  // The running server measures it (subscription/storage-check.ts).
  await sql`insert into audio_sizes (transcription_id, bytes, changes)
    select id, 0, 1 from transcriptions where audio_type is not null on conflict (transcription_id) do nothing`.execute(db);
  await sql`delete from audio_sizes where transcription_id in (select id from transcriptions where audio_type is null)`.execute(
    db,
  );
  await installLedger(db);
}
