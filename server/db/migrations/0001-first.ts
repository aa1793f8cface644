import type { Kysely } from "kysely";

/** Accounts, transcriptions, jobs and recordings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await accounts(db);
  await transcriptions(db);
  await jobs(db);
  await recordings(db);
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("password_hash", "text", (c) => c.notNull())
    .addColumn("is_superuser", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("plan_type", "text", (c) => c.notNull().defaultTo("free"))
    .addColumn("revision", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await db.schema
    .createTable("refresh_tokens")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("session_id", "text", (c) => c.notNull().references("sessions.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("replaced_at", "bigint")
    .addColumn("successor_hash", "text")
    .addColumn("sealed_successor", "text")
    .execute();
  await db.schema.createIndex("refresh_tokens_session").on("refresh_tokens").column("session_id").execute();
  await db.schema
    .createTable("attempts")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("count", "integer", (c) => c.notNull())
    .addColumn("resets_at", "bigint", (c) => c.notNull())
    .execute();
}

async function transcriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("transcriptions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("recording_id", "text")
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("translated_text", "text", (c) => c.notNull())
    .addColumn("haystack", "text", (c) => c.notNull())
    .addColumn("source_language", "text", (c) => c.notNull())
    .addColumn("target_language", "text")
    .addColumn("date", "bigint", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("duration_seconds", "double precision")
    .addColumn("audio_type", "text")
    .addColumn("file_name", "text")
    .addColumn("engine", "text")
    .addColumn("segments", "text", (c) => c.notNull())
    .addColumn("stage", "text")
    .addColumn("fraction", "double precision")
    .addColumn("seconds_left", "double precision")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("deleted_at", "bigint")
    .addUniqueConstraint("transcriptions_client", ["user_id", "client_id"])
    .addUniqueConstraint("transcriptions_recording", ["user_id", "recording_id"])
    .execute();
  await db.schema
    .createIndex("transcriptions_newest")
    .on("transcriptions")
    .columns(["user_id", "deleted_at", "date", "id"])
    .execute();
  await db.schema.createIndex("transcriptions_changes").on("transcriptions").columns(["user_id", "revision"]).execute();
  await db.schema.createIndex("transcriptions_deleted").on("transcriptions").column("deleted_at").execute();
}

async function jobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("jobs")
    .addColumn("transcription_id", "text", (c) => c.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("run_after", "bigint", (c) => c.notNull())
    .addColumn("paused", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("worker_id", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("crashes", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("decoded_samples", "bigint")
    .addColumn("truncated", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("pieces")
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("idx", "integer", (c) => c.notNull())
    .addColumn("start_sample", "bigint", (c) => c.notNull())
    .addColumn("end_sample", "bigint", (c) => c.notNull())
    .addColumn("done", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("translated", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("segments", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("pieces_pk", ["transcription_id", "idx"])
    .execute();
}

async function recordings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("recordings")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("recording_id", "text", (c) => c.notNull())
    .addColumn("source_language", "text", (c) => c.notNull())
    .addColumn("target_language", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("touched_at", "bigint", (c) => c.notNull())
    .addColumn("owner", "text")
    .addColumn("final_sample", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("total_frames", "bigint")
    .addColumn("transcription_id", "text")
    .addUniqueConstraint("recordings_client", ["user_id", "recording_id"])
    .execute();
  await db.schema.createIndex("recordings_idle").on("recordings").columns(["transcription_id", "touched_at"]).execute();
  await db.schema
    .createTable("recording_segments")
    .addColumn("recording", "text", (c) => c.notNull().references("recordings.id").onDelete("cascade"))
    .addColumn("idx", "integer", (c) => c.notNull())
    .addColumn("segment", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("recording_segments_pk", ["recording", "idx"])
    .execute();
}
