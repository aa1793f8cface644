import { type Peaks, readPeaks, writePeaks } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { hasSound, type TranscriptionRow } from "#server/transcription/queries.ts";

interface Parts {
  db: Db;
  storage: Pick<Storage, "audio" | "peaks">;
}

/** A transcription, and which sound track its peaks are of. */
type Drawn = Pick<TranscriptionRow, "id" | "track">;

/** Keeps the peaks of a transcription's audio beside it, unless the audio has been deleted meanwhile, or another track of it is heard. */
export async function keepPeaks({ db, storage }: Parts, { id, track }: Drawn, peaks: Peaks): Promise<void> {
  await storage.peaks.write(id, writePeaks(peaks));
  // Whoever deletes a sound changes the row before the files: what was written until then goes with them, what came later goes here.
  const isWanted = await db.transaction().execute(async (t) => {
    if (!(await hasSound(t, id, track))) return false;
    await noteAudioChange(t, id);
    return true;
  });
  if (!isWanted) await storage.peaks.remove(id);
}

/** The bytes of an audio's peaks; undefined when there are none, or they are of an earlier version of it. @param audioBytes its size now */
export async function keptPeaks(
  { storage }: Pick<Parts, "storage">,
  id: string,
  audioBytes: number,
): Promise<Buffer | undefined> {
  const bytes = await storage.peaks.read(id);
  return bytes !== undefined && readPeaks(bytes)?.audioBytes === audioBytes ? bytes : undefined;
}
