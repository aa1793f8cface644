// A Cache with a user's own data that can be fetched again. It ends with the session.

const prefix = "parlance-personal-";

/** Rejects if the browser has no Cache API (for example without https). */
export const personalCache = (ownerId: string): Promise<Cache> => caches.open(prefix + ownerId);

/** Deletes the caches of all users, or of all but one. Never rejects. */
export async function dropPersonalCaches(exceptOwnerId?: string | null): Promise<void> {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const dropped = names.filter((name) => name.startsWith(prefix) && name !== prefix + (exceptOwnerId ?? ""));
  await Promise.allSettled(dropped.map((name) => caches.delete(name)));
}
