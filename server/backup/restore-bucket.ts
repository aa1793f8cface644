import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Bucket } from "#server/storage/bucket.ts";
import { isObject } from "./format.ts";

// The bucket's part of a restore. Restored objects are staged in the bucket itself, and the current ones are copied
// within it.

const staging = "restore-new/";
const points = "restore-points/";
const objects = "objects/";

const pointAt = (point: string): string => `${points}${point}/`;

/** Stages an object of a backup, beside the current ones. */
export function stageObject(bucket: Bucket, key: string) {
  const { stream } = bucket.writable(`${staging}${key}`);
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  return {
    write: async (chunk: Uint8Array) => {
      if (failure !== undefined) throw failure;
      if (!stream.write(chunk)) await once(stream, "drain");
    },
    close: () => finished(stream.end()),
  };
}

export function clearStaging(bucket: Bucket): Promise<void> {
  return bucket.removeAll(staging);
}

/**
 * Copies the current objects. The restore point is valid only after this has resolved.
 * @throws Problem `storageUnavailable`, `storageFull`
 */
export async function savePoint(bucket: Bucket, point: string): Promise<void> {
  for await (const { key } of bucket.list("")) {
    if (isObject(key)) await copied(bucket, key, `${pointAt(point)}${objects}${key}`);
  }
  await bucket.put(`${pointAt(point)}complete`, Buffer.from("complete"));
}

/** Whether the bucket has all of a restore point. */
export async function holdsPoint(bucket: Bucket, point: string): Promise<boolean> {
  return (await bucket.bytes(`${pointAt(point)}complete`)) !== undefined;
}

/**
 * Stages a restore point's objects beside the current ones.
 * @throws Error with a message if it is incomplete; Problem as savePoint
 */
export async function stagePointOf(bucket: Bucket, point: string): Promise<void> {
  if (!(await holdsPoint(bucket, point))) throw new Error(`The bucket no longer has ${pointAt(point)}.`);
  const from = `${pointAt(point)}${objects}`;
  for await (const { key } of bucket.list(from)) await copied(bucket, key, `${staging}${key.slice(from.length)}`);
}

/** Removes an incomplete restore point. */
export function removePoint(bucket: Bucket, point: string): Promise<void> {
  return bucket.removeAll(pointAt(point));
}

/** Replaces the current objects by the staged ones. */
export function installStaged(bucket: Bucket): Promise<void> {
  return replaceBy(bucket, staging);
}

/**
 * Puts back the previous objects, and deletes the restore point. Nothing was changed while the point was incomplete.
 */
export async function undoInBucket(bucket: Bucket, point: string): Promise<void> {
  if (await holdsPoint(bucket, point)) {
    await replaceBy(bucket, `${pointAt(point)}${objects}`);
    // First, so that an interrupted deletion does not leave a point that seems complete.
    await bucket.remove(`${pointAt(point)}complete`);
  }
  await bucket.removeAll(pointAt(point));
  await clearStaging(bucket);
}

/** Afterwards there are only the objects from below a prefix. */
async function replaceBy(bucket: Bucket, from: string): Promise<void> {
  for await (const { key } of bucket.list("")) {
    if (isObject(key) && (await bucket.file(`${from}${key}`)) === undefined) await bucket.remove(key);
  }
  for await (const { key } of bucket.list(from)) await copied(bucket, key, key.slice(from.length));
}

async function copied(bucket: Bucket, from: string, to: string): Promise<void> {
  if (!(await bucket.copy(from, to))) throw new Error(`${from} has gone from the bucket meanwhile.`);
}

/**
 * Compares a bucket that keeps its own versions with a backup's list.
 * @param list lines of a size and a key (format.ts)
 * @returns the lines of objects that are missing or have another size
 */
export async function findMissing(bucket: Bucket, list: Readable): Promise<string[]> {
  const missing: string[] = [];
  for await (const line of createInterface({ input: list })) {
    const [size = "", key = ""] = line.split("\t", 2);
    const stored = await bucket.file(key);
    if (stored === undefined || stored.size !== Number(size)) missing.push(line);
  }
  return missing;
}
