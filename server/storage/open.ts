import type { Bucket } from "./bucket.ts";
import { openFolderStorage } from "./folder-storage.ts";
import type { Storage } from "./storage.ts";

/**
 * @param dataDir absolute; folders are created if needed
 * @param bucket where files are stored; undefined: in the data folder
 */
export async function openStorage(dataDir: string, bucket?: Bucket): Promise<Storage> {
  const local = await openFolderStorage(dataDir);
  if (bucket === undefined) return local;
  const { createBucketStorage } = await import("./bucket-storage.ts");
  return createBucketStorage(local, bucket);
}
