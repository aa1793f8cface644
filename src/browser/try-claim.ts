import { storage } from "./storage.ts";
import { isTryLeft, tryOutKey } from "./try-left.ts";

// Whose it is, what somebody has said without an account. Somebody else may use this browser next: it becomes part of
// an account without a question only where the account is created in the tab in which it was said, or for the address
// that was typed there. The tab's storage says "said", then "signUp"; the local one has that address, as the link in
// the mail opens another tab.

const tab = {
  read: () => attempt(() => sessionStorage.getItem(tryOutKey)),
  write: (value: "said" | "signUp") => attempt(() => sessionStorage.setItem(tryOutKey, value)),
};

/** It has been said in this tab, or is to be kept by whoever is at it. */
export function noteSaid(): void {
  tab.write("said");
}

/** Which of the two pages is open in this tab: signing in, somebody may open an account that is not theirs alone. */
export function noteEntered(page: "signUp" | "signIn"): void {
  if (tab.read() !== null) tab.write(page === "signUp" ? "signUp" : "said");
}

/** An account has been created for this address. */
export function noteRegistered(email: string): void {
  if (tab.read() !== null && isTryLeft()) storage.write(tryOutKey, email.toLowerCase());
}

/** Whether it becomes part of this person's account without a question. @param email the account's */
export const isSameUser = (email: string): boolean =>
  isTryLeft() && (tab.read() === "signUp" || storage.read(tryOutKey) === email.toLowerCase());

/** It is gone, or somebody's. */
export function clearClaim(): void {
  storage.remove(tryOutKey);
  attempt(() => sessionStorage.removeItem(tryOutKey));
}

/** A browser may forbid it. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
