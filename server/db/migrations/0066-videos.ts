import type { Kysely } from "kysely";

/** Pictures of recordings, and videos with captions: known, waiting, in progress or finished. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("videos")
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("content", "text")
    .addColumn("language", "text")
    .addColumn("problem", "text")
    .addColumn("fraction", "double precision", (c) => c.notNull())
    .addColumn("undrawn", "integer", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("run", "text")
    .addColumn("asked_at", "bigint", (c) => c.notNull())
    .addColumn("next_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .addPrimaryKeyConstraint("videos_key", ["transcription_id", "kind"])
    .execute();
  await db.schema.createIndex("videos_due").on("videos").columns(["state", "next_at"]).execute();
  await db.schema.createIndex("videos_of_user").on("videos").column("user_id").execute();
}
