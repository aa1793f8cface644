import * as v from "valibot";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import { parsed } from "#src/browser/stored.ts";
import { shareTargetCache } from "#src/service-worker/share-target.ts";

/** A file from the share target, and its address in the Cache. */
export interface ShareTargetFile {
  address: string;
  file: File;
}

const prefix = "shared:";
const Addresses = v.array(v.string());

/**
 * The addresses of a user's files. A file belongs to the first user who sees it, so that the next user of this browser
 * does not get it.
 */
const ownedBy = (store: PageStorage, key: string): string[] => parsed(Addresses, store.read(key)) ?? [];

/**
 * The share target's files that belong to this user or to nobody yet. The latter now become this user's. Empty if the
 * browser stores none.
 */
export async function shareTargetFiles(ownerId: string, store = storage): Promise<ShareTargetFile[]> {
  try {
    if (!(await caches.has(shareTargetCache))) return [];
    const own = prefix + ownerId;
    const others = store.keys().filter((key) => key.startsWith(prefix) && key !== own);
    const taken = new Set(others.flatMap((key) => ownedBy(store, key)));
    const cache = await caches.open(shareTargetCache);
    const mine = (await cache.keys()).filter(({ url }) => !taken.has(url));
    if (mine.length > 0) store.write(own, JSON.stringify(mine.map(({ url }) => url)));
    return await Promise.all(mine.map(async (request) => fileOf(request.url, await cache.match(request))));
  } catch {
    // Browsers without the Cache API have no share target.
    return [];
  }
}

async function fileOf(address: string, kept: Response | undefined): Promise<ShareTargetFile> {
  const about = new URL(address).searchParams;
  const options = { type: about.get("type") ?? "", lastModified: Number(about.get("lastModified")) };
  return { address, file: new File([(await kept?.blob()) ?? ""], about.get("name") ?? "", options) };
}

/** Deletes files that were uploaded or rejected. */
export async function dropShareTargetFiles(files: readonly ShareTargetFile[]): Promise<void> {
  const cache = await caches.open(shareTargetCache);
  await Promise.allSettled(files.map(({ address }) => cache.delete(address)));
}

/** Deletes all files at sign-out, so that the next user does not get them. Never rejects. */
export async function dropAllShareTargetFiles(store = storage): Promise<void> {
  for (const key of store.keys()) if (key.startsWith(prefix)) store.remove(key);
  await globalThis.caches?.delete(shareTargetCache).catch(() => false);
}
