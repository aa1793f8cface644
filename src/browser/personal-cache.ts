// A person's own data that can be fetched again, in a cache of the browser: it goes with the session.

const prefix = "parlance-personal-";

/** Rejects where the browser has no caches, as without https. */
export const personalCache = (ownerId: string): Promise<Cache> => caches.open(prefix + ownerId);

/** Deletes everybody's, or everybody's but one person's. Never rejects. */
export async function dropPersonalCaches(exceptOwnerId?: string | null): Promise<void> {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const dropped = names.filter((name) => name.startsWith(prefix) && name !== prefix + (exceptOwnerId ?? ""));
  await Promise.allSettled(dropped.map((name) => caches.delete(name)));
}
