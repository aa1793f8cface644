import { storage } from "./storage.ts";

/** Stands in the local storage while a try without an account is kept in this browser: nobody else has to open its database. */
export const tryOutKey = "tryOut";

export const isTryLeft = (): boolean => storage.read(tryOutKey) !== null;
