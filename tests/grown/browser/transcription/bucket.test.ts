import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { sharedS3 } from "#tests/grown/harness-s3.ts";

// Needs an S3 server: the browser gets the audio from there.

const s3 = await sharedS3();
const env = await s3.newBucket();
const shared = sharedParlance({ env: { ...env, S3_PUBLIC_URL: s3.endpoint } });
const pages = sharedPage(shared);

test("plays a recording directly from a bucket", async () => {
  const { page } = await pages.begin((_, page) =>
    putTranscript(shared.server, page, { segments: [spokenSegment("Hello there", 0, 2)], audioSeconds: 60 }),
  );
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const audio = await readFile(join(shared.server.dataDir, "audio", id, "original"));
  await s3.client.send(new PutObjectCommand({ Bucket: env.S3_BUCKET, Key: `audio/${id}/original`, Body: audio }));
  const fromBucket = page.waitForResponse((answer) => answer.url().startsWith(s3.endpoint));
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  expect((await fromBucket).status()).toBe(206);
  await expect.poll(async () => Number(await page.getByRole("slider", { name: "Position" }).inputValue())).toBeGreaterThan(0);
});
