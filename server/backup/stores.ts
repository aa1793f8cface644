import { type Bucket, type BucketConfig, openBucket } from "#server/storage/bucket.ts";

/** The data of an installation outside its data folder. */
export interface Stores {
  /** postgres://…; undefined: the database is the file in the data folder. */
  databaseUrl?: string | undefined;
  /** undefined: the files are in the data folder. */
  bucket?: Bucket | undefined;
}

/** Opens what an installation is configured with, for a program that ends with its work. */
export async function openStores(config: {
  databaseUrl: string | undefined;
  bucket: BucketConfig | undefined;
}): Promise<Stores & Disposable> {
  const bucket = config.bucket === undefined ? undefined : await openBucket(config.bucket);
  return { databaseUrl: config.databaseUrl, bucket, [Symbol.dispose]: () => bucket?.close() };
}
