import type { ListMultipartUploadsCommandOutput, MultipartUpload, S3Client } from "@aws-sdk/client-s3";
import { rethrown } from "./bucket-errors.ts";

export interface Listed {
  /** Without the prefix. */
  key: string;
  size: number;
  /** Epoch milliseconds. */
  touchedAt: number;
}

/** What each call is made with. */
export interface BucketClient {
  s3: typeof import("@aws-sdk/client-s3");
  client: S3Client;
  bucket: string;
  prefix: string;
  /** The bucket and the whole key. */
  at(key: string): { Bucket: string; Key: string };
  /** For an object that is missing: undefined. A missing object and a missing bucket answer alike to HEAD. @throws Problem */
  orMissing(error: unknown): Promise<undefined>;
}

/** Everything below a prefix, by key. */
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

/** Uploads in parts that have not ended. */
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
