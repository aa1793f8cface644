import { mayBeStored } from "#server/db/errors.ts";
import { changeTranscription } from "#server/transcription/queries.ts";
import { findFetch, removeFetch } from "#server/uploads/fetch-queries.ts";
import { playableType, titleFrom } from "#server/uploads/fields.ts";
import type { JobRun } from "./steps.ts";

/**
 * Downloads the recording, unless it is stored already or was uploaded. A download cut off by a crash starts again.
 * @throws Problem (`quotaReached` too), FetchProblem (uploads/fetching/fetch.ts); the signal's reason
 */
export async function fetchStep(run: JobRun): Promise<void> {
  const { db, storage, row, progress, report, progressed, signal, fetchAudio, quota } = run;
  if (row.origin !== "url") return;
  const address = await findFetch(db, row.id);
  progress.fetching();
  if (address === undefined) return;
  await report();
  const incoming = storage.receiveAgain(row.id);
  try {
    const fetched = await fetchAudio(address, incoming.stream, {
      signal,
      onProgress: (done, total) => progress.fetched(done, total),
    });
    using room = new DisposableStack();
    room.defer(await quota.reserve(row.user_id, incoming.bytes));
    await incoming.keep();
    await db.transaction().execute(async (t) => {
      const said = fetched.title || titleFrom(fetched.name);
      const current = await changeTranscription(t, row.id, {
        audio_type: playableType(fetched),
        file_name: fetched.name || row.file_name,
      });
      // A title chosen by the user is kept.
      if (said !== "" && current?.title === row.file_name) await changeTranscription(t, row.id, { title: said.slice(0, 300) });
      await removeFetch(t, row.id);
    });
  } catch (error) {
    if (!mayBeStored(error)) await incoming.discard();
    throw error;
  }
  await progressed();
}
