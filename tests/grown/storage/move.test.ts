import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { openBucket } from "#server/storage/bucket.ts";
import { moveFiles } from "#server/storage/move-files.ts";
import { openStorage } from "#server/storage/open.ts";
import { createVaultFiles } from "#server/vault/files.ts";
import { sharedS3 } from "#tests/grown/harness-s3.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { bytesOf } from "#tests/server/storage/suite.ts";

// Needs a server that speaks S3: moves a whole data folder there and back.

// PROMISE processes: A bucket keeps the files; `npm run files -- move` moves them
test("moves a data folder to a bucket, verifies it, resumes after a break, and keeps the files until told otherwise", async () => {
  const dataDir = await temporaryFolder();
  const [id, item, picture] = [randomUUID(), randomUUID(), randomUUID()];
  const contents = { audio: randomBytes(9_000_000), vault: randomBytes(1000), picture: randomBytes(500) };
  for (const folder of [`audio/${id}`, `vault/${item}`, "avatars", "uploads"])
    await mkdir(join(dataDir, folder), { recursive: true });
  await writeFile(join(dataDir, "audio", id, "original"), contents.audio);
  await writeFile(join(dataDir, "vault", item, "content"), contents.vault);
  await writeFile(join(dataDir, "avatars", `${picture}.webp`), contents.picture);
  await writeFile(join(dataDir, "uploads", "unfinished"), "half");
  const config = readConfig(await (await sharedS3()).newBucket()).bucket ?? expect.fail("no bucket");
  const bucket = await openBucket(config);
  onTestFinished(() => bucket.close());

  const left = ["uploads/unfinished"];
  expect(await moveFiles({ dataDir, bucket, removes: false })).toEqual({ copied: 3, known: 0, bytes: 9_001_500, left });
  // A damaged copy, as an interruption or another program may have left it.
  await bucket.put(`vault/${item}/content`, contents.vault.toReversed());
  await bucket.remove(`avatars/${picture}.webp`);
  expect(await moveFiles({ dataDir, bucket, removes: true })).toEqual({ copied: 2, known: 1, bytes: 1500, left });
  expect([await readdir(join(dataDir, "avatars")), await readdir(join(dataDir, "audio", id))]).toEqual([[], []]);

  const storage = await openStorage(await temporaryFolder(), bucket);
  expect((await bytesOf(await storage.audio(id))).equals(contents.audio)).toBe(true);
  expect((await bytesOf(await createVaultFiles(storage).content(item))).equals(contents.vault)).toBe(true);
  expect((await storage.blobs("avatars").read(picture))?.equals(contents.picture)).toBe(true);
});
