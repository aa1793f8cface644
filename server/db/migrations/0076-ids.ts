import { type Kysely, sql } from "kysely";

/** Dictations are counted, and found by their transcription, under the id that the server gave their recording, not under the page's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update usage set source = (
      select 'recording:' || recordings.id from recordings
      where recordings.user_id = usage.user_id and recordings.recording_id = substr(usage.source, 11))
    where source like 'recording:%' and exists (
      select 1 from recordings
      where recordings.user_id = usage.user_id and recordings.recording_id = substr(usage.source, 11))`.execute(db);
  // One whose recording is gone keeps the page's id: what it has counted is under that.
  await sql`update transcriptions set recording_id = coalesce((
      select recordings.id from recordings
      where recordings.user_id = transcriptions.user_id and recordings.recording_id = transcriptions.recording_id), recording_id)
    where recording_id is not null`.execute(db);
}
