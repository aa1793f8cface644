import { createLock, type Lock } from "#src/browser/lock.ts";

/** While the stored text of an item is read, changed and stored, nothing else changes it, in no tab. */
export const textLock = (id: string): Lock => createLock(`parlance-vault-text:${id}`, navigator.locks);
