import * as v from "valibot";
import type { BucketConfig } from "#server/storage/bucket.ts";
import { HttpUrl, refuse, setting, settingOr, Text, type ValuesOf } from "./values.ts";

export const bucketVariables = {
  S3_BUCKET: setting(
    v.pipe(Text, v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")),
    "The bucket for recordings, pictures and encrypted audio, on any S3-compatible server. Default: the data folder.",
  ),
  S3_ENDPOINT: setting(HttpUrl, "The address of the S3 server, such as https://s3.example.org. Default: Amazon's for S3_REGION."),
  S3_REGION: settingOr(Text, "us-east-1", "The region of the S3 server."),
  S3_ACCESS_KEY_ID: setting(Text, "The id of the access key. Default: the role or profile that Amazon gives this machine."),
  S3_SECRET_ACCESS_KEY: setting(Text, "The secret of the access key."),
  S3_PREFIX: setting(
    v.pipe(Text, v.regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, "must be a prefix such as parlance or one/two")),
    "The prefix of every name in the bucket, so that several servers can share one bucket.",
  ),
  S3_PUBLIC_URL: setting(
    HttpUrl,
    "The address of the S3 server for browsers. They then play and download recordings from there with signed addresses. Default: through the API.",
  ),
};

/** @returns undefined without a bucket @throws ConfigError */
export function bucketOf(e: ValuesOf<typeof bucketVariables>): BucketConfig | undefined {
  if (e.S3_BUCKET === undefined) {
    const useless = (["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PUBLIC_URL"] as const).find(
      (name) => e[name] !== undefined,
    );
    return useless === undefined ? undefined : refuse(`S3_BUCKET: is missing, and ${useless} needs it.`);
  }
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_PREFIX: prefix = "" } = e;
  if (accessKeyId === undefined && secretAccessKey !== undefined)
    refuse("S3_ACCESS_KEY_ID is required with S3_SECRET_ACCESS_KEY.");
  if (accessKeyId !== undefined && secretAccessKey === undefined)
    refuse("S3_SECRET_ACCESS_KEY is required with S3_ACCESS_KEY_ID.");
  return {
    bucket: e.S3_BUCKET,
    endpoint: e.S3_ENDPOINT,
    region: e.S3_REGION,
    credentials: accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined,
    prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`,
    publicUrl: e.S3_PUBLIC_URL,
  };
}
