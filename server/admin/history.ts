import type { DbParts } from "#server/db/open.ts";
import { postgresBytes } from "#server/db/size.ts";
import { keepMetrics, latestMetric } from "#server/metrics/queries.ts";
import type { Storage } from "#server/storage/storage.ts";
import { measureBucket, measureUsed } from "./disk.ts";
import { countUsers } from "./user-queries.ts";

/** The ms between two measurements of the day's figures. */
const everyMs = 60 * 60 * 1000;

interface Parts extends DbParts {
  config: { dataDir: string };
  storage: Pick<Storage, "bucket">;
}

/** Records daily numbers that can't be computed later. Called by the sweeper. */
export async function recordDay({ db, now, config, storage }: Parts): Promise<void> {
  const recordedAt = await latestMetric(db, "recordedAt");
  const at = now();
  // If the clock is set back, the recording must still continue.
  if (recordedAt !== undefined && at - recordedAt < everyMs && recordedAt <= at) return;
  const used = await measureUsed(config.dataDir);
  used.database += await postgresBytes(db);
  if (storage.bucket !== undefined) {
    const inBucket = await measureBucket(storage.bucket);
    for (const part of ["audio", "vault", "other"] as const) used[part] += inBucket[part];
  }
  const { total, premium } = await countUsers(db);
  await db.transaction().execute((t) => keepMetrics(t, at, { ...used, users: total, premium, recordedAt: at }));
}
