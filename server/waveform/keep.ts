import { type Peaks, readPeaks, writePeaks } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { hasSound, type TranscriptionRow } from "#server/transcription/queries.ts";

interface Parts {
  db: Db;
  storage: Pick<Storage, "audio" | "peaks">;
}

/** A transcription, and the sound track of its peaks. */
type Drawn = Pick<TranscriptionRow, "id" | "track">;

/**
 * Stores the peaks beside a transcription's audio, unless the audio was deleted or its track changed in the meantime.
 */
export async function keepPeaks({ db, storage }: Parts, { id, track }: Drawn, peaks: Peaks): Promise<void> {
  await storage.peaks.write(id, writePeaks(peaks));
  // A deletion of the audio changes the row before it deletes the files. Peaks stored before that are deleted with the
  // audio; later ones are deleted here.
  const isWanted = await db.transaction().execute(async (t) => {
    if (!(await hasSound(t, id, track))) return false;
    await noteAudioChange(t, id);
    return true;
  });
  if (!isWanted) await storage.peaks.remove(id);
}

/**
 * The stored peaks of an audio; undefined when there are none, or they are of an earlier version of the audio. @param
 * audioBytes its present size
 */
export async function keptPeaks(
  { storage }: Pick<Parts, "storage">,
  id: string,
  audioBytes: number,
): Promise<Buffer | undefined> {
  const bytes = await storage.peaks.read(id);
  return bytes !== undefined && readPeaks(bytes)?.audioBytes === audioBytes ? bytes : undefined;
}
