import type { Bucket } from "./bucket.ts";

/** Interval of searching a bucket for stale uploads (milliseconds). */
const lookMs = 60 * 60 * 1000;
/** When each bucket was last searched, epoch ms. */
const lookedAt = new WeakMap<Bucket, number>();
/** Longer than any upload may take (milliseconds). */
const staleMs = 8 * 24 * 60 * 60 * 1000;

/** Aborts stale uploads into the bucket: their parts are charged for, and no listing shows them. @param now epoch ms */
export async function endStaleUploads({
  storage: { bucket },
  now,
}: {
  storage: { bucket: Bucket | undefined };
  now: () => number;
}): Promise<void> {
  // The bucket's clock is not the injected one, but over days both agree.
  if (bucket === undefined || now() - (lookedAt.get(bucket) ?? 0) < lookMs) return;
  lookedAt.set(bucket, now());
  await bucket.abortUploadsBefore(now() - staleMs);
}
