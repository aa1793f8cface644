import { storage } from "./storage.ts";

/**
 * Key in local storage. Set while this browser has a recording without an account, so that only then its database is
 * opened.
 */
export const tryOutKey = "tryOut";

export const isTryLeft = (): boolean => storage.read(tryOutKey) !== null;
