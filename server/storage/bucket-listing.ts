import type { ListMultipartUploadsCommandOutput, MultipartUpload, S3Client } from "@aws-sdk/client-s3";
import { rethrown } from "./bucket-errors.ts";

export interface Listed {
  /** Without the prefix. */
  key: string;
  size: number;
  /** Epoch milliseconds. */
  touchedAt: number;
}

/** Parameters of each call. */
export interface BucketClient {
  s3: typeof import("@aws-sdk/client-s3");
  client: S3Client;
  bucket: string;
  prefix: string;
  /** The bucket and the full key. */
  at(key: string): { Bucket: string; Key: string };
  /**
   * Turns the error for a missing object into undefined. To HEAD, a missing object and a missing bucket look the same.
   * @throws Problem
   */
  orMissing(error: unknown): Promise<undefined>;
}

/** All objects below a prefix, sorted by key. */
export async function* listBelow({ s3, client, bucket, prefix }: BucketClient, below: string): AsyncGenerator<Listed> {
  let token: string | undefined;
  do {
    const wanted = { Bucket: bucket, Prefix: prefix + below, ...(token !== undefined && { ContinuationToken: token }) };
    const page = await client.send(new s3.ListObjectsV2Command(wanted)).catch(rethrown);
    for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
      yield { key: Key.slice(prefix.length), size: Size, touchedAt: LastModified?.getTime() ?? Number.POSITIVE_INFINITY };
    }
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** Unfinished multipart uploads. */
export async function* uploadsBelow(
  { s3, client, bucket, prefix }: BucketClient,
  below: string,
): AsyncGenerator<MultipartUpload> {
  let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (markers !== undefined) {
    const wanted = { Bucket: bucket, Prefix: prefix + below, ...markers };
    const page: ListMultipartUploadsCommandOutput = await client.send(new s3.ListMultipartUploadsCommand(wanted)).catch(rethrown);
    yield* page.Uploads ?? [];
    markers = page.IsTruncated === true ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
}

export function abortUpload(
  { s3, client, bucket, orMissing }: BucketClient,
  Key: string | undefined,
  UploadId: string | undefined,
) {
  return client.send(new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(orMissing);
}
