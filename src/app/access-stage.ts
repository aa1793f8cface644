import { createStore } from "../audio/store.ts";

/** Where the guard of the navigation under way is: what the pending screen says (`checking.*`). */
export const accessStage = createStore<"authenticating" | "loadingProfile" | "verifyingPermissions" | "checkingSubscription">(
  "authenticating",
);

/** Whether such a guard is under way. */
export const isChecking = createStore(false);
