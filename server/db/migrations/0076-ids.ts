import { type Kysely, sql } from "kysely";

/** Usage and transcriptions name a recording by the server's id for it, no longer by the page's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update usage set source = (
      select 'recording:' || recordings.id from recordings
      where recordings.user_id = usage.user_id and recordings.recording_id = substr(usage.source, 11))
    where source like 'recording:%' and exists (
      select 1 from recordings
      where recordings.user_id = usage.user_id and recordings.recording_id = substr(usage.source, 11))`.execute(db);
  // If the recording is gone, the page's id stays in both.
  await sql`update transcriptions set recording_id = coalesce((
      select recordings.id from recordings
      where recordings.user_id = transcriptions.user_id and recordings.recording_id = transcriptions.recording_id), recording_id)
    where recording_id is not null`.execute(db);
}
