import { createLock, type Lock } from "#src/browser/lock.ts";

/** Prevents other changes of an item's stored text, in all tabs, while it is read, changed and stored. */
export const textLock = (id: string): Lock => createLock(`parlance-vault-text:${id}`, navigator.locks);
