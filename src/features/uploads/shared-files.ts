import * as v from "valibot";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import { sharedCache } from "#src/service-worker/shared.ts";

/** A file that another app has shared, and what it is called among those that are kept. */
export interface SharedFile {
  address: string;
  file: File;
}

const prefix = "shared:";
const Addresses = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** Whose each is, once somebody has seen it: the next person on this browser does not get it. */
function ownedBy(store: PageStorage, key: string): string[] {
  const known = v.safeParse(Addresses, store.read(key));
  return known.success ? known.output : [];
}

/** The files that were shared with this person, or with nobody yet: from now on they are theirs. Empty where the browser keeps none. */
export async function sharedFiles(ownerId: string, store = storage): Promise<SharedFile[]> {
  try {
    if (!(await caches.has(sharedCache))) return [];
    const own = prefix + ownerId;
    const others = store.keys().filter((key) => key.startsWith(prefix) && key !== own);
    const taken = new Set(others.flatMap((key) => ownedBy(store, key)));
    const cache = await caches.open(sharedCache);
    const mine = (await cache.keys()).filter(({ url }) => !taken.has(url));
    if (mine.length > 0) store.write(own, JSON.stringify(mine.map(({ url }) => url)));
    return await Promise.all(mine.map(async (request) => fileOf(request.url, await cache.match(request))));
  } catch {
    // Browsers without such a cache are not shared with.
    return [];
  }
}

async function fileOf(address: string, kept: Response | undefined): Promise<SharedFile> {
  const about = new URL(address).searchParams;
  const options = { type: about.get("type") ?? "", lastModified: Number(about.get("lastModified")) };
  return { address, file: new File([(await kept?.blob()) ?? ""], about.get("name") ?? "", options) };
}

/** They are uploaded, or not wanted. */
export async function dropShared(files: readonly SharedFile[]): Promise<void> {
  const cache = await caches.open(sharedCache);
  await Promise.allSettled(files.map(({ address }) => cache.delete(address)));
}

/** Whoever signs out leaves nothing to the next person. Never rejects. */
export async function dropAllShared(store = storage): Promise<void> {
  for (const key of store.keys()) if (key.startsWith(prefix)) store.remove(key);
  await globalThis.caches?.delete(sharedCache).catch(() => false);
}
