import * as v from "valibot";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import { parsed } from "#src/browser/stored.ts";
import { shareTargetCache } from "#src/service-worker/share-target.ts";

/** A file from the share target, and what it is called among those that are kept. */
export interface ShareTargetFile {
  address: string;
  file: File;
}

const prefix = "shared:";
const Addresses = v.array(v.string());

/** Whose each is, once somebody has seen it: the next person on this browser does not get it. */
const ownedBy = (store: PageStorage, key: string): string[] => parsed(Addresses, store.read(key)) ?? [];

/** The files from the share target that are this person's, or nobody's yet: from now on they are theirs. Empty where the browser keeps none. */
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
    // Browsers without such a cache have no share target.
    return [];
  }
}

async function fileOf(address: string, kept: Response | undefined): Promise<ShareTargetFile> {
  const about = new URL(address).searchParams;
  const options = { type: about.get("type") ?? "", lastModified: Number(about.get("lastModified")) };
  return { address, file: new File([(await kept?.blob()) ?? ""], about.get("name") ?? "", options) };
}

/** They are uploaded, or not wanted. */
export async function dropShareTargetFiles(files: readonly ShareTargetFile[]): Promise<void> {
  const cache = await caches.open(shareTargetCache);
  await Promise.allSettled(files.map(({ address }) => cache.delete(address)));
}

/** Whoever signs out leaves nothing to the next person. Never rejects. */
export async function dropAllShareTargetFiles(store = storage): Promise<void> {
  for (const key of store.keys()) if (key.startsWith(prefix)) store.remove(key);
  await globalThis.caches?.delete(shareTargetCache).catch(() => false);
}
