import { openCounter } from "#server/db/ledger.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { Storage } from "#server/storage/storage.ts";
import { type MeasureParts, measureStored } from "./measure.ts";
import { findUse, keepChecked, listUnchecked, noteAllAudio } from "./storage-queries.ts";

/** Each user's storage is counted once in this time (milliseconds). */
const everyMs = 24 * 60 * 60_000;
/** Users counted in one sweep. */
const portion = 20;

interface Parts extends DbParts, Pick<MeasureParts, "vaultText"> {
  storage: MeasureParts["storage"] & Pick<Storage, "bucket">;
  log: Log;
}

/**
 * Counts users' storage row by row, and corrects sums that differ. Files are measured again only in a folder, where
 * that is cheap, not in a bucket. Called by the sweeper.
 */
export async function checkStorage(parts: Parts): Promise<void> {
  const { db, now, log } = parts;
  const people = await listUnchecked(db, now() - everyMs, portion);
  if (people.length === 0) return;
  const count = await openCounter(db);
  for (const userId of people) {
    await noteAllAudio(db, userId, { onlyNew: parts.storage.bucket !== undefined });
    await measureStored(parts, userId);
    const { known, bytes } = await db.transaction().execute(async (t) => {
      const counted = { known: await findUse(t, userId), bytes: await count(t, userId) };
      await keepChecked(t, userId, { bytes: counted.bytes, at: now() });
      return counted;
    });
    if (known !== bytes) log.warn("storage count corrected", { account: userId, known, counted: bytes });
  }
}
