import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, onTestFinished, test } from "vitest";
import { sharedS3, startS3 } from "#tests/grown/harness-s3.ts";

// Everything else in this folder trusts the S3 server of the tests: this file kills it and checks it.

test("checks signatures of requests and addresses in the test S3 server", async () => {
  const { client, newBucket } = await sharedS3();
  const { S3_BUCKET: Bucket, S3_ENDPOINT: endpoint } = await newBucket();
  await client.send(new PutObjectCommand({ Bucket, Key: "a/b", Body: "0123456789" }));
  const credentials = { accessKeyId: "tests:parlance", secretAccessKey: "wrong" };
  const stranger = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  await expect(stranger.send(new GetObjectCommand({ Bucket, Key: "a/b" }))).rejects.toThrow(/signature/);
  const address = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "a/b" }), { expiresIn: 60 });
  const part = await fetch(address, { headers: { Range: "bytes=2-4" } });
  expect([part.status, await part.text()]).toEqual([206, "234"]);
  expect((await fetch(address.replace("a/b", "a/c"))).status).toBe(403);
});

test("keeps acknowledged objects of the test S3 server after SIGKILL", async () => {
  const s3 = await startS3();
  onTestFinished(s3.close);
  const { S3_BUCKET: Bucket } = await s3.newBucket();
  await s3.client.send(new PutObjectCommand({ Bucket, Key: "a/b", Body: "0123456789" }));
  await s3.kill();
  await expect(fetch(s3.endpoint)).rejects.toThrow();
  await s3.restart();
  expect(await s3.client.send(new HeadObjectCommand({ Bucket, Key: "a/b" }))).toMatchObject({ ContentLength: 10 });
});
