import type { Bucket } from "./bucket.ts";

/** How often a bucket is looked through for stale uploads (milliseconds). */
const lookMs = 60 * 60 * 1000;
/** When each bucket was last looked through, epoch ms. */
const lookedAt = new WeakMap<Bucket, number>();
/** Longer than any upload may take (milliseconds). */
const staleMs = 8 * 24 * 60 * 60 * 1000;

/** Ends uploads into the bucket that nobody continues: their parts are charged for, and no listing shows them. @param now epoch ms */
export async function endStaleUploads({
  storage: { bucket },
  now,
}: {
  storage: { bucket: Bucket | undefined };
  now: () => number;
}): Promise<void> {
  // The bucket's clock is not the injected one, but days apart both say the same.
  if (bucket === undefined || now() - (lookedAt.get(bucket) ?? 0) < lookMs) return;
  lookedAt.set(bucket, now());
  await bucket.abortUploadsBefore(now() - staleMs);
}
