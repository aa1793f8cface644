import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { RecordingFile, restoreRecording } from "#server/dictation/recording-file.ts";
import { openBucket } from "#server/storage/bucket.ts";
import { openStorage } from "#server/storage/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { type S3Environment, sharedS3 } from "#tests/grown/harness-s3.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { makeDurable, storageSuite } from "#tests/server/storage/suite.ts";

// Needs a server that speaks S3; the same for a folder: tests/server/storage/folder.test.ts.

/** A storage of a machine of its own. */
async function openIn(env: S3Environment, prefix = "one/two"): Promise<Storage> {
  const config = readConfig({ ...env, S3_PREFIX: prefix }).bucket ?? expect.fail("no bucket");
  const bucket = await openBucket(config);
  onTestFinished(() => bucket.close());
  return openStorage(await temporaryFolder(), bucket);
}

storageSuite("in a bucket", async () => openIn(await (await sharedS3()).newBucket()));

test("continues a dictation on another machine from what the bucket has, and asks for the rest", async () => {
  const env = await (await sharedS3()).newBucket();
  const [one, other] = [await openIn(env), await openIn(env)];
  const id = randomUUID();
  const frame = (number: number) => Buffer.alloc(2560, number);
  const openOn = async (machine: Storage) => RecordingFile.open(await restoreRecording(machine, id));
  const first = await openOn(one);
  for (let number = 0; number < 10; number++) await first.append(frame(number));
  await makeDurable(one, id, first, 0);
  for (let number = 10; number < 15; number++) await first.append(frame(number));
  // Lost without a goodbye: the other machine does not know of five frames, and takes them, and more, from the sender.
  const second = await openOn(other);
  expect(second.frames).toBe(10);
  for (let number = 10; number < 12; number++) await second.append(frame(number));
  await makeDurable(other, id, second, 10);
  // The first process was still alive: it writes its parts, too.
  await makeDurable(one, id, first, 10);
  await first.close();
  for (let number = 12; number < 20; number++) await second.append(frame(number));
  await makeDurable(other, id, second, 12);
  await second.close();
  for (const machine of [one, other, await openIn(env)]) {
    const again = await openOn(machine);
    expect([again.frames, again.samples]).toEqual([20, 20 * 1280]);
    const whole = Buffer.concat(Array.from({ length: 20 }, (_, number) => frame(number)));
    expect((await again.read(0, 1e6)).equals(whole)).toBe(true);
    await again.close();
  }
  expect((await one.liveCopies()).map((copy) => copy.id)).toContain(id);
  await one.releaseLive(id);
  expect(await one.liveCopies()).toEqual([]);
});

test("separates servers in one bucket by prefix", async () => {
  const env = await (await sharedS3()).newBucket();
  const [one, other] = [await openIn(env, "a"), await openIn(env, "ab")];
  await one.blobs("avatars").write("x", Buffer.from("one"));
  expect(await other.blobs("avatars").read("x")).toBeUndefined();
  for await (const { id } of other.list("audio")) expect.unreachable(id);
});

test("ends abandoned uploads", async () => {
  const { bucket } = await openIn(await (await sharedS3()).newBucket());
  await bucket?.appends.begin("audio/x/original", 100_000_000);
  expect(await bucket?.abortUploadsBefore(Date.now() - 60_000)).toBe(0);
  expect(await bucket?.abortUploadsBefore(Date.now() + 60_000)).toBe(1);
  expect(await bucket?.abortUploadsBefore(Date.now() + 60_000)).toBe(0);
});
