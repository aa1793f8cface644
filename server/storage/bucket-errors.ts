import { isDiskFull, Problem } from "#server/errors/problem.ts";

/**
 * Converts an error of the bucket for callers. A refusal or a timeout is retried, and nothing is lost; a full bucket
 * has its own error.
 */
export function asProblem(error: unknown): unknown {
  if (error instanceof Problem || isDiskFull(error) || nameOf(error) === "AbortError") return error;
  if (saysFull(error)) return new Problem("storageFull", undefined, { cause: error });
  return new Problem("storageUnavailable", undefined, { cause: error, retryAfter: 5 });
}

export function rethrown(error: unknown): never {
  throw asProblem(error);
}

/** Error codes of servers without room, in all or in this bucket: MinIO's disks and quotas, Ceph's quotas. */
const noRoom = new Set(["XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded"]);
/** HTTP status Insufficient Storage. */
const fullStatus = 507;

const saysFull = (error: unknown): boolean => noRoom.has(nameOf(error)) || statusOf(error) === fullStatus;

const missing = new Set(["NotFound", "NoSuchKey", "NoSuchUpload"]);

export function isMissing(error: unknown): boolean {
  return missing.has(nameOf(error));
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

export function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return undefined;
  const { $metadata: about } = error;
  if (typeof about !== "object" || about === null || !("httpStatusCode" in about)) return undefined;
  return typeof about.httpStatusCode === "number" ? about.httpStatusCode : undefined;
}
