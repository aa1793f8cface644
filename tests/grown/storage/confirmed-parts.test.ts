import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { ageMagic } from "#contract/index.ts";
import { readConfig } from "#server/config/config.ts";
import { type Bucket, openBucket } from "#server/storage/bucket.ts";
import { createVaultFiles } from "#server/vault/files.ts";
import { bucketBehind } from "./s3-between.ts";

// Confirmed parts of a file stay, even if the next request to the bucket is lost at any point.

const mebibyte = 1024 * 1024;
const key = "audio/one/original";

/** A bucket whose requests fail as the test says. */
async function openBreaking() {
  const broken = { is: (_: IncomingMessage) => false, count: 0 };
  const env = await bucketBehind((incoming) => {
    if (!broken.is(incoming)) return true;
    broken.count += 1;
    return false;
  });
  const bucket = await openBucket(readConfig(env).bucket ?? expect.fail("no bucket"));
  onTestFinished(() => bucket.close());
  return { bucket, broken };
}

async function* of(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
}

async function contentOf(bucket: Bucket): Promise<Buffer> {
  const file = await bucket.file(key);
  const chunks: Buffer[] = [];
  for await (const chunk of file?.read() ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function keysIn(bucket: Bucket): Promise<string[]> {
  const keys: string[] = [];
  for await (const found of bucket.list("")) keys.push(found.key);
  return keys;
}

test("keeps earlier parts when a request can't be stored", async () => {
  const { bucket, broken } = await openBreaking();
  const bytes = randomBytes(100_000);
  await bucket.appends.begin(key, bytes.length);
  expect(await bucket.appends.append(key, 0, of(bytes.subarray(0, 40_000)))).toMatchObject({ end: 40_000 });
  broken.is = ({ method }) => method === "PUT";
  await expect(bucket.appends.append(key, 40_000, of(bytes.subarray(40_000, 70_000)))).rejects.toThrow();
  expect(broken.count).toBeGreaterThan(0);
  broken.is = () => false;
  expect(await bucket.appends.arrived(key)).toBe(40_000);
  await bucket.appends.append(key, 40_000, of(bytes.subarray(40_000, 70_000)));
  await bucket.appends.append(key, 70_000, of(bytes.subarray(70_000)));
  expect(await bucket.appends.finish(key)).toBe(true);
  expect((await contentOf(bucket)).equals(bytes)).toBe(true);
  expect(await keysIn(bucket)).toEqual([key]);
});

test("completes a vault recording whose process ended after the last byte", async () => {
  const { bucket, broken } = await openBreaking();
  const files = createVaultFiles({ folder: "", bucket });
  const bytes = Buffer.concat([Buffer.from(ageMagic), randomBytes(50_000)]);
  // The request that completes a file from its parts.
  broken.is = ({ method, url = "" }) => method === "POST" && url.includes("uploadId=");
  await expect(files.append("one", 0, bytes.length, of(bytes))).rejects.toThrow();
  expect(broken.count).toBeGreaterThan(0);
  broken.is = () => false;
  // The next request reports that the file is complete.
  expect(await files.arrived("one", 0)).toBe(bytes.length);
  const chunks: Buffer[] = [];
  for await (const chunk of (await files.content("one"))?.read() ?? []) chunks.push(Buffer.from(chunk));
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(await files.content("two")).toBeUndefined();
});

test("counts only parts without gaps, each byte once", async () => {
  const { bucket, broken } = await openBreaking();
  const bytes = randomBytes(28 * mebibyte);
  await bucket.appends.begin(key, bytes.length);
  await bucket.appends.append(key, 0, of(bytes.subarray(0, mebibyte)));
  // A process that is killed after the first part is stored, and before it has removed what that begins with.
  broken.is = ({ method }) => method === "DELETE";
  await bucket.appends.append(key, mebibyte, of(bytes.subarray(mebibyte, 10 * mebibyte)));
  expect(broken.count).toBeGreaterThan(0);
  expect(await bucket.appends.arrived(key)).toBe(10 * mebibyte);
  // The first of three concurrent parts is lost.
  broken.is = ({ method, url = "" }) => method === "PUT" && url.includes("partNumber=2");
  await expect(bucket.appends.append(key, 10 * mebibyte, of(bytes.subarray(10 * mebibyte)))).rejects.toThrow();
  broken.is = () => false;
  expect(await bucket.appends.arrived(key)).toBe(10 * mebibyte);
  expect(await bucket.appends.append(key, 10 * mebibyte, of(bytes.subarray(10 * mebibyte)))).toMatchObject({ end: bytes.length });
  expect(await bucket.appends.finish(key)).toBe(true);
  expect((await contentOf(bucket)).equals(bytes)).toBe(true);
  expect(await keysIn(bucket)).toEqual([key]);
});
