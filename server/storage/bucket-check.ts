import { errorCodeOf, Problem } from "#server/errors/problem.ts";
import { nameOf, statusOf } from "./bucket-errors.ts";

/** Writes, reads and deletes an object. @throws Error with a sentence for the operator */
export async function checkBucket(
  { bucket, endpoint }: { bucket: string; endpoint: string | undefined },
  own: {
    put(key: string, content: Uint8Array): Promise<unknown>;
    bytes(key: string): Promise<unknown>;
    remove(key: string): Promise<void>;
  },
): Promise<void> {
  const key = `check/${crypto.randomUUID()}`;
  const where = `${bucket}${endpoint === undefined ? "" : ` at ${endpoint}`}`;
  try {
    await own.put(key, Buffer.from("Parlance can write here."));
    await own.bytes(key);
    await own.remove(key);
  } catch (error) {
    throw new Error(`S3_BUCKET: ${where} can't be used: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Problem ? error.cause : error;
  const name = nameOf(cause);
  if (name === "NoSuchBucket") return "this bucket does not exist.";
  if (name === "SignatureDoesNotMatch") return "S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID.";
  if (name === "InvalidAccessKeyId") return "S3_ACCESS_KEY_ID is unknown there.";
  if (statusOf(cause) === 403) return "these keys may not write, read and delete in it.";
  const said = cause instanceof Error ? `${errorCodeOf(cause) ?? name}: ${cause.message}` : String(cause);
  return `it does not answer like S3 (${said}).`;
}
