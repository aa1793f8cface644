import type { Bucket } from "./bucket.ts";
import type { Storage } from "./storage.ts";
import { openFolderStorage } from "./storage-folder.ts";

/**
 * @param dataDir absolute; folders are created if needed
 * @param bucket where files are kept; undefined: in the data folder
 */
export async function openStorage(dataDir: string, bucket?: Bucket): Promise<Storage> {
  const local = await openFolderStorage(dataDir);
  if (bucket === undefined) return local;
  const { createBucketStorage } = await import("./storage-bucket.ts");
  return createBucketStorage(local, bucket);
}
